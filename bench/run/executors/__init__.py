"""Where episodes are played: in worker processes or in this one."""
