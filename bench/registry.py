"""Suites, pointing suites, speech, users and approvers by name: those of plug-ins, ours among them, and any
"module:attribute"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from omnipilot.agents import PartSpec, Registry
from omnipilot.agents.guard import Approver
from omnipilot.bench.pointing.evaluation import Pointing
from omnipilot.bench.tasks.review import REVIEWS, read_reviews
from omnipilot.bench.tasks.task import Suite
from omnipilot.bench.tasks.variation import VARY, check_variations, variation_names
from omnipilot.bench.users.base import User
from omnipilot.envs import ConfigError

SUITES = Registry(
    "suite",
    {"toy": "omnipilot.bench.toy:ToySuite", "free": "omnipilot.bench.free.suite:Free"},
    "suites",
    offers=Suite,
)
POINTING = Registry("pointing suite", {}, "pointing", offers=Pointing)


SPEECH = Registry(
    "speech",
    {
        "recordings": "omnipilot.bench.speech.synthesis:RecordedSpeech",
        "command": "omnipilot.bench.speech.synthesis:CommandSpeech",
        "endpoint": "omnipilot.bench.speech.synthesis:EndpointSpeech",
    },
    "speech",
)


USERS = Registry(
    "user",
    {
        "rules": "omnipilot.bench.users.rules:RulesUser",
        "model": "omnipilot.bench.users.model:ModelUser",
        "terminal": "omnipilot.bench.users.terminal:TerminalUser",
    },
    by_model="model",
    offers=User,
)
"""Who answers what an agent asks its user."""


APPROVERS = Registry(
    "approver",
    {
        "terminal": "omnipilot.agents.guard.approvers:TerminalApprover",
        "page": "omnipilot.bench.live.approval_page:PageApprover",
        "command": "omnipilot.agents.guard.approvers:CommandApprover",
        "none": "omnipilot.agents.guard.approvers:NobodyApproves",
    },
    "approvers",
    offers=Approver,
)
"""Who is asked for moves that a policy wants approved."""


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

    Each takes two options besides its own: `vary`, which of its variations are played, and `reviews`, a file of what
    people found about its tasks.

    Raises:
        ConfigError: an unknown name, with the nearest known ones, an option that the suite does not take, a variation
            that it does not have, with those that it has, or a file of reviews that cannot be read.
        MissingExtra: the suite needs a package that is not installed.
    """
    if part.name not in SUITES.names() and part.name in POINTING.names():
        raise ConfigError(f"{part.name} is a pointing suite; run it with: omnipilot ground --suite {part.name}")
    loaded = _LOADED.get()
    key = json.dumps([part.name, dict(part.options)], sort_keys=True, default=str)
    if loaded is not None and key in loaded:
        return loaded[key]
    suite: Suite = SUITES.make(part.without_options(REVIEWS, VARY))
    names = variation_names(str(part.options.get(VARY, "")))
    check_variations(part.name, names, suite.variations)
    if names:
        suite = suite.vary(names)
    if file := part.options.get(REVIEWS):
        suite.reviews = {**suite.reviews, **read_reviews(Path(str(file)))}
    if loaded is not None:
        loaded[key] = suite
    return suite
