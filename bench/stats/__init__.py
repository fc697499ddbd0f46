"""Intervals, tests and power for the figures of runs."""
