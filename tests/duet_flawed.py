"""Sub-tasks that are wrong in one way each, for the proofs to find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.compose import Draw, Piece, Template
from omnipilot.bench.graph import JudgeGraph
from omnipilot.bench.judges import Case, Judge
from omnipilot.bench.suites.duetkit import front, on_desktop, on_phone
from omnipilot.bench.suites.duetkit_recipe import Recipe
from omnipilot.envs.actions import Click, OpenApp, Wait
from omnipilot.envs.sim.state import WorldState
from omnipilot.envs.verb import Ref

PLAY = on_desktop(OpenApp("Signals"), Click(Ref("signals/tones/play")), Wait(3.0))


def _sounded(case: Case) -> bool:
    return case.state.signals.code_since is not None


def _given(_: Draw, __: Mapping[str, str], state: WorldState) -> Piece:
    return Piece(JudgeGraph((Judge("given", lambda _: True),)), state, lambda _: on_phone(OpenApp("Clock")))


def _waited(_: Draw, __: Mapping[str, str], state: WorldState) -> Piece:
    late = Judge("late", lambda case: case.state.time > 60)
    return Piece(JudgeGraph((late,)), state, lambda _: on_phone(Wait(61)))


def _lazy(_: Draw, __: Mapping[str, str], state: WorldState) -> Piece:
    moves = on_phone(OpenApp("Clock"), Click(Ref("clock/alarms/new")), Click(Ref("clock/edit/hour/up")))
    return Piece(JudgeGraph((Judge("opened", front("phone", "clock", "edit")),)), state, lambda _: moves)


def _blocked(_: Draw, __: Mapping[str, str], state: WorldState) -> Piece:
    opened = Judge("opened", front("phone", "clock", "edit"))
    right = on_phone(OpenApp("Clock"), Click(Ref("clock/alarms/new")))
    return Piece(JudgeGraph((opened,)), state, lambda _: right, alternative=lambda _: on_phone(OpenApp("Notes")))


def _idle_fact(draw: Draw, _: Mapping[str, str], state: WorldState) -> Piece:
    code = draw.fact(lambda dice: str(dice.randrange(1000, 9999)))
    new = replace(state, signals=replace(state.signals, code=code))
    return Piece(JudgeGraph((Judge("played", _sounded),)), new, lambda _: PLAY)


def _shown_fact(draw: Draw, _: Mapping[str, str], state: WorldState) -> Piece:
    note = draw.fact(lambda dice: dice.choice(state.account.notes))
    new = state.own(state.account.put(replace(note, name="Here")))
    opened = Judge("opened", front("phone", "notes", "edit", note.id))
    moves = on_phone(OpenApp("Notes"), Click(Ref(f"notes/notes/{note.id}")))
    return Piece(JudgeGraph((opened,)), new, lambda _: moves)


def _told_fact(draw: Draw, _: Mapping[str, str], state: WorldState) -> Piece:
    code = draw.fact(lambda dice: str(dice.randrange(1000, 9999)))
    new = replace(state, signals=replace(state.signals, code=code))
    return Piece(JudgeGraph((Judge("played", _sounded),)), new, lambda _: PLAY, {"code": code})


def _silent_fact(draw: Draw, _: Mapping[str, str], state: WorldState) -> Piece:
    note = draw.fact(lambda dice: dice.choice(state.account.notes))
    opened = Judge("opened", front("phone", "notes", "edit", note.id))
    moves = on_phone(OpenApp("Notes"), Click(Ref(f"notes/notes/{note.id}")))
    return Piece(JudgeGraph((opened,)), state, lambda _: moves)


def _hears(_: Draw, __: Mapping[str, str], state: WorldState) -> Piece:
    def dialled(case: Case) -> bool:
        return any(sound.name == f"dtmf:{case.state.signals.code}" for sound in case.state.desktop.sounds)

    return Piece(JudgeGraph((Judge("dialled", dialled),)), state, lambda _: PLAY)


TEMPLATES = (
    Template("given", "do nothing", "phone", "clock", _given),
    Template("waited", "wait", "phone", "clock", _waited),
    Template("lazy", "add an alarm", "phone", "clock", _lazy),
    Template("blocked", "begin an alarm", "phone", "clock", _blocked),
    Template("idle-fact", "listen", "desktop", "signals", _idle_fact, level="AV-critical"),
    Template("shown-fact", "open it", "phone", "notes", _shown_fact, level="AV-critical"),
    Template("told-fact", "listen to {code}", "desktop", "signals", _told_fact, level="AV-critical"),
    Template("silent-fact", "open the right note", "phone", "notes", _silent_fact, level="AV-critical"),
    Template("hears", "play", "desktop", "signals", _hears),
)
RECIPES = tuple(Recipe(template.id, "To be found wrong", (template.id,)) for template in TEMPLATES)
