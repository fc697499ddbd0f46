"""Metrics of single recorded steps, as OS-Atlas scores them."""
