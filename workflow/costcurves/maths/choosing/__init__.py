"""Which operating point serves which operating condition, and what choosing it costs."""
