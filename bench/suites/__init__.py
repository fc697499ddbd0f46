"""The suites: tasks and the worlds they run in."""
