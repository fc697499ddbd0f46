"""Finding API keys in the forms that servers and libraries write, and keeping them out of everything we write."""
