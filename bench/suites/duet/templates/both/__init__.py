"""Sub-tasks over both devices."""
