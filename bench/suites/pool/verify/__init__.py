"""Trajectories and evaluators of subtasks, and how each is proved by the other."""
