"""Tables: their contracts, shared columns, and how they are written and read."""
