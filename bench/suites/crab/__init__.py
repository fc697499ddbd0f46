"""CRAB v0."""
