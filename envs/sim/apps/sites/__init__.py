"""The web sites that the desktop's browser shows."""
