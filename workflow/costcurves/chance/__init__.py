"""What other data might have given: resamples, and the bands and intervals that follow."""
