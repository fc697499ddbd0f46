"""Detectors of widgets on pictures."""
