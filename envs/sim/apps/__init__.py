"""The applications of the embedded world, and what they share."""
