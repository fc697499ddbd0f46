"""The native models that are known, one record each."""
