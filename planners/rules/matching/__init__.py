"""From words to what is on the screen, was heard, or was seen in a film."""
