"""Benchmark harness: judges what agents did, and shows it."""
