"""The widget toolkit: layout, scenes, and keyboard and pointer input."""
