"""The front end that shows runs."""
