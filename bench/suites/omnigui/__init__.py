"""OmniGUI."""
