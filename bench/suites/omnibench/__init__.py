"""OmniBench."""
