"""Set-of-Marks: what is marked, drawing it, and pointing by number."""
