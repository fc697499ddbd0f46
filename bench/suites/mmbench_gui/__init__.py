"""MMBench-GUI."""
