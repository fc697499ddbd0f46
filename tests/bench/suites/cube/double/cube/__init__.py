"""What the script uses of cube-standard."""
