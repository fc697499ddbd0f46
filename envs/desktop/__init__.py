"""A Linux desktop under X11: seen, heard, and operated as a person would."""
