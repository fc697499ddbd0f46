"""Grounders: find the described place on the screen."""
