"""The sounds of the embedded world, in whole numbers."""
