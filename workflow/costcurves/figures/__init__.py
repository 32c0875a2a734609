"""The figures: tables to matplotlib figures, without statistics and without files."""
