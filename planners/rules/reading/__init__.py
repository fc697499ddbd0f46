"""From an instruction to clauses."""
