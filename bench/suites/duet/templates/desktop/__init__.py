"""Sub-tasks on the desktop."""
