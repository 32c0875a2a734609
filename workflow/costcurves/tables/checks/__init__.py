"""What must be true of any results."""
