"""The words that the embedded world's content is made of."""
