"""Results as tables by choice, in formats for papers and programs, and as flat records."""
