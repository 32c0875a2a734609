"""The report: tables to the values that templates may see, and to HTML and PDF."""
