"""The sounds of the embedded world, in integer arithmetic."""
