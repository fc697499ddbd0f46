"""Matches words with elements, sounds and videos."""
