"""What other data might have given: resampling, bands, tests and verdicts."""
