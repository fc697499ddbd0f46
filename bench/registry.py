"""Suites and pointing suites by name: those of plug-ins, ours among them, and any "module:attribute"."""

from __future__ import annotations

from omnipilot.agents import PartSpec, Registry
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError

SUITES = Registry(
    "suite",
    {"toy": "omnipilot.bench.toy:ToySuite", "free": "omnipilot.bench.free.suite:Free"},
    "suites",
    offers=Suite,
)
POINTING = Registry("pointing suite", {}, "pointing")


SPEECH = Registry(
    "speech",
    {
        "recordings": "omnipilot.bench.speech.synthesis:RecordedSpeech",
        "command": "omnipilot.bench.speech.synthesis:CommandSpeech",
        "endpoint": "omnipilot.bench.speech.synthesis:EndpointSpeech",
    },
    "speech",
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
