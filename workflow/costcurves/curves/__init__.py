"""Cost space: lines, curves, hulls, envelopes and their averages."""
