"""Several datasets and statements: the sign test and the map, claims, the audit, the gate."""
