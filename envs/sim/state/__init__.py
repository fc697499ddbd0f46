"""What is true in the embedded world at one moment: accounts, files, events, settings, as immutable records."""
