"""Prediction files: read, every column accounted for, checked, and staged for all that follows."""
