"""The agent systems: one planner, or several with roles."""
