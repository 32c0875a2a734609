"""The tables: the study, the input contract, and a module for each stage of the workflow."""
