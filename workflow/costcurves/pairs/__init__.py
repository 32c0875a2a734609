"""Two models: differences, verdicts, and what is not ruled out."""
