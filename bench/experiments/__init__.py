"""Several runs together: sweeps, ablations, comparisons, plans."""
