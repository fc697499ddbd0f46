"""Playing one episode: set up, act, judge, record."""
