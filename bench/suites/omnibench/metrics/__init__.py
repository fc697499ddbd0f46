"""OmniBench's published metrics, as pure functions."""
