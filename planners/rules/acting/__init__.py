"""Turns a clause into the next moves."""
