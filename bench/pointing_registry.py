"""Pointing suites by name: our own, and those of installed plug-ins."""

from __future__ import annotations

from omnipilot.agents.registry import Registry

POINTING = Registry(
    "pointing suite",
    {
        "pointing": "omnipilot.bench.suites.pointing:PointingSuite",
        "screenspot": "omnipilot.bench.suites.screenspot:ScreenSpotSuite",
        "screenspot-v2": "omnipilot.bench.suites.screenspot:ScreenSpotV2Suite",
        "screenspot-pro": "omnipilot.bench.suites.screenspot_pro:ScreenSpotProSuite",
        "osworld-g": "omnipilot.bench.suites.osworld_g:OSWorldGSuite",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_l2:MMBenchL2Suite",
    },
    "omnipilot.pointing",
)
