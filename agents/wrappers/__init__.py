"""What is put around an agent: critics, progress, skills, loop detection."""
