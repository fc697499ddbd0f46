"""Our own benchmark: a phone and a desktop that share an account."""
