"""The content of an embedded world, drawn from the instance's seed."""
