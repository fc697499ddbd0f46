"""Matching words with elements, sounds and videos."""
