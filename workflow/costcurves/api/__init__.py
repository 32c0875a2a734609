"""What is called from Python: cost curves of arrays, comparisons of models, displays, losses."""
