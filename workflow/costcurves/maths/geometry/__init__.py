"""Cost space and ROC space: lines, curves, hulls, envelopes, averages, and their measures."""
