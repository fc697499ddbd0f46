"""The content of an embedded world, generated from the instance's seed."""
