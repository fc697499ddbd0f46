"""A subtask of a pool as a template: picks its items, plays its path in a world of its own, and judges by what differs.

What a judge wants is not written down anywhere: it is what the path does to this very content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.explore.general_ids import _FORMS
from omnipilot.bench.suites.pool.explore.typed_values import WORD
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.candidates import SEEN
from omnipilot.bench.suites.pool.subtasks.items import (
    describe_item,
    distinct_items,
    find_item,
    items_of_kind,
    key_value,
    kind_for,
    stand_in,
)
from omnipilot.bench.suites.pool.subtasks.judging import MadeBefore, PassedItems, judge_changes
from omnipilot.bench.suites.pool.subtasks.readings import number_cell, playing_seconds, record_of
from omnipilot.bench.suites.pool.subtasks.replay import PathRehearsal, PathStuck, put_back
from omnipilot.bench.suites.pool.subtasks.resource_types import ItemKind, ResourceTypes, predefined_types
from omnipilot.bench.suites.pool.subtasks.telling import (
    PERSON,
    holder_of,
    is_alone,
    judge_being_there,
    of_thing,
    plant,
    proof_of,
    shown_fact,
    whole_seconds,
)
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Piece, Resource, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.envs import ActionRejected, ConfigError, Wait
from omnipilot.envs.sim.apps.registry import find_app
from omnipilot.envs.sim.inventory import item_id
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.files import file_of
from omnipilot.envs.sim.state.phone_data import day_of, spoken_date
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

TRIES = 8
"""Sets of items that are tried before a subtask is said not to fit a world."""
FACT = "fact"
"""The hole for what one looks for something by."""
CELL = "cell"
"""The hole for the cell of a sheet that is read."""
AFTER = "after"
"""The hole for what something is set to, where no text or option says it."""
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MINOR = ("+dirs", "+visits", "-dirs", "~products", "~playbacks", "~console")
"""What comes along with something else, and is the main thing only where there is nothing else."""
SINGLES = ("phone_settings", "desktop_settings", "player", "timer", "console", "signals", "phone", "desktop")
"""What there is one of."""
RUNNING = (*SINGLES, "alarms")
"""What may change by itself."""
IDLE_SECONDS = 600.0
"""For how long nothing is done to see whether it does."""
TRIES_ALIKE = 3
"""Tries in a row that end at one and the same thing, such as an item that is given, after which no more are made."""
TODAY = "today"
"""In a condition, the date of the world's start."""
PLACE_TRIES = 40
"""The same, where a place such as a day is chosen that may not have what comes next."""


@dataclass(frozen=True, slots=True)
class PlayedPath:
    """A path that was played with everything filled in.

    Attributes:
        start: the state before it, with the content that it needs. end: the state after it.
        bindings: what stands in each hole. changes: what differs, without what is ignored.
        moves: what was done. labels: what the screen calls what stands in a hole. fact, words: of a
            reading, what it tells. made_before: items that another subtask makes, by their id in `start`.
    """

    start: WorldState
    end: WorldState
    bindings: Mapping[str, str]
    changes: tuple[StateChange, ...]
    moves: tuple[Move, ...]
    made_before: Mapping[str, MadeBefore] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    fact: str = ""
    words: str = ""


