"""What is heard in a clip, as events."""
