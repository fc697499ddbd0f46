"""The recipes of `duet`: the sub-tasks that make up each task."""
