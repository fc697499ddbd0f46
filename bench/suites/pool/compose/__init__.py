"""Composes task graphs from subtasks, aimed at figures, cells and capabilities (OmniBench §3.1 and §3.2)."""
