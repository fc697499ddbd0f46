"""Which sub-tasks make a task of `duet`."""
