"""Reading what models write: reasoning, JSON, calls, code, numbers, coordinates."""
