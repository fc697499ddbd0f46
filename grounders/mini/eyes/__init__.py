"""The small eyes: elements of a screen of the embedded world, read from its pixels alone by small networks."""
