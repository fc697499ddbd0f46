"""The text of a screenshot, as elements."""
