"""MMBench-GUI levels 3 and 4: success and effort on tasks."""
