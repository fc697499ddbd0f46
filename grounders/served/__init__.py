"""Grounders behind a model server, and the server itself."""
