"""Workers on other machines: the same processes with the same lines, relayed to the run's own process."""
