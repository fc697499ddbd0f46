"""The published metrics, as pure functions of recorded episodes."""
