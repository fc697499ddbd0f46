"""Comparisons as a test of a change: gates on figures, and what a build server and a reviewer are told."""
