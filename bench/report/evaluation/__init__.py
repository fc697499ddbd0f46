"""What sweeps, ablations, grids and comparisons came to: for a terminal, for a notebook, and as files with a page."""
