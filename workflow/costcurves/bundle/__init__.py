"""What a journal, a conference or an archive takes: a report's content in their forms."""
