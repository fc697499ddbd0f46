"""Servers that speak the OpenAI chat protocol, over connections of our own."""
