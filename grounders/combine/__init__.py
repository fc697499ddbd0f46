"""Grounders made of other grounders."""
