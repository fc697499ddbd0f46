"""The building blocks of the sub-tasks of `duet`."""
