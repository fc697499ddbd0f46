"""Detectors of widgets in images."""
