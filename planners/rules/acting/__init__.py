"""From a clause to the next moves."""
