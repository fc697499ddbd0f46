"""The data of each attempt that the report shows, from journal events, as plain JSON values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from omnipilot.bench.journal.calls import CallReader, RecordedCall, recorded_calls
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    ModelCalled,
    MoveGuarded,
    PastTurn,
    PersonActed,
    Remembered,
    ReplyUnread,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.journal.results import SUCCESS, UNJUDGED, VOID
from omnipilot.bench.report.action_words import action, ending
from omnipilot.bench.tasks.task import values_of
from omnipilot.memory.trajectory import FAILED

Json = dict[str, Any]
PLACES = ("at", "start", "end", "path")
"""Fields of actions that hold places."""
OF_ATTEMPTS = (TurnTaken, StepTaken, MoveGuarded, PastTurn, Remembered, ModelCalled, ReplyUnread, EpisodeEnded)
_ANCHOR = re.compile(r"\{@[A-Za-z0-9_.:-]+\}")

Look = Callable[[Mapping[str, Any]], Json]
"""Converts one recorded observation to the data that the viewer shows."""


@dataclass
class EpisodeAttempt:
    """One attempt at one episode, gathered from the journal."""

    started: EpisodeStarted
    turns: dict[int, TurnTaken] = field(default_factory=dict)
    steps: list[StepTaken] = field(default_factory=list)
    rulings: dict[int, MoveGuarded] = field(default_factory=dict)
    past: dict[int, PastTurn] = field(default_factory=dict)
    remembered: list[Remembered] = field(default_factory=list)
    calls: list[ModelCalled | ReplyUnread] = field(default_factory=list)
    acts: list[PersonActed] = field(default_factory=list)
    ended: EpisodeEnded | None = None

    @property
    def solved(self) -> bool:
        """Whether it counts as a success."""
        return self.ended is not None and self.ended.reason == SUCCESS

    @property
    def mark(self) -> str:
        """`solved`, `failed`, `void`, `unjudged`, or `cut` if the attempt has no end."""
        if self.ended is None:
            return "cut"
        if self.solved:
            return "solved"
        return self.ended.reason if self.ended.reason in (VOID, UNJUDGED) else "failed"

    @property
    def completed(self) -> int:
        """Nodes reached, C."""
        if self.ended is not None:
            return self.ended.completed
        return self.steps[-1].completed if self.steps else 0


class Gatherer:
    """Assembles attempts from a journal's events; only those without an end are kept in memory."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int], EpisodeAttempt] = {}

    def take(self, event: Event) -> EpisodeAttempt | None:
        """Process an event; returns the attempt that it ended, if any."""
        if isinstance(event, EpisodeStarted):
            self._open[event.key, event.attempt] = EpisodeAttempt(event)
        elif isinstance(event, PersonActed):
            if attempt := self._open.get((event.key, event.attempt)):
                attempt.started = event.raised(attempt.started)
                attempt.acts.append(event)
        elif isinstance(event, OF_ATTEMPTS):
            attempt = self._open.get((event.key, event.attempt))
            if attempt is None:
                return None
            if isinstance(event, TurnTaken):
                attempt.turns[event.turn] = event
            elif isinstance(event, StepTaken):
                attempt.steps.append(event)
            elif isinstance(event, MoveGuarded):
                attempt.rulings[event.step] = event
            elif isinstance(event, PastTurn):
                attempt.past[event.turn] = event
            elif isinstance(event, Remembered):
                attempt.remembered.append(event)
            elif isinstance(event, ModelCalled | ReplyUnread):
                attempt.calls.append(event)
            else:
                attempt.ended = event
                return self._open.pop((event.key, event.attempt))
        return None

    def going(self, key: str, attempt: int) -> EpisodeAttempt | None:
        """What there is so far of an attempt that has no end yet; None of any other."""
        return self._open.get((key, attempt))

    def cut(self) -> list[EpisodeAttempt]:
        """Interrupted attempts, the last of each episode."""
        return list({attempt.started.key: attempt for attempt in self._open.values()}.values())


