"""Exploring a world: its screens in the abstract, what can be done on them, and what that changes."""
