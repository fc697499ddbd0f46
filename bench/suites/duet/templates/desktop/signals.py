"""Sub-tasks of `duet` in Signals, on the desktop, in addition to those in desktop_first.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs import Click, OpenApp, Ref, Wait
from omnipilot.envs.sim.state.world_state import WorldState

LAMP_SECONDS = 6.0
"""Seconds in which the lamp blinks six times."""


def _count_blinks(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    blinks = draw.fact(lambda dice: dice.randint(2, 6))
    started = Judge("lamp started", lambda case: case.state.signals.lamp_since is not None)
    return Piece(
        JudgeGraph((started,)),
        replace(state, signals=replace(state.signals, blinks=blinks)),
        lambda _: on_desktop(OpenApp("Signals"), Click(Ref("signals/lamp/start")), Wait(LAMP_SECONDS)),
        output=Resource("text/number", str(blinks), "the number of blinks"),
    )


COUNT_BLINKS = Template(
    "count-blinks",
    "on the desktop, open Signals, start the lamp and count how often it blinks",
    "desktop",
    "signals",
    _count_blinks,
    output="text/number",
    level="AV-critical",
    dimension="temporal reasoning",
    hangs_on="motion",
)

TEMPLATES = (COUNT_BLINKS,)
