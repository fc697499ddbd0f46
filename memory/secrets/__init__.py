"""Finding API keys in every form they may appear in, and keeping them out of everything we write."""