class PathPlayer:
    """Plays the path of one subtask on states, with items and texts drawn for its holes."""

    def __init__(self, subtask: SubtaskRecord, types: ResourceTypes | None = None) -> None:
        self.subtask = subtask
        self.types = types or predefined_types()
        self.app = app_of(subtask)

    def entry(self, hole: str) -> ItemKind | None:
        """The collection that a hole's item is of; None for other holes."""
        what, _, kind = self.subtask.holes.get(hole, "").partition(" ")
        return kind_for(self.types, self.app, kind) if what == "item" else None

    def parameters(self, played: PlayedPath) -> tuple[tuple[str, str], ...]:
        """What a path was played with: typed texts and options, and what its items are called."""
        found = []
        for hole, value in sorted(played.bindings.items()):
            entry = self.entry(hole)
            item = find_item(played.start.account, entry, value) if entry else None
            found.append((hole, describe_item(played.start.account, item, entry) if item and entry else value))
        return tuple(found)

    def play(self, draw: TaskSampler, given: Mapping[str, str], state: WorldState, tries: int = TRIES) -> PlayedPath:
        """Play it with items that make it do what it is for.

        Args:
            given: values for some holes.

        Raises:
            ConfigError: no items were found with which it does.
        """
        reason, alike = "", 0
        if any(spec.startswith("place") for spec in self.subtask.holes.values()):
            tries = PLACE_TRIES
        if self.subtask.holes.keys() <= given.keys() and not self.subtask.reveals:
            tries = 1  # Nothing is drawn, so that it always goes the same way.
        for _ in range(tries):
            try:
                played = self.play_once(draw, given, state)
            except PathStuck as stuck:
                alike = alike + 1 if str(stuck) == reason else 1
                reason = str(stuck)
                if alike == TRIES_ALIKE:
                    break
                continue
            if self.does_it(played):
                return played
            if any(isinstance(value, bool) for value in self.subtask.constants.values()):
                items = {hole: id for hole, id in played.bindings.items() if self.entry(hole) is not None}
                with suppress(PathStuck):
                    played = self.play_once(draw, {**items, **given}, state)
                    if self.does_it(played):
                        return played
            reason = f"it changed {sorted({change.signature for change in played.changes})}"
        raise ConfigError(f"subtask {self.subtask.id} does not fit this world: {reason}")

    def does_it(self, played: PlayedPath) -> bool:
        """Whether a path had just the effect that the subtask is for; to look and listen may leave its marks."""
        if self.subtask.reveals:
            return all(change.signature.startswith(SEEN) for change in played.changes)
        if {change.signature for change in played.changes} != set(self.subtask.effect):
            return False
        constants = self.subtask.constants
        return all(
            repr(change.after) == repr(constants[change.signature])
            for change in played.changes
            if change.signature in constants
        )

    def play_once(self, draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> PlayedPath:
        """Play it once, whatever comes of it; if items are not where they are looked for, with some put there.

        Raises:
            PathStuck: a control is nowhere, or nothing fits a hole.
        """
        start, bindings, made_before = self._with_content(draw, given, state)
        try:
            return self._played(draw, given, start, bindings, made_before)
        except PathStuck:
            known = {id for id, one in made_before.items() if draw.left(one.entry.name.rpartition("/")[2], one.value)}
            conditions = [one for one in self.subtask.preconditions if bindings.get(_hole_of(one)) not in known]
            if not conditions:
                raise
        start, bindings = self._with_conditions(draw, start, bindings, conditions)
        return self._played(draw, given, start, bindings, made_before)

    def _with_conditions(
        self, draw: TaskSampler, state: WorldState, bindings: Mapping[str, str], conditions: Sequence[str]
    ) -> tuple[WorldState, dict[str, str]]:
        """The state in which items are as they have to be to be found on the path, and which they are."""
        bound = dict(bindings)
        for condition in conditions:
            place, _, value = condition.partition("=")
            hole, name = _hole_of(condition), place.partition(".")[2]
            entry = self.entry(hole)
            if entry is None:
                continue
            if hole not in bound:
                items = items_of_kind(state.account, entry.name.rpartition("/")[2])
                chosen = self._item(draw, PathRehearsal.begin(state, bound), hole, [item_id(item) for item in items])
                if chosen is None:
                    raise PathStuck(f"there is no {entry.noun} to put there")
                bound[hole] = chosen
            item = find_item(state.account, entry, bound[hole])
            if item is not None:
                state = state.own(
                    state.account.put(
                        replace(item, **{name: day_of(state.start) if value == TODAY else json.loads(value)})
                    )
                )
        return state, bound

    def _played(
        self,
        draw: TaskSampler,
        given: Mapping[str, str],
        start: WorldState,
        bindings: Mapping[str, str],
        made_before: Mapping[str, MadeBefore],
    ) -> PlayedPath:
        path, done = self.subtask.path, 0
        rehearsal = PathRehearsal.begin(start, bindings)
        decided = {hole: given[hole] for hole in given if self.subtask.holes.get(hole, "").startswith("of ")}
        if decided or self.subtask.reveals:
            done = rehearsal.bind(path, self._chooser(draw, rehearsal))
        if decided:
            start = self._with_decided(start, rehearsal.bindings, decided)
            rehearsal, done = rehearsal.begin_again(start, {**rehearsal.bindings, **decided}), 0
        fact, words = "", ""
        if self.subtask.reveals:
            try:
                planted = plant(self.subtask, rehearsal.bindings, start, draw, self.types, given.get(FACT, ""))
            except ValueError as error:
                raise PathStuck(str(error)) from None
            if planted.state is not start and set(made_before) & set(rehearsal.bindings.values()):
                raise PathStuck("nothing can be put into what another subtask is to make")
            start, fact, words = planted.state, planted.value, planted.words
            if start is not rehearsal.start:
                rehearsal, done = rehearsal.begin_again(start, rehearsal.bindings), 0
        rehearsal.play(path[done:], self._chooser(draw, rehearsal))
        if self.subtask.reveals and self.subtask.channel == "screen":
            try:
                fact = shown_fact(self.subtask, rehearsal, fact)
            except ValueError as error:
                raise PathStuck(str(error)) from None
        if self.subtask.is_looked_for:
            if not is_alone(self.subtask, rehearsal.bindings, start):
                raise PathStuck("several items tell the same")
            rehearsal.bindings[FACT] = fact
        ignored = set(self.subtask.ignored)
        differences = changes(rehearsal.start, rehearsal.world.state())
        return PlayedPath(
            start,
            rehearsal.world.state(),
            rehearsal.bindings,
            tuple(change for change in differences if change.signature not in ignored),
            tuple(rehearsal.moves),
            made_before,
            rehearsal.labels,
            fact,
            words,
        )

    def _with_content(
        self, draw: TaskSampler, given: Mapping[str, str], state: WorldState
    ) -> tuple[WorldState, dict[str, str], dict[str, MadeBefore]]:
        """The state with what the path needs, what stands in given holes, and items that are only made later."""
        bindings: dict[str, str] = {}
        made_before: dict[str, MadeBefore] = {}
        for hole, value in given.items():
            entry = self.entry(hole)
            if entry is None:
                if not self.subtask.holes.get(hole, "").startswith("of "):
                    bindings[hole] = value
                if hole == FACT and (holder := holder_of(self.subtask, state, value)):
                    bindings[self.subtask.source.strip("{}")] = holder
                continue
            item = find_item(state.account, entry, value)
            if item is None:
                item = stand_in(state.account, entry, value, draw.left(entry.name.rpartition("/")[2], value))
                if item is None:
                    raise PathStuck(f"there is no {entry.noun} {value}")
                state = state.own(state.account.put(item))
                made_before[item_id(item)] = MadeBefore(entry, value)
            elif not self._is_meant(entry, item):
                raise PathStuck(f"the {entry.noun} {value} is of another kind")
            elif reversed_ := self._reversed(entry, item):
                state = state.own(state.account.put(replace(item, **reversed_)))
            bindings[hole] = item_id(item)
        return state, bindings, made_before

    def _is_meant(self, entry: ItemKind, item: Any) -> bool:
        """Whether an item has the values that all items of the subtask have, such as the kind of a film."""
        kind = entry.name.rpartition("/")[2]
        return all(
            getattr(item, name.partition(".")[2]) == value
            for name, value in self.subtask.constants.items()
            if name.startswith(f"{kind}.")
        )

    def _reversed(self, entry: ItemKind, item: Any) -> dict[str, Any]:
        """What of an item must be otherwise at the start, so that there is something to switch."""
        kind = entry.name.rpartition("/")[2]
        return {
            name: not value
            for name, value in (
                (signature.rpartition(".")[2], value)
                for signature, value in self.subtask.constants.items()
                if signature.startswith(f"~{kind}.") and isinstance(value, bool)
            )
            if getattr(item, name) == value
        }

    def _with_decided(self, state: WorldState, bindings: Mapping[str, str], decided: Mapping[str, str]) -> WorldState:
        """The state in which items hold the texts that the path is to type, such as a network its password."""
        for hole, value in decided.items():
            of, _, name = self.subtask.holes[hole].removeprefix("of ").partition(".")
            entry = self.entry(of)
            item = find_item(state.account, entry, bindings[of]) if entry else None
            if item is not None:
                state = state.own(state.account.put(replace(item, **{name: value})))
        return state

    def _chooser(self, draw: TaskSampler, rehearsal: PathRehearsal) -> Callable[[str, Sequence[str]], str | None]:
        def choose(hole: str, offers: Sequence[str]) -> str | None:
            what, _, detail = self.subtask.holes.get(hole, "option").partition(" ")
            if what == "text":
                return self.types.draw_value(detail, draw)
            if what in ("of", "in"):
                of, _, name = detail.partition(".")
                entry = self.entry(of)
                if entry is None:
                    return None
                if of not in rehearsal.bindings:
                    items = items_of_kind(rehearsal.start.account, entry.name.rpartition("/")[2])
                    chosen = self._item(draw, rehearsal, of, [item_id(item) for item in items])
                    if chosen is None:
                        return None
                    rehearsal.bindings[of] = chosen
                item = find_item(rehearsal.start.account, entry, rehearsal.bindings[of])
                text = "" if item is None else str(getattr(item, name))
                words = sorted(set(WORD.findall(text))) if what == "in" else [text]
                return draw.choice(words) or None if words else None
            if what == "item":
                return self._item(draw, rehearsal, hole, offers)
            if what == "place":
                form = next((form for form, kind in _FORMS if kind == detail), None)
                offers = [offer for offer in offers if form is None or form.fullmatch(offer)]
            return draw.choice(list(offers)) if offers else None

        return choose

    def _item(self, draw: TaskSampler, rehearsal: PathRehearsal, hole: str, offers: Sequence[str]) -> str | None:
        entry = self.entry(hole)
        assert entry is not None
        account = rehearsal.world.state().account
        kind = entry.name.rpartition("/")[2]
        bound = set(rehearsal.bindings.values())
        taken = bound | draw.claimed(kind)
        there = {item_id(item): item for item in distinct_items(account, entry)}
        offers = offers or list(there)
        near = {str(value) for id in rehearsal.bindings.values() for value in self._fields_of(account, id)}
        meant = [id for id in offers if id in there and self._is_meant(entry, there[id])]
        free = [id for id in meant if id not in taken]
        # The folder that a given file is in is the only one that will do, whoever else uses it.
        close = [id for id in free if id in near] or [id for id in meant if id in near - bound]
        return draw.choice(close or free) if free else None

    def _fields_of(self, account: Account, id: str) -> list[Any]:
        """What the items of this id that are bound already hold, such as the folder that a file is in."""
        found: list[Any] = []
        for hole in self.subtask.holes:
            entry = self.entry(hole)
            item = find_item(account, entry, id) if entry else None
            if item is not None:
                found += [getattr(item, field.name) for field in fields(item) if field.name != "id"]
        return found


def _hole_of(condition: str) -> str:
    """The hole whose item a condition is about, such as "event" of "event.day=today"."""
    return condition.partition(".")[0]


def main_entry(effect: Sequence[str]) -> str:
    """The entry of an effect that names it: what is new, then what is gone, then what differs; "" for none."""
    ranked = sorted(
        effect,
        key=lambda entry: (entry.startswith(MINOR), "+-~".index(entry[0]), entry.split(".")[0][1:] in SINGLES, entry),
    )
    return ranked[0] if ranked else ""


def app_of(subtask: SubtaskRecord) -> str:
    """The name of the app that a subtask begins in."""
    app = find_app(cast(Any, subtask.env.split("+")[0]), subtask.application)
    return app.name if app else subtask.application.lower()


def make_template(subtask: SubtaskRecord, types: ResourceTypes | None = None) -> Template:
    """The template of a subtask that was found or proposed."""
    player = PathPlayer(subtask, types)
    inputs = dict(subtask.inputs)
    drawn: dict[int, tuple[WorldState, PlayedPath]] = {}

    def draw_others(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Mapping[str, str | Resource]:
        played = player.play(draw, given, state)
        found: dict[str, str | Resource] = {}
        for name in inputs:
            if name in given:
                continue
            value = played.bindings[name]
            entry = player.entry(name)
            if entry is None:
                found[name] = value
                continue
            item = find_item(played.start.account, entry, value)
            words = f"the {entry.noun} {describe_item(state.account, item, entry)}" if item is not None else value
            found[name] = Resource(inputs[name], value, words)
        drawn[0] = (state, played)
        return found

    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        before, played = drawn.pop(0, (None, None))
        if played is None or before is not state or not _as_given(player, played, given):
            played = player.play(draw, given, state)
        for hole, id in played.bindings.items():
            entry = player.entry(hole)
            if entry is not None:
                draw.claim(entry.name.rpartition("/")[2], id)
        start = _without_stand_ins(played)
        output = output_of(player, played)
        _leave_item(player, played, output, draw)
        return Piece(
            _judges(player, played, draw),
            start,
            lambda now: solve(player, played, now),
            words_of(player, played),
            output,
        )

    return Template(
        id=subtask.id,
        instruction=subtask.instruction_template,
        env=subtask.env,
        app=player.app,
        make=make,
        inputs=inputs,
        output=subtask.output_resources[0] if subtask.output_resources else "",
        alone=lambda draw, state: draw_others(draw, {}, state),
        beside=draw_others,
        level=cast(Any, subtask.level),
        dimension=cast(Any, subtask.dimension),
        hangs_on=cast(Any, subtask.channel),
        lasts=False,  # Which of its judges have to hold in the end depends on the others; see `with_lasting`.
    )


def _judges(player: PathPlayer, played: PlayedPath, draw: TaskSampler) -> JudgeGraph:
    subtask = player.subtask
    if not subtask.reveals:
        return judge_changes(played.changes, subtask.ignored, draw, played.made_before, _passed(player, played))
    sounds = [
        sound.name
        for sound in (played.end.phone if subtask.env == "phone" else played.end.desktop).sounds
        if sound.start >= played.start.time
    ]
    heard = sounds if subtask.channel in ("sound", "speech") else ()
    shown = played.fact if subtask.channel == "screen" else ""
    seen = sorted({change.signature for change in changes(played.start, played.end)})
    if subtask.reveals[0].startswith("photos.") and subtask.level == "AV-present":
        shown = shown if _is_written(played, shown) else ""
    return judge_being_there(subtask, played.end, shown, heard, seen, _file_read(played) if subtask.computed else "")


def _passed(player: PathPlayer, played: PlayedPath) -> PassedItems:
    """Which items it takes and yields, and which of its changes time undoes."""
    inputs = [name for name in player.subtask.inputs if player.entry(name) is not None]
    source = player.subtask.source
    given = played.bindings.get(source.strip("{}"), "") if source.startswith("{") else ""
    if source.startswith("+"):
        given = next(change.id for change in played.changes if change.signature == source)
    return PassedItems({played.bindings[name]: name for name in inputs}, given, _passing(played))


def _passing(played: PlayedPath) -> frozenset[tuple[str, str]]:
    """The changes that are gone when nothing is done for a while, as (kind, field)."""
    running = [change for change in played.changes if change.sign == "~" and change.kind in RUNNING]
    if not running:
        return frozenset()
    world = PathRehearsal.begin(played.end).world
    world.wait(IDLE_SECONDS)
    later = {(one.kind, one.id, one.field): one.after for one in changes(played.start, world.state())}
    return frozenset((one.kind, one.field) for one in running if later.get((one.kind, one.id, one.field)) != one.after)


def _file_read(played: PlayedPath) -> str:
    """The name of the file that a command worked something out from."""
    file = next(one for value in played.bindings.values() if (one := file_of(played.start.account, value)) is not None)
    return file.name


def _is_written(played: PlayedPath, text: str) -> bool:
    """Whether a fact stands on the screen in words, and not in a picture alone."""
    world = PathRehearsal.begin(played.end).world
    return any(text in (one.name, one.value) for env in world.envs.values() for one in env.ui_tree())


def _as_given(player: PathPlayer, played: PlayedPath, given: Mapping[str, str]) -> bool:
    for hole, value in given.items():
        entry, bound = player.entry(hole), played.bindings.get(hole, "")
        if entry is None:
            if bound != value:
                return False
        else:
            item = find_item(played.start.account, entry, value)
            if item is None or item_id(item) != bound:
                return False
    return True


def _without_stand_ins(played: PlayedPath) -> WorldState:
    state = played.start
    for id, before in played.made_before.items():
        item = state.account.find(before.entry.name.rpartition("/")[2], id)
        state = state.own(state.account.drop(item))
    return state


def solve(player: PathPlayer, played: PlayedPath, now: WorldState) -> Sequence[Move]:
    """The moves of a demonstration from a state: the path, or the first of the alternatives that has its effect; where
    none can be played, what is chosen on the app's first screen is put back before.

    Raises:
        ActionRejected: none of them can be played.
    """
    bindings = dict(played.bindings)
    for hole, id in bindings.items():
        before = played.made_before.get(id)
        entry = player.entry(hole)
        item = find_item(now.account, entry, before.value) if before and entry else None
        if item is not None:
            bindings[hole] = item_id(item)
    wanted = {change.signature for change in played.changes}
    first: Sequence[Move] | None = None
    reason = ""
    paths = (player.subtask.path, *player.subtask.alternatives)
    for path, anew in [*((path, False) for path in paths), *((path, True) for path in paths)]:
        if anew and (first is not None or path[0].verb != "open_app"):
            break
        rehearsal = PathRehearsal.begin(now, bindings)
        try:
            if anew and not put_back(rehearsal, path[0], played.start):
                continue
            rehearsal.play(path, lambda _hole, _offers: None)
        except PathStuck as stuck:
            reason = reason or str(stuck)
            continue
        if player.subtask.reveals:
            seconds = playing_seconds(now, rehearsal.world.state())
            waiting = [Move(player.subtask.env, Wait(whole_seconds(seconds)))] if seconds else []
            return [*rehearsal.moves, *waiting]
        if wanted <= {change.signature for change in changes(now, rehearsal.world.state())}:
            return rehearsal.moves
        first = first or rehearsal.moves
    if first is None:
        raise ActionRejected(f"subtask {player.subtask.id} cannot be played from here: {reason}")
    return first


def words_of(player: PathPlayer, played: PlayedPath) -> dict[str, str]:
    """What stands in the placeholders of the instruction that are no inputs."""
    found = {}
    for hole in re.findall(r"\{(\w+)\}", player.subtask.instruction_template):
        if hole in player.subtask.inputs:
            continue
        if hole.partition("_")[0] == AFTER:
            found[hole] = _value_after(player, played, hole.removeprefix(AFTER).removeprefix("_"))
            continue
        if hole == CELL and hole not in player.subtask.holes:
            found[hole] = _cell_read(player, played) if player.subtask.reveals else _cells_written(played)
            continue
        value = played.bindings.get(hole, "")
        entry = player.entry(hole)
        item = find_item(played.start.account, entry, value) if entry else None
        if entry is not None and item is not None:
            found[hole] = f"the {entry.noun} {describe_item(played.start.account, item, entry)}"
        else:
            found[hole] = f'"{played.labels.get(hole) or value}"'
    return found


def _cell_read(player: PathPlayer, played: PlayedPath) -> str:
    """The name of the cell that a reading is about."""
    proof = proof_of(player.subtask)
    return number_cell(getattr(record_of(played.start, proof, played.bindings), proof.field))


def _cells_written(played: PlayedPath) -> str:
    """The names of the cells that differ."""
    change = next(one for one in played.changes if isinstance(one.after, FrozenTable))
    before = change.before if isinstance(change.before, FrozenTable) else {}
    return ", ".join(cell for cell, value in change.after.items() if before.get(cell) != value)


def _in_what(entry: ItemKind | None, subtask: SubtaskRecord) -> str:
    return f" in the {entry.noun} that you {past_of(subtask)}" if entry else ""


def _value_after(player: PathPlayer, played: PlayedPath, name: str = "") -> str:
    """What the main thing, or that field of it, is set to, in words."""
    entry = main_entry(player.subtask.effect)
    entry = f"{entry.rpartition('.')[0]}.{name}" if name else entry
    change = next((change for change in played.changes if change.signature == entry), None)
    if change is None:
        return ""
    if isinstance(change.after, str) and ISO_DAY.fullmatch(change.after):
        return spoken_date(change.after)
    return f'"{change.after}"' if isinstance(change.after, str) else str(change.after)


def output_of(player: PathPlayer, played: PlayedPath) -> Resource | None:
    """What the subtask yields; see `SubtaskRecord.source`."""
    subtask = player.subtask
    if not subtask.output_resources:
        return None
    type, source = subtask.output_resources[0], subtask.source
    if subtask.reveals:
        entry = player.entry(source.strip("{}")) if source else None
        if subtask.is_looked_for:
            entry = player.entry(source.strip("{}"))
            assert entry is not None
            found = find_item(played.start.account, entry, played.bindings[source.strip("{}")])
            return Resource(type, item_id(found), f"the {entry.noun} that you found")
        if subtask.plants == PERSON:
            named = next(one for one in played.start.account.contacts if one.name == played.fact)
            return Resource(type, item_id(named), f"the person named{_in_what(entry, subtask)}")
        words = (
            played.words.replace(f"{{{CELL}}}", _cell_read(player, played)) if CELL in played.words else played.words
        )
        noun = "conversation" if player.app == "messages" else entry.noun if entry else ""
        thing = f"the {noun} that you {past_of(subtask)}" if noun else ""
        return Resource(type, played.fact, of_thing(words, thing, "in" if subtask.plants else "of"))
    if source.startswith("{"):
        hole = source.strip("{}")
        entry = player.entry(hole)
        assert entry is not None
        id = played.bindings[hole]
        item = find_item(played.end.account, entry, id) or find_item(played.start.account, entry, id)
        before = played.made_before.get(id)
        made = before.value if before and item is None else key_value(item, entry)
        return Resource(type, made if before else id, f"the {entry.noun} that you {past_of(subtask)}")
    if source.startswith("+"):
        entry = kind_for(player.types, player.app, source[1:])
        item = next(change.after for change in played.changes if change.signature == source)
        return Resource(type, key_value(item, entry), f"the new {entry.noun}")
    change = next((change for change in played.changes if change.signature == source), None)
    if change is None:
        raise ConfigError(f"subtask {subtask.id} yields {source}, which it does not change")
    return Resource(type, str(change.after), player.types.words_for(type))


def _leave_item(player: PathPlayer, played: PlayedPath, output: Resource | None, draw: TaskSampler) -> None:
    """Note what the item that a subtask yields will be like, for those that take it before it is there."""
    source = player.subtask.source
    if output is None or player.subtask.reveals:
        return
    if source.startswith("+"):
        kind = source[1:]
        item = next(change.after for change in played.changes if change.signature == source)
    else:
        entry = player.entry(source.strip("{}")) if source.startswith("{") else None
        if entry is None:
            return
        kind = entry.name.rpartition("/")[2]
        item = find_item(played.end.account, entry, played.bindings[source.strip("{}")])
    if item is not None:
        draw.leave(kind, output.value, item)


def past_of(subtask: SubtaskRecord) -> str:
    """What was done, as in "the file that you moved"."""
    verb = re.sub(r"^on the \w+, (in [^,]+, )?", "", subtask.instruction_template).split(" ")[0]
    known = {
        "put": "put there",
        "set": "set",
        "send": "sent a message",
        "write": "wrote into",
        "open": "opened",
        "make": "made",
        "take": "changed",
        "no": "changed",
        "say": "judged",
        "star": "starred",
        "keep": "kept",
        "forget": "forgot",
        "give": "gave a command for",
        "run": "looked at",
        "let": "changed",
        "tick": "ticked off",
        "switch": "switched",
        "add": "added",
        "go": "went to",
        "copy": "copied",
        "answer": "answered",
    }
    if verb in known:
        return known[verb]
    if verb.endswith("e"):
        return verb + "d"
    return verb + "ed"
