"""OmniGUI in miniature, played on the embedded world's phone."""
