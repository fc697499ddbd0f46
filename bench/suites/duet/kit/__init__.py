"""What the sub-tasks of `duet` are written in."""
