"""Memory: what was seen, heard and done, and what of it a role recalls."""
