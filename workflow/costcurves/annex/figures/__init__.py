"""The figures of the annex."""