def summary(attempt: EpisodeAttempt, run: int, file: int, cause: str = "") -> Json:
    """The entry of an episode in the report's list.

    Args:
        file: the number of its data file. cause: why it failed, if that was found out; "" where it was not.
    """
    started = attempt.started
    return {
        "run": run,
        "file": file,
        "key": started.key,
        "task": started.task,
        "instance": started.instance,
        "trial": started.trial,
        "mark": attempt.mark,
        "completed": attempt.completed,
        "total": len(started.nodes),
        "steps": len(attempt.steps),
        **_pointed(attempt),
        "text": started.instruction[:400],
        "facets": _facets(attempt, cause),
        "spent": spent_by_part(attempt),
    }


def _facets(attempt: EpisodeAttempt, cause: str) -> Json:
    """What the list can be narrowed by: how the episode ended, the cause of its failure, and its tags, split."""
    end = attempt.ended
    found = {"ended by": [ending(end.reason if end else "", end.status if end else "", attempt.solved)]}
    found |= {"cause": [cause]} if cause else {}
    if envs := sorted({env for turn in attempt.turns.values() for env in turn.observations if env}):
        found["environment"] = envs
    return found | {name: list(values_of(attempt.started.tags, name)) for name in attempt.started.tags}


def spent_by_part(attempt: EpisodeAttempt) -> Json:
    """What each part of an attempt took, by the part's name, as [calls, tokens in, tokens out, USD, seconds].

    USD is None where a price is not known; seconds are wall time. The planner's are those of deciding, with the calls
    that memory and critics make meanwhile. A part that took nothing is left out.
    """
    rows: dict[str, list[Any]] = {}

    def add(part: str, usage: Mapping[str, Any], seconds: float) -> None:
        row = rows.setdefault(part, [0, 0, 0, 0.0, 0.0])
        for place, name in enumerate(("calls", "tokens_in", "tokens_out")):
            row[place] += usage.get(name, 0)
        cost = usage.get("cost", 0.0)
        row[3] = None if row[3] is None or cost is None else row[3] + cost
        row[4] += seconds

    for turn in attempt.turns.values():
        add("planner", turn.usage, turn.seconds)
        for read in turn.perceived.values():
            add("perception", read["usage"], sum(read["seconds"].values()))
    for step in attempt.steps:
        add("grounder", step.usage, step.usage.get("seconds", 0.0))
        add("environment", {}, step.seconds.get("env", 0.0))
        add("judges", {}, step.seconds.get("judge", 0.0))
    return {part: [*row[:3], _rounded(row[3], 6), _rounded(row[4], 4)] for part, row in rows.items() if any(row)}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _pointed(attempt: EpisodeAttempt) -> Json:
    """Counts of places that were asked for, `told` and `right`, and `miss`: the first step with a wrong one.

    Empty where none can be told.
    """
    found = [(step.step, one["right"]) for step in attempt.steps for one in step.pointing if one["right"] is not None]
    if not found:
        return {}
    miss = next((str(number) for number, right in found if not right), None)
    return {"told": len(found), "right": sum(right for _, right in found), "miss": miss}


def detail(attempt: EpisodeAttempt, look: Look, cause: str = "", why: str = "") -> Json:
    """Everything that the step viewer shows of an episode; its turns and steps are made one by one, when asked for.

    Args:
        cause, why: of its failure, if they were found out.
    """
    started, end = attempt.started, attempt.ended
    status = end.status if end else ""
    return {
        "instruction": started.instruction,
        "tags": dict(started.tags),
        "limits": {name: value for name, value in started.limits.items() if value is not None},
        "nodes": started.nodes,
        "edges": started.edges,
        "attempt": started.attempt,
        "outcome": {
            "words": ending(end.reason if end else "", status, attempt.solved),
            "detail": end.detail
            if end
            else "the attempt has no end in the journal; starting the run again makes another attempt",
            **({"cause": cause, "why": why} if cause else {}),
        },
        "numbers": _numbers(attempt),
        "turns": (_turn(turn, look) for _, turn in sorted(attempt.turns.items())),
        "steps": (_step(step, look, attempt.rulings.get(step.step)) for step in attempt.steps),
        "calls": sum(isinstance(one, ModelCalled) for one in attempt.calls),
        "spent": spent_by_part(attempt),
        "final": {
            "looks": _looks(end.observations, look),
            "changes": end.changes,
            "failed": end.reason not in (SUCCESS, VOID, UNJUDGED),
        }
        if end
        else None,
    }


