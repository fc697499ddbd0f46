"""What the script uses of WebArena-Verified."""
