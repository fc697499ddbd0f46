"""Where episodes are played: in worker processes or in the current process."""
