"""The sub-tasks of `duet`."""
