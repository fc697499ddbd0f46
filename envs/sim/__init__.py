"""The embedded world: a small phone and a small desktop on one clock with one account; no device is needed."""
