"""The widget toolkit: layout, scenes, and what keys and pointers do to them."""
