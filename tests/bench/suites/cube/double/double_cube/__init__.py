"""A cube of two numbers to be added."""
