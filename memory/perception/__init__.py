"""Readers that turn pictures, sound and video into elements and events."""
