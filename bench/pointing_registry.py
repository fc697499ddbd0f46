"""Pointing suites by name: our own, and those of installed plug-ins."""

from __future__ import annotations

from omnipilot.agents import Registry

POINTING = Registry(
    "pointing suite",
    {
        "pointing": "omnipilot.bench.suites.pointing.suite:PointingSuite",
        "screenspot": "omnipilot.bench.suites.screenspot.suite:ScreenSpotSuite",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.suite:ScreenSpotV2Suite",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.suite:ScreenSpotProSuite",
        "osworld-g": "omnipilot.bench.suites.osworld_g.suite:OSWorldGSuite",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.suite:MMBenchL2Suite",
    },
    "omnipilot.pointing",
)
