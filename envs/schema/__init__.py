"""The vocabulary as JSON: reading, writing, and the schemas by which models are told it."""
