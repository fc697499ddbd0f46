"""Parses model output: reasoning, JSON, calls, code, numbers, coordinates."""
