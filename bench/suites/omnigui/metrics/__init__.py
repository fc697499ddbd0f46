"""OmniGUI's published metrics, as pure functions."""
