"""AndroidControl."""
