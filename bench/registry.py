"""Suites and pointing suites by name: built-in ones, those of installed plug-ins, and any "module:attribute"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from omnipilot.agents import PartSpec, Registry
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError

SUITES = Registry(
    "suite",
    {
        "duet": "omnipilot.bench.suites.duet.suite:Duet",
        "duet-memory": "omnipilot.bench.suites.duet_memory.suite:DuetMemory",
        "workshop": "omnipilot.bench.suites.workshop.suite:Workshop",
        "free": "omnipilot.bench.suites.free.suite:Free",
        "miniwob": "omnipilot.bench.suites.miniwob.suite:Miniwob",
        "crab": "omnipilot.bench.suites.crab.suite:CrabSuite",
        "omnibench": "omnipilot.bench.suites.omnibench.suite:OmniBenchSuite",
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.suite:MMBenchL1",
        "omniact": "omnipilot.bench.suites.omniact.suite:OmniAct",
        "omnigui": "omnipilot.bench.suites.omnigui.suite:OmniGui",
        "android-control": "omnipilot.bench.suites.android_control.suite:AndroidControl",
    },
    "omnipilot.suites",
    offers=Suite,
)


SPEECH = Registry(
    "speech",
    {
        "recordings": "omnipilot.bench.speech.synthesis:RecordedSpeech",
        "command": "omnipilot.bench.speech.synthesis:CommandSpeech",
        "endpoint": "omnipilot.bench.speech.synthesis:EndpointSpeech",
    },
    "omnipilot.speech",
)


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


_LOADED: ContextVar[dict[str, Suite] | None] = ContextVar("_LOADED", default=None)


@contextmanager
def loading_suites_once() -> Iterator[None]:
    """Within this, or in a function that it decorates, `load_suite` returns the same suite for the same part.

    A command asks for its suite in many places, and one that reads much data shall do so once.
    """
    if _LOADED.get() is not None:
        yield
        return
    token = _LOADED.set({})
    try:
        yield
    finally:
        _LOADED.reset(token)


def load_suite(part: PartSpec) -> Suite:
    """The suite of this name with these options; see also `loading_suites_once`.

    Raises:
        ConfigError: an unknown name, with the nearest known ones, or an option that the suite does not take.
        MissingExtra: the suite needs a package that is not installed.
    """
    if part.name not in SUITES.names() and part.name in POINTING.names():
        raise ConfigError(f"{part.name} is a pointing suite; run it with: omnipilot ground --suite {part.name}")
    loaded = _LOADED.get()
    key = json.dumps([part.name, dict(part.options)], sort_keys=True, default=str)
    if loaded is not None and key in loaded:
        return loaded[key]
    suite: Suite = SUITES.make(part)
    if loaded is not None:
        loaded[key] = suite
    return suite
