"""The table of CRAB's sub-tasks for real devices: those of a world file."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from omnipilot.bench.finding import Finding
from omnipilot.bench.suites.crab.data import Use
from omnipilot.bench.suites.crab.live.handmade import HANDMADE
from omnipilot.bench.suites.crab.live.judges import KINDS, make_ask
from omnipilot.bench.suites.crab.live.released_rules import make_released
from omnipilot.bench.suites.crab.live.requirements import LiveNeed, findings, missing, needs_of, needs_of_check
from omnipilot.bench.suites.crab.live.subtasks import SUBTASKS, LiveSubTask
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.synthesis.template import Piece
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.bench.tasks.task import TaskVoid
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.composite import check_world, open_world

DEVICES = ("android", "ubuntu")
"""The names that devices have in CRAB, and that those of a world file must have to be used."""
Rules: TypeAlias = Literal["paper", "release"]
_HOLE = re.compile(r"\{(\w+)\}")


class Replacements:
    """What stands on one's own machines for words of CRAB's files and judges: paths, programs, packages.

    Args:
        instead: word → what is written instead; longer words go first.

    Raises:
        ConfigError: a word is empty, or something is no text.
    """

    def __init__(self, instead: Mapping[str, str]) -> None:
        wrong = [word for word, other in instead.items() if not word or not isinstance(other, str)]
        if wrong:
            raise ConfigError(f"suite.instead maps words to words; {wrong[0]!r} is mapped to {instead[wrong[0]]!r}")
        self._instead = dict(instead)
        words = sorted(map(re.escape, instead), key=len, reverse=True)
        self._pattern = re.compile("|".join(words)) if words else None

    def __call__(self, text: str) -> str:
        """A text with all words replaced."""
        return text if self._pattern is None else self._pattern.sub(lambda found: self._instead[found[0]], text)


def live_pool(world: Mapping[str, Any], instead: Mapping[str, str], rules: Rules = "paper") -> Pool:
    """The sub-tasks that the devices of a world can be given.

    The devices are reset before each task. Applications, accounts and files at the start are what the world file gives
    its devices; nothing else is set up. Where an application or program of a task is missing, the attempt is void.

    Args:
        world: as `omnipilot.envs.composite.read_world` gives it, with a device `android`, `ubuntu` or both.
        instead: see `Replacements`.
        rules: "release" to judge as the released code does where it says something else than it means.

    Raises:
        ConfigError: no device has such a name, the world is none, or what is to stand instead is no text.
    """
    check_world(world)
    there = [name for name in DEVICES if name in world["devices"]]
    if not there:
        raise ConfigError(
            f"CRAB's tasks are for devices named {' and '.join(DEVICES)}; this world has "
            f"{', '.join(world['devices'])}: name them [devices.android] and [devices.ubuntu]"
        )
    replaced = Replacements(instead)

    def setup(opened: World, needs: frozenset[LiveNeed]) -> None:
        opened.reset(0)
        if lacking := missing(opened, needs):
            told = ", ".join(f"{need.program} on {need.device}" for need in lacking)
            raise TaskVoid(f"there is no {told}; install it, or name what stands for it with suite.instead")

    def start(_: Thinking) -> World:
        return open_world(world)

    every = (*SUBTASKS.values(), *HANDMADE.values())
    made = {one.id: _subtask(one, replaced, instead, rules) for one in every if one.platform in there}
    return Pool(made, start, frozenset, setup)


def live_findings(world: Mapping[str, Any], instead: Mapping[str, str], checks: Iterable[Use] = ()) -> list[Finding]:
    """What the devices of a world have and lack of what CRAB's sub-tasks need; they are started for it.

    Args:
        world, instead: as for `live_pool`. checks: those of the handmade tasks.

    Raises:
        ConfigError, EnvLost: a device cannot be started.
    """
    opened = open_world(world)
    try:
        needs = [(one, needs_of(one, instead)) for one in SUBTASKS.values() if one.platform in world["devices"]]
        for use in checks:
            one, replaced = HANDMADE.get(use.subtask), Replacements(instead)
            if one is not None and one.platform in world["devices"]:
                values = {name: replaced(str(value)) for name, value in use.attributes.items()}
                needed = needs_of_check(one.judges[0][0], values, one.platform)
                needs.append((dataclasses.replace(one, words="a handmade task"), needed))
        return list(findings(opened, needs))
    finally:
        opened.close()


def _subtask(one: LiveSubTask, replaced: Replacements, instead: Mapping[str, str], rules: Rules) -> SubTask:
    needs = needs_of(one, instead)

    def make(given: Mapping[str, Any], state: frozenset[LiveNeed], _: Claims) -> Piece:
        values = {name: replaced(str(value)) for name, value in given.items()}
        checked = needs_of_check(one.judges[0][0], values, one.platform) if one.id in HANDMADE else frozenset()
        return Piece(_graph(one, values, replaced, rules), state | needs | checked, _none)

    types = {name: (type,) for name, type in one.attributes.items()}
    return SubTask(one.id, one.words, types, one.output, make, one.platform, one.app)


def _none(_: Any) -> list[Any]:
    """No demonstration: nobody knows what accounts and applications there are."""
    return []


def _graph(one: LiveSubTask, given: Mapping[str, str], replaced: Replacements, rules: Rules) -> JudgeGraph:
    nodes = []
    for at, (kind, parameters) in enumerate(one.judges):
        values = {
            name: _HOLE.sub(lambda hole: given[hole[1]], text) if _HOLE.search(text) else replaced(text)
            for name, text in parameters.items()
        }
        told = ", ".join(values.values()).replace("\n", ", ")
        name = f"{at + 1} {kind.removeprefix('check_').replace('_', ' ')}{f': {told}' if told else ''}"
        looks = kind in KINDS and KINDS[kind].reads_controls
        ask = (make_released if rules == "release" else make_ask)(kind, one.platform, values)
        nodes.append(Judge(name[:120], ask, env=one.platform, reads_controls=looks))
    if not one.diamond:
        return JudgeGraph.chain(nodes)
    first, left, right, last = (node.name for node in nodes)
    return JudgeGraph(tuple(nodes), ((first, left), (first, right), (left, last), (right, last)))
