"""Environments: what is. The vocabulary of actions and observations, and the worlds that agents act in."""
