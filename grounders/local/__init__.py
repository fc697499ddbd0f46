"""The grounder that runs its model in this process."""
