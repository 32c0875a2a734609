"""Prediction files: found, read, checked, and staged for all that follows."""
