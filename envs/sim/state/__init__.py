"""The state of the embedded world: accounts, files, events, settings, as immutable records."""
