"""The pointing models that are known: how each is asked and how its answer is read."""
