"""Pools of tasks made by exploring a world: its stages, their files, and the suite that runs them."""
