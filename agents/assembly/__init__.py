"""From specifications to agents."""
