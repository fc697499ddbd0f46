"""Keys in use: found in every form they may come back in, and kept out of all that is written."""
