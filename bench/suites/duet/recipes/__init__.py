"""The recipes of `duet`: which sub-tasks make up a task."""
