"""Parses an instruction into clauses."""
