"""Sub-goals of the agent's own, and stopping when they are reached."""
