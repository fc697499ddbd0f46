"""Pointing suites by name: our own, and those of installed plug-ins."""

from __future__ import annotations

from omnipilot.agents.registry import Registry

POINTING = Registry(
    "pointing suite", {"pointing": "omnipilot.bench.suites.pointing:PointingSuite"}, "omnipilot.pointing"
)
