"""Sub-tasks across both devices."""
