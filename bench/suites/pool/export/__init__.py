"""Writes a pool's tasks and their demonstrations in the formats of benchmarks, and as data to train on."""
