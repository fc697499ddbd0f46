"""Kinds of figures of runs: each takes runs and gives what is drawn, with the numbers beside it."""
