"""Sub-tasks on the phone."""
