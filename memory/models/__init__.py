"""Clients of language models, and what a request to any of them needs."""
