"""Asking something that knows more, where the agent is unsure."""
