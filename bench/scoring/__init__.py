"""Scoring predictions by the rules of published benchmarks."""
