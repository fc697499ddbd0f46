"""OmniACT."""
