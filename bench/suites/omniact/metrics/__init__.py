"""OmniACT's published metrics, as pure functions."""
