"""What moves in a clip, as events."""
