"""The phone's applications."""