def _numbers(attempt: EpisodeAttempt) -> list[list[str]]:
    end, started = attempt.ended, attempt.started
    numbers = [["sub-goals", f"{attempt.completed}/{len(started.nodes)}"]]
    if pointed := _pointed(attempt):
        numbers.append(["pointed right", f"{pointed['right']}/{pointed['told']}"])
    raised = [act for act in attempt.acts if act.action == "raise" and not act.refused]
    numbers += [[f"{act.limit}, raised by a person", f"{act.before or 0:g} → {act.after or 0:g}"] for act in raised]
    if end is None:
        return [*numbers, ["turns", str(len(attempt.turns))], ["steps", str(len(attempt.steps))]]
    numbers += [["turns", str(end.turns)], ["steps", str(end.steps)], ["actions", str(end.actions)]]
    numbers += [["invalid", str(end.invalid)]] if end.invalid else []
    numbers += (
        [["refused by the guard", str(denied)]]
        if (denied := sum(step.result == "denied" for step in attempt.steps))
        else []
    )
    numbers += [
        ["tokens", f"{end.usage.get('tokens_in', 0) + end.usage.get('tokens_out', 0):,}"],
        ["world clock", f"{end.world_seconds:.1f} s"],
        ["wall clock", f"{end.wall_seconds:.1f} s"],
    ]
    cost = end.usage.get("cost", 0.0)
    return [*numbers, ["cost", "unknown" if cost is None else f"${cost:.4f}"]] if cost != 0.0 else numbers


def _looks(observations: Mapping[str, Any], look: Look) -> Json:
    return {env: look(observation) for env, observation in observations.items()}


def _turn(turn: TurnTaken, look: Look) -> Json:
    return {
        "turn": turn.turn,
        "looks": _looks(turn.observations, look),
        "thought": turn.thought,
        "notes": turn.notes,
        "told": turn.told,
        "recalled": [_recalled(part, look) for part in turn.recalled],
        "gated": list(getattr(turn, "gated", ())),
        "expected": list(getattr(turn, "expectations", ())),
        "moves": [{"env": move.get("env", ""), "words": action(move.get("intent"))} for move in turn.moves],
        "usage": dict(turn.usage),
        "seconds": turn.seconds,
        "perceived": {env: _perceived(found, look) for env, found in turn.perceived.items()},
    }


def _perceived(found: Mapping[str, Any], look: Look) -> Json:
    """What was read from a screen; its elements with their kind, name, box and confidence."""
    items = look({"perceived": found["elements"]})["perceived"]["items"]
    return {**found, "items": [{**one, "box": _box(one["box"])} for one in items]}


def _recalled(part: Mapping[str, Any], look: Look) -> Json:
    """A part that was given from memory; a sound with its `wave`, a film with its `frames`."""
    media = part.get("media")
    if media is None or media["kind"] not in ("audio", "video"):
        return dict(part)
    read = look({media["kind"]: media})[media["kind"]]
    return {**part, **{name: read[name] for name in ("wave", "frames") if name in read}}


def _step(step: StepTaken, look: Look, ruling: MoveGuarded | None) -> Json:
    return {
        "step": step.step,
        "turn": step.turn,
        "env": step.env,
        "proposed": step.proposed and {"words": action(step.proposed), "json": step.proposed},
        "executed": step.executed and {"words": action(step.executed), "json": step.executed},
        "grounded": is_only_grounded(step.proposed, step.executed),
        "recorded": follows_recording(step),
        "predicted": step.predicted and {"words": action(step.predicted), "json": step.predicted},
        "result": step.result,
        "message": step.message,
        "counts": step.counts,
        "look": look(step.look) if step.look else None,
        "pointed": step.pointed,
        "pointing": [_verdict(one) for one in step.pointing],
        "drawn": overlay_of(step),
        "start": step.start,
        "end": step.end,
        "usage": dict(step.usage),
        "program": step.program and {**step.program, "words": action(step.program["asked"])},
        "changes": step.changes,
        "seconds": dict(step.seconds),
        "guard": _guarded(ruling),
    }


