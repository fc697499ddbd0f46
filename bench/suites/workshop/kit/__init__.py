"""What the tasks of `workshop` are written in: content, media, judges, and steps of demonstrations."""
