"""Tasks, judges, and the graphs of sub-goals that join them."""
