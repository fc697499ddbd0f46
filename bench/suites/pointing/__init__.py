"""Pointing: the harness of all pointing benchmarks, and our own suite."""
