"""From display lists to pixels, the same on every machine."""
