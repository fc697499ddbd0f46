"""GUI models that decide and point at once, in their own prompts and action syntaxes."""
