"""Subtasks that yield a fact: what is planted, what the screen shows, and whether somebody was there to notice it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from omnipilot.bench.suites.duet.kit.phone import fits_in
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.readings import (
    COMPUTED,
    Proof,
    exchange,
    look_and_listen,
    number_cell,
    other_value,
    record_of,
    screen_texts,
    shown_value,
    tell,
    with_field,
)
from omnipilot.bench.suites.pool.subtasks.replay import PathRehearsal
from omnipilot.bench.suites.pool.subtasks.resource_types import HeardFact, ResourceTypes, draw_pattern
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs.sim.inventory import item_id
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import View, Window, WorldState

PERSON = "contact"
"""The type of a person, whose name may be told."""
MOST_COUNTED = 9
"""How many things of one picture somebody is asked to count."""
BEEPS = 60
"""Places for beeps in a message that has some."""


@dataclass(frozen=True, slots=True)
class PlantedFact:
    """A fact in the content: the state that holds it, its value ("" where only the screen says it), words for it."""

    state: WorldState
    value: str
    words: str


def proof_of(subtask: SubtaskRecord) -> Proof:
    """What the reading of a subtask is about."""
    kind, _, name = subtask.reveals[0].partition(".")
    hole = subtask.source.strip("{}") if subtask.source.startswith("{") else ""
    return Proof(kind, name, hole, subtask.channel, subtask.level, computed=subtask.computed)


def plant(
    subtask: SubtaskRecord,
    bindings: Mapping[str, str],
    state: WorldState,
    draw: TaskSampler,
    types: ResourceTypes,
    given: str = "",
) -> PlantedFact:
    """Put the fact of a reading into the content, where it is not there by itself.

    Args:
        given: the fact, where another subtask yields it.

    Raises:
        ValueError: the item is not there, or the field cannot hold what is given.
    """
    proof = proof_of(subtask)
    record = record_of(state, proof, bindings)
    if record is None:
        raise ValueError(f"there is nothing of {proof.kind} that could tell it")
    value = getattr(record, proof.field)
    if subtask.computed:
        return PlantedFact(state, "", types.fact(proof.kind, proof.field, COMPUTED).words)
    if given:
        return PlantedFact(with_field(state, proof, bindings, _held(value, given)), given, "")
    if subtask.is_looked_for and isinstance(value, int):
        others = {getattr(item, proof.field) for item in getattr(state.account, proof.kind)}
        free = [number for number in range(1, MOST_COUNTED + 1) if number not in others - {value}]
        if not free:
            raise ValueError("several items tell the same")
        count = draw.choice(free)
        return PlantedFact(with_field(state, proof, bindings, count), str(count), "")
    if proof.field == "sound" and subtask.plants:
        heard = next(one for one in types.heard if (one.type, one.channel) == (subtask.plants, subtask.channel))
        fact, sound = _drawn_sound(heard, draw)
        state = with_field(state, proof, bindings, sound)
        state = with_field(state, replace(proof, field="seconds"), bindings, heard.seconds)
        return PlantedFact(state, fact, heard.words)
    if subtask.plants:
        fact = draw.fact(lambda dice: _drawn_fact(subtask, state, types, dice))
        sentence = draw.choice(types.planted[subtask.plants]).replace("{value}", fact)
        spoken_of = draw.claimed(proof.kind) | draw.claimed(subtask.holes.get(proof.hole, "").rpartition(" ")[2])
        if isinstance(value, tuple):
            used = bool(value) and item_id(record) in spoken_of
            said = f"{value[-1].text} {sentence}" if used else sentence
            last = replace(value[-1], text=said, mine=False) if value else None
            put: Any = (*value[:-1], last) if last else value
        else:
            used = item_id(record) in spoken_of
            put = f"{value}\n{sentence}" if used and value else sentence
        words = sentence.partition(" is ")[0] if " is " in sentence else types.words_for(subtask.plants)
        words = words[:1].lower() + words[1:] if words.startswith("The ") else types.words_for(subtask.plants)
        return PlantedFact(with_field(state, proof, bindings, put), fact, words)
    words = types.fact(proof.kind, proof.field, str(getattr(record, "kind", ""))).words
    if subtask.channel == "motion" or (subtask.channel == "sound" and proof.kind == "signals"):
        fact = draw.fact(lambda dice: _redrawn(state, proof, record, value, dice))
        kept = int(fact) if isinstance(value, int) else fact
        return PlantedFact(with_field(state, proof, bindings, kept), fact, words)
    if isinstance(value, tuple):
        value = value[-1].text if value and hasattr(value[-1], "text") else ""
    if isinstance(value, FrozenTable):
        value = value.get(number_cell(value), "")
    if value == "" and isinstance(getattr(record, proof.field), str):
        value = draw.fact(lambda dice: types.draw_value(types.of_field(proof.kind, proof.field), dice))
        state = with_field(state, proof, bindings, value)
    return PlantedFact(state, str(value), words)


def of_thing(words: str, thing: str, joint: str = "of") -> str:
    """Words for a fact of a thing: "the place of the event"; "when the event begins" for "when it begins".

    Args:
        joint: "in" where the thing holds a text with the fact in it.
    """
    if not thing:
        return words
    said, found = re.subn(r"\bit\b", thing, words, count=1)
    return said if found else f"{words} {joint} {thing}"


def _drawn_fact(subtask: SubtaskRecord, state: WorldState, types: ResourceTypes, dice: Random) -> str:
    """A value to plant; of a person, the name."""
    if subtask.plants == PERSON:
        return str(dice.choice(state.account.contacts).name)
    return types.draw_value(subtask.plants, dice)


def _held(value: Any, given: str) -> Any:
    """A fact in the form that a field has: a number, a text, the last message of a conversation."""
    if isinstance(value, int):
        return int(given)
    if isinstance(value, tuple):
        return (*value[:-1], replace(value[-1], text=given, mine=False)) if value else value
    return given


def holder_of(subtask: SubtaskRecord, state: WorldState, fact: str) -> str:
    """The id of an item that tells a fact already; "" if there is none."""
    proof = proof_of(subtask)
    items = getattr(state.account, proof.kind, ())
    return next((str(item_id(item)) for item in items if getattr(item, proof.field) == fact), "")


def is_alone(subtask: SubtaskRecord, bindings: Mapping[str, str], state: WorldState) -> bool:
    """Whether no other item holds the same in the field that a reading is about."""
    proof = proof_of(subtask)
    value = getattr(record_of(state, proof, bindings), proof.field)
    same = [item for item in getattr(state.account, proof.kind) if getattr(item, proof.field) == value]
    return len(same) == 1


def _redrawn(state: WorldState, proof: Proof, record: Any, value: Any, dice: Random) -> str:
    """Another value of the form that a field has, as often as one asks."""
    if isinstance(value, int):
        return str(dice.randint(2, 6))
    if isinstance(value, str) and value.isdigit():
        return "".join(dice.choice("0123456789") for _ in range(4))
    if proof.kind == "signals":
        return dice.choice("ABCD")
    other = other_value(state, proof.kind, record, proof.field, dice)
    return str(other if other is not None and dice.random() < 0.9 else value)


def _drawn_sound(heard: HeardFact, draw: TaskSampler) -> tuple[str, str]:
    if not heard.values:
        places = draw.sample(range(1, BEEPS - 2, 3), 12)
        count = draw.fact(lambda dice: dice.randrange(4, 13))
        score = ",".join("C6" if at in places[:count] else "-" for at in range(BEEPS))
        return str(count), heard.sound.replace("{value}", score)

    def value(dice: Random) -> str:
        return draw_pattern(dice.choice(heard.values), dice)

    if heard.channel == "speech":
        _, voice, before = heard.sound.replace(" {value}", "").split(":")
        fact = draw.fact(fits_in(voice, before, heard.seconds, value))
    else:
        fact = draw.fact(value)
    told = f"{fact[:2]}:{fact[2:]}" if heard.type == "text/time" else fact
    return told, heard.sound.replace("{value}", fact)


def shown_fact(subtask: SubtaskRecord, rehearsal: PathRehearsal, value: str) -> str:
    """How a value stands on the screen at the end of the path: as it is, or else what differs when it is exchanged.

    Args:
        rehearsal: of the path, which was played to its end.

    Raises:
        PathStuck: the path cannot be played. ValueError: the screen does not show it.
    """
    said = any(value in text for _, text in screen_texts(rehearsal, subtask.env))
    # A short value may stand there by chance, unless it was put there in a sentence.
    if said and (len(value) > 3 or subtask.plants):
        return value
    bindings, state = rehearsal.bindings, rehearsal.start
    first = look_and_listen(rehearsal, subtask.env, 0.0)
    proof = proof_of(subtask)
    record = record_of(state, proof, bindings)
    old = getattr(record, proof.field)
    other = exchange(state, proof, subtask.path, bindings, Random(3))
    if other is None:
        raise ValueError(f"{proof.kind}.{proof.field} has no other value")
    second = tell(subtask.path, bindings, with_field(state, proof, bindings, other), subtask.env, 0.0)
    if first.texts == second.texts and first.pictures != second.pictures:
        return value
    shown = shown_value(first.texts - second.texts, second.texts - first.texts, old, other)
    if not shown:
        raise ValueError(f"the screen does not show {proof.kind}.{proof.field}")
    return shown


def judge_being_there(
    subtask: SubtaskRecord, end: WorldState, shown: str, sounds: Sequence[str], seen: Sequence[str], file: str = ""
) -> JudgeGraph:
    """A judge of a reading: that somebody was where the fact is told, or played what tells it to its end.

    Args:
        end: the state at the end of the path. shown: the text that the screen shows, "" where it shows none.
        sounds: names of the sounds that tell it. seen: entries of what is noted when something was played.
        file: name of that from which a command works out what is shown, "" for none.
    """
    window = (end.phone if subtask.env == "phone" else end.desktop).front
    view = window.view if window is not None else View("")
    app = window.app if window is not None else ""
    if sounds:
        return JudgeGraph((Judge("heard", _Heard(subtask.env, tuple(sounds))),))
    if subtask.channel == "motion":
        return JudgeGraph((Judge("played", _Played(end, tuple(seen))),))
    if file:
        return JudgeGraph((Judge("number printed", _Printed(subtask.env, app, shown, file)),))
    return JudgeGraph((Judge(f"{view.name} seen", _There(subtask.env, app, view, shown)),))


def _front(case: Case, env: str, app: str) -> Window | None:
    """The window in front, if it is of an app."""
    window = (case.state.phone if env == "phone" else case.state.desktop).front
    return window if window is not None and window.app == app else None


@dataclass(frozen=True, slots=True)
class _There:
    env: str
    app: str
    view: View
    shown: str

    def __call__(self, case: Case) -> Verdict:
        window = _front(case, self.env, self.app)
        if window is None:
            return Verdict(0.0, f"{self.app} is not in front")
        if window.view.name != self.view.name or ("-" in self.view.arg and window.view.arg != self.view.arg):
            return Verdict(0.5, f"shows {window.view}, wanted: {self.view}")
        texts = [text for one in case.world.envs[self.env].ui_tree() for text in (one.name, one.value or "")]
        return Verdict(float(not self.shown or any(self.shown in text for text in texts)) or 0.5, "it is out of sight")


@dataclass(frozen=True, slots=True)
class _Printed:
    """That a number stands at the beginning of a line, and a line above it names what it was worked out from."""

    env: str
    app: str
    number: str
    about: str

    def __call__(self, case: Case) -> Verdict:
        if _front(case, self.env, self.app) is None:
            return Verdict(0.0, f"{self.app} is not in front")
        lines = [one.name for one in case.world.envs[self.env].ui_tree() if one.role == "text"]
        above = next((number for number, line in enumerate(lines) if self.about in line), len(lines))
        printed = any(line.split()[:1] == [self.number] for line in lines[above + 1 :])
        return Verdict(float(printed) or 0.5, f"{self.number} was not printed for {self.about}")


@dataclass(frozen=True, slots=True)
class _Heard:
    env: str
    names: tuple[str, ...]

    def __call__(self, case: Case) -> Verdict:
        device = case.state.phone if self.env == "phone" else case.state.desktop
        ended = {
            sound.name: sound.seconds
            for sound in device.sounds
            if sound.start >= case.start.time and sound.start + sound.seconds <= case.state.time + 0.01
        }
        missing = [name for name in self.names if name not in ended]
        return Verdict(1.0 - len(missing) / len(self.names), f"not heard to the end: {len(missing)}")


@dataclass(frozen=True, slots=True)
class _Played:
    """That something was started that notes when: a film's playback, a signal."""

    end: WorldState
    seen: tuple[str, ...]

    def __call__(self, case: Case) -> Verdict:
        account = case.state.account
        for playback in self.end.account.playbacks:
            if playback.since is not None:
                now = account.find("playbacks", playback.id)
                done = now is not None and (now.played > 0 or now.at > 0)
                return Verdict(float(done), f"{playback.id} was not played")
        started = [
            name
            for name in ("lamp_since", "ball_since", "code_since")
            if getattr(self.end.signals, name) is not None and f"~signals.{name}" in self.seen
        ]
        missing = [name for name in started if getattr(case.state.signals, name) is None]
        return Verdict(float(bool(started) and not missing), f"not started: {missing}")


def whole_seconds(seconds: float) -> float:
    """A wait that is long enough, in tenths of a second."""
    return math.ceil(seconds * 10) / 10
