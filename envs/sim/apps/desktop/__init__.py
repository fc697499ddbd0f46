"""The desktop's applications."""