def _guarded(ruling: MoveGuarded | None) -> Json | None:
    """How a guard ruled, in words, with what it knew; None for what it allowed by itself."""
    if ruling is None or (ruling.said == "allow" and ruling.passed):
        return None
    became = f"approved in {ruling.asked_seconds:.1f} s" if ruling.passed else f"refused: {ruling.why}"
    facts = {name: value if isinstance(value, list) else [value] for name, value in ruling.facts.items() if value != []}
    return {
        "words": f"guard, rule “{ruling.rule}”: {became}",
        "passed": ruling.passed,
        "facts": {name: ", ".join(map(str, values)) for name, values in facts.items()},
    }


def _verdict(one: Mapping[str, Any]) -> Json:
    """A verdict on pointing, its elements in words, with their ids."""
    return {**one, "asked": _element(one["asked"]), "hit": _element(one["hit"])}


def _element(data: Mapping[str, Any] | None) -> Json | None:
    if data is None:
        return None
    words = f"{data['role']} “{data['name']}”" if data["name"] else f"{data['role']} without a name"
    return {"words": words, "id": data.get("id")}


def is_only_grounded(proposed: Mapping[str, Any] | None, executed: Mapping[str, Any] | None) -> bool:
    """Whether the proposed action was executed with its places found and its anchors filled in, and nothing was put in
    its place."""
    if proposed is None or executed is None:
        return False
    a, b = ({name: value for name, value in data.items() if name not in PLACES} for data in (proposed, executed))
    return _fills(a, b) and all(
        proposed[name] == executed.get(name) for name in PLACES if _is_point(proposed.get(name))
    )


def _fills(proposed: Any, executed: Any) -> bool:
    """Whether two JSON values are the same but for anchors, `{@name}`, that were filled in."""
    if isinstance(proposed, Mapping) and isinstance(executed, Mapping):
        return proposed.keys() == executed.keys() and all(_fills(proposed[name], executed[name]) for name in proposed)
    if isinstance(proposed, str) and isinstance(executed, str) and proposed != executed:
        pieces = [re.escape(piece) for piece in _ANCHOR.split(proposed)]
        return len(pieces) > 1 and re.fullmatch(".*".join(pieces), executed, re.DOTALL) is not None
    return bool(proposed == executed)


def follows_recording(step: StepTaken) -> bool:
    """Whether the world followed its recording, so that `executed` is the recorded action."""
    return step.result == "forced" or (step.executed is not None and step.result in (*FAILED, "skipped", "vetoed"))


def _is_point(place: Any) -> bool:
    return isinstance(place, Mapping) and "x" in place


def overlay_of(step: StepTaken) -> Json:
    """What is drawn over the screenshot, in shares of the screen's sides.

    Returns:
        `points` and `line` ([x, y] each) of the executed action, or where nothing was executed of what was pointed
        at or proposed; `meant`: points that were proposed (in a recording: predicted) and are not where it was done;
        `direction` of a swipe or scroll; `boxes` ([left, top, right, bottom]); `judged`: for each place for which it
        can be told whether it was pointed right: `right`, the `box` that was asked for, and the `point` ([x, y]; None
        if nothing was found).
    """
    proposed, executed = _points(step.proposed), _points(step.executed)
    pointed = [[found["x"], found["y"]] for found in step.pointed]
    points = executed or pointed or proposed
    acted = step.executed or step.proposed or {}
    boxes = [_box(found["box"]) for found in step.pointed if found.get("box")]
    region = acted.get("region")
    return {
        "points": points,
        "line": bool(executed or not pointed) and len(points) > 1 and acted.get("kind") in ("drag", "swipe"),
        "direction": acted.get("direction") if acted.get("kind") in ("swipe", "scroll") else None,
        "meant": [point for point in _points(step.predicted) or proposed if point not in points],
        "boxes": boxes + ([_box(region)] if region else []),
        "judged": [
            {"right": one["right"], "box": _box(one["asked"]["box"]), "point": point}
            for one, point in zip_longest(step.pointing, pointed[: len(step.pointing)])
            if one["right"] is not None and one["asked"]
        ],
    }


