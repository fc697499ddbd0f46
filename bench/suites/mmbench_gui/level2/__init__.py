"""MMBench-GUI level 2: pointing."""
