"""Tasks composed from templates of sub-tasks."""
