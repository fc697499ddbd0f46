"""Planners that scores are measured against: oracle, random, noop."""
