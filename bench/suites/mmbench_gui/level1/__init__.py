"""MMBench-GUI level 1: questions about a screenshot."""
