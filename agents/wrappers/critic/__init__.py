"""A second look at each proposed action."""
