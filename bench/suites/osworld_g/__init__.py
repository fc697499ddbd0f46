"""OSWorld-G."""
