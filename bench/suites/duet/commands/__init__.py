"""Commands of the command line that play on the embedded world: `demo` and `phone serve`."""
