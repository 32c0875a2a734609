"""Cost curves: which classifier is cheaper, and under which operating conditions."""