def _points(data: Mapping[str, Any] | None) -> list[list[float]]:
    places: list[Any] = []
    if data:
        places = [data.get("start"), *data.get("path", ()), data.get("end"), data.get("at")]
    return [[place["x"], place["y"]] for place in places if _is_point(place)]


def _box(data: Any) -> list[float]:
    if isinstance(data, Mapping):
        return [data["left"], data["top"], data["right"], data["bottom"]]
    return list(data)


def screen_elements(attempt: EpisodeAttempt, read: Callable[[str], list[Json]]) -> Json:
    """The elements of every screen of an attempt, each element once.

    Args:
        read: the stored elements of a list, by its digest; an empty list where it is missing.

    Returns:
        `screens`, made one by one: [digest, places in `items`]; `items`, complete after the last of them: elements as
        stored, their "box" as [left, top, right, bottom] in shares of the screen's sides.
    """
    places: dict[str, int] = {}
    items: list[Json] = []

    def place(element: Json) -> int:
        told = json.dumps(element, sort_keys=True)
        if told not in places:
            places[told] = len(items)
            items.append({**element, "box": _box(element["box"])})
        return places[told]

    screens = ([digest, [place(one) for one in read(digest)]] for digest in _element_lists(attempt))
    return {"screens": screens, "items": items}


def _element_lists(attempt: EpisodeAttempt) -> list[str]:
    """Digests of the lists of elements that were seen or read, each once, in order."""
    looks = [
        look for turn in attempt.turns.values() for look in (*turn.observations.values(), *turn.perceived.values())
    ]
    looks += [step.look for step in attempt.steps if step.look]
    looks += list(attempt.ended.observations.values()) if attempt.ended else []
    return list(dict.fromkeys(look["elements"]["digest"] for look in looks if look.get("elements")))


def has_elements(attempt: EpisodeAttempt) -> bool:
    """Whether any screen of the attempt came with elements, or was read."""
    return bool(_element_lists(attempt))


def messages(attempt: EpisodeAttempt, look: Look, reader: CallReader) -> Json:
    """What the viewer shows of an attempt's calls.

    Returns:
        `calls`, made one by one, and `values`, which are complete after the last of them: messages, lists of tools and
        schemas, each once. Calls name them by their place in it: the
        request's "options", "kept" (so many messages of the call "after" come first), "messages" (the further ones),
        "tools" and "schema" (None for none), "given" (by key of the body), and "attempts" with "raw", "reply",
        "problem", "usage", "replayed" and "dropped"; "unread" says why a reply could not be read.
    """
    places: dict[str, int] = {}
    values: list[Any] = []

    def place(digest: str) -> int | None:
        if not digest:
            return None
        if digest not in places:
            places[digest] = len(values)
            values.append(_with_media(reader.value(digest), look))
        return places[digest]

    def shown(call: RecordedCall) -> Json:
        return {
            "number": call.number,
            "turn": call.turn,
            "role": call.role,
            "model": call.model,
            "whole": call.whole,
            "options": dict(call.options),
            "after": call.after,
            "kept": call.kept,
            "messages": [place(digest) for digest in call.added],
            "tools": place(call.tools),
            "schema": place(call.schema),
            "given": {name: place(digest) for name, digest in call.given.items()},
            "attempts": reader.attempts(call),
            "unread": call.unread,
        }

    return {"calls": map(shown, recorded_calls(attempt.calls)), "values": values}


def _with_media(value: Any, look: Look) -> Any:
    """A message; its sounds with their `wave`, its films with their `frames`."""
    if isinstance(value, list):
        return [_with_media(item, look) for item in value]
    if not isinstance(value, Mapping):
        return value
    kind = value.get("media")
    if kind in ("audio", "video") and "digest" in value:
        read = look({kind: {name: value[name] for name in ("digest", "start", "end")}})[kind]
        return {**value, **{name: read[name] for name in ("wave", "frames") if name in read}}
    return {key: _with_media(item, look) for key, item in value.items()}
