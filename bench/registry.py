"""Suites and pointing suites by name: built-in ones, those of installed plug-ins, and any "module:attribute"."""

from __future__ import annotations

from omnipilot.agents import PartSpec, Registry
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError

SUITES = Registry(
    "suite",
    {
        "toy": "omnipilot.bench.toy:ToySuite",
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


def load_suite(part: PartSpec) -> Suite:
    """The suite of this name with these options.

    Raises:
        ConfigError: an unknown name, with the nearest known ones, or an option that the suite does not take.
        MissingExtra: the suite needs a package that is not installed.
    """
    if part.name not in SUITES.names() and part.name in POINTING.names():
        raise ConfigError(f"{part.name} is a pointing suite; run it with: omnipilot ground --suite {part.name}")
    suite: Suite = SUITES.make(part.name, part.options)
    return suite
