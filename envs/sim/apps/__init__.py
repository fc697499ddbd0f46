"""The applications of the embedded world, and their shared parts."""
