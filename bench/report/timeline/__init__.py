"""What the report page plays: an episode's events on one time axis, and the map of its screens."""
