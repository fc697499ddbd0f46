"""Worlds made of recordings: replay, and other sound and video in place of the true ones."""
