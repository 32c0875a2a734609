"""The tables that the annex adds to those of a dataset; `results` says how each is computed."""
