"""Planners: decide what to do next."""
