"""From what was explored to subtasks with open content."""
