"""Rendering display lists to pixels, identical on every machine."""
