"""What an X server is asked and told: keys, pointer, clipboard, windows, and when its screen has settled."""
