"""What is written down of a run, and reading it back."""
