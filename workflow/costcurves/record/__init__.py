"""What a report was made of, and whether it still is what it was."""
