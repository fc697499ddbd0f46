"""Media and what else is kept once and found again."""
