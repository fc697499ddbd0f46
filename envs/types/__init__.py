"""The vocabulary: places, actions, media, observations, and the errors of environments."""
