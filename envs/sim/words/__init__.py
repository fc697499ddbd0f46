"""Vocabulary and templates of the embedded world's content."""
