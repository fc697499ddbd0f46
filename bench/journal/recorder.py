"""Turns what happens in an episode's loop into journal events; media are stored first and referred to by digest."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from omnipilot.agents import Choice, Proposal
from omnipilot.agents.base import StopNote
from omnipilot.agents.guard import Ruling
from omnipilot.bench.journal.events import Event, MoveGuarded, PastTurn, Remembered, StepTaken, TurnTaken
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.bench.tasks.graph import Change
from omnipilot.envs import Absent, Action, AudioClip, Context, Elements, Image, Intent, Modality, Observation, VideoClip
from omnipilot.envs.schema import codec, parse_json
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.grounders.sources import FoundElements
from omnipilot.memory import MediaStore, Move, Recalled, Step, Turn, Usage
from omnipilot.memory.episodic import TimelineEvent

Json: TypeAlias = dict[str, Any]

REPORTED: frozenset[Modality] = frozenset({Modality.SCREENSHOT, Modality.AUDIO})
"""What a report needs, whatever the agent is granted."""


def observation_to_json(
    observation: Observation,
    store: MediaStore,
    granted: Collection[Modality] | None = None,
    lists: dict[str, tuple[Elements, Json]] | None = None,
) -> Json:
    """The journal's record of an observation whose media are already stored.

    Args:
        granted: what the run grants its agent: anything else that was not captured is marked `ablated`, and nothing
            more; None keeps the observation's own reasons.
        lists: the last elements of each environment and what the journal says of them, which is said again as long as
            they are the same object; None to write them as text each time.

    Returns:
        `time` and `size` ([width, height]); if present, `screenshot` (a digest), `audio` and `video`
        ({digest, start, end}), `elements` ({digest, count, truncated}), `context` ({app, title, …}); `absent` gives the
            reason for the rest ("ablated", "unasked", "failed: the detail").
    """
    out: Json = {"time": observation.time, "size": [observation.size.width, observation.size.height]}
    absent: dict[str, str] = {}
    for name in Modality:
        value = getattr(observation, name.value)
        if isinstance(value, Absent):
            reason: str = value.reason
            if granted is not None and reason in ("ablated", "unasked"):
                # An environment knows what it was asked for, not why it was not: that is the run's to say.
                reason = "unasked" if name in granted else "ablated"
            absent[name.value] = f"{reason}: {value.detail}" if value.detail else reason
        elif isinstance(value, Image):
            out[name.value] = store.put_capture(value).digest
        elif isinstance(value, AudioClip | VideoClip):
            out[name.value] = {"digest": store.put_capture(value).digest, "start": value.start, "end": value.end}
        elif isinstance(value, Elements):
            said = (lists or {}).get(observation.env)
            if said is None or said[0] is not value:
                said = value, _kept_elements(value, store, observation.env, observation.time)
            if lists is not None:
                lists[observation.env] = said
            out[name.value] = dict(said[1])
        elif isinstance(value, Context):
            out[name.value] = codec.context_to_json(value)
    if absent:
        out["absent"] = absent
    return out


def _kept_elements(elements: Elements, store: MediaStore, env: str, time: float) -> Json:
    ref = store.put_json(elements_to_text(elements), env, time)
    return {"digest": ref.digest, "count": len(elements), "truncated": elements.truncated}


def elements_to_text(elements: Elements) -> str:
    """The JSON text of an element list as stored: {items, truncated, detail}.

    Without where the words come from, so that the same screens have the hashes that earlier records name; rulings, what
    memory keeps and what it recalls say that.
    """
    data: Json = {"items": [codec.element_to_json(replace(element, origin="")) for element in elements.items]}
    if elements.truncated:
        data |= {"truncated": True, "detail": elements.detail}
    return json.dumps(data, separators=(",", ":"))


def elements_from_text(text: str) -> Elements:
    """Parse a stored text into an element list.

    Raises:
        ValueError: the text is not an element list.
    """
    data = parse_json(text)
    items = tuple(codec.element_from_json(item) for item in data["items"])
    return Elements(items, data.get("truncated", False), data.get("detail", ""))


def usage_to_json(usage: Usage) -> Json:
    """Usage as JSON values."""
    return {
        "calls": usage.calls,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost": usage.cost,
        "seconds": usage.seconds,
        **({"models": list(usage.models)} if usage.models else {}),
    }


def usage_from_json(data: Mapping[str, Any]) -> Usage:
    """The inverse of `usage_to_json`."""
    return Usage(**{**data, "models": tuple(data.get("models", ()))})


def change_to_json(change: Change) -> Json:
    """A judge's finding as JSON values."""
    verdict = change.verdict
    return {
        "node": change.node,
        "progress": verdict.progress,
        "reason": verdict.reason,
        "completed": change.completed,
    }


class PointingJudge(Protocol):
    """Knows, or learns by watching, what the screen holds, and whether moves point at what they ask for."""

    def looked(self, observation: Observation) -> None:
        """Told of every observation, before anything is grounded on it."""
        ...

    def judge(self, proposal: Proposal) -> list[Json]:
        """The verdicts on a proposal that was just grounded, as `StepTaken.pointing` holds them."""
        ...


class EpisodeRecorder:
    """Writes an attempt's turns and steps; the loop reports observations and decisions, the runner steps.

    Args:
        emit: receives each event, after its media are stored.
        modalities: captured for the record in addition to what the agent is granted.
        granted: modalities that the run grants the agent, whether its parts request them or not.
        judge: tells of each proposal whether it was pointed right; None for no verdicts.
        messages: whether what models are sent and answer is kept; without, only what their calls cost.
        policy: hash of the guard's policy.

    Attributes:
        calls: listens to the calls of models.
        latest: world time of the last turn's observation of each environment.
        deciding, recording: total wall seconds spent by the agent's decisions and by this recorder.
    """

    def __init__(
        self,
        key: str,
        attempt: int,
        store: MediaStore,
        emit: Callable[[Event], None],
        modalities: Collection[Modality] = REPORTED,
        granted: Collection[Modality] = ALL_MODALITIES,
        judge: PointingJudge | None = None,
        messages: bool = True,
        policy: str = "",
    ) -> None:
        self._policy = policy
        self.calls = MessageLog(key, attempt, store, emit, messages)
        self.modalities = frozenset(modalities)
        self.granted = frozenset(granted)
        self.latest: dict[str, float] = {}
        self.deciding = 0.0
        self.recording = 0.0
        self._key = key
        self._attempt = attempt
        self._store = store
        self._emit = emit
        self._seen: Json = {}
        self._lists: dict[str, tuple[Elements, Json]] = {}
        self._look: Json | None = None
        self._judge = judge
        self._verdicts: deque[tuple[Move, list[Json]]] = deque()
        self._asked: Move | None = None
        self._part = 0

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        """Keep an observation: one of the turn's, or a fresh one for the next step."""
        began = time.perf_counter()
        self.calls.turn = turn
        if self._judge is not None:
            self._judge.looked(observation)
        data = self.kept(observation)
        if fresh:
            self._look = data
        else:
            self._seen[observation.env] = data
            self.latest[observation.env] = observation.time
        self.recording += time.perf_counter() - began

    def kept(self, observation: Observation) -> Json:
        """The journal's record of an observation; its media are stored first."""
        return observation_to_json(observation, self._store, self.granted, self._lists)

    def grounded(self, proposal: Proposal) -> None:
        """Keep the verdicts on a proposal's pointing for its step, and which move of the planner it is a part of."""
        self._part = self._part + 1 if proposal.asked is self._asked else 0
        self._asked = proposal.asked
        if self._judge is not None and proposal.seen is not None:
            began = time.perf_counter()
            self._verdicts.append((proposal.move, self._judge.judge(proposal)))
            self.recording += time.perf_counter() - began

    def decided(self, turn: int, choice: Choice, seconds: float) -> None:
        """Write the turn, before any of its steps."""
        began = time.perf_counter()
        decision = choice.decision
        self.deciding += seconds
        moves = [{"env": move.env, "intent": codec.to_json(move.intent)} for move in decision.moves]
        self._emit(
            TurnTaken(
                self._key,
                self._attempt,
                turn,
                self._seen,
                decision.thought,
                list(decision.notes),
                moves,
                usage_to_json(decision.usage),
                seconds,
                [_note(item) for item in choice.told],
                [self._recalled(role, item) for role, item in choice.recalled],
                [expectation.to_json() for expectation in decision.expectations],
                [item.to_json() for item in choice.gated],
                self.calls.take_calls(),
                choice.replayed is not None,
                {env: self._perceived(env, found) for env, found in choice.perceived.items()},
                {} if choice.stopping is None else _stopping(choice.stopping),
            )
        )
        self._seen = {}
        self.recording += time.perf_counter() - began

    def past(self, turn: Turn, observations: Mapping[str, Observation]) -> None:
        """Write a turn that was played before the episode.

        Args:
            observations: what was captured, of which the turn has the agent's share.
        """
        seen = {name: self.kept(observation) for name, observation in observations.items()}
        self.latest.update({name: observation.time for name, observation in observations.items()})
        actions = [
            {"env": step.proposed.env if step.proposed else "", "action": _action(step.executed)} for step in turn.steps
        ]
        start, end = turn.steps[0].start, turn.steps[-1].end
        self._emit(PastTurn(self._key, self._attempt, turn.index, seen, actions, start, end))

    def guarded(self, turn: int, step: int, move: Move, ruling: Ruling) -> None:
        """Write what a guard said of a move, before its step."""
        began = time.perf_counter()
        self._emit(
            MoveGuarded(
                self._key,
                self._attempt,
                turn,
                step,
                move.env,
                ruling.said,
                ruling.rule,
                ruling.passed,
                ruling.why,
                ruling.seconds,
                dict(ruling.facts),
                self._policy,
            )
        )
        self.recording += time.perf_counter() - began

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Write what the agent's memory kept of a turn; the captures that it names are in the store already."""
        began = time.perf_counter()
        self._emit(Remembered(self._key, self._attempt, turn, [event.to_json() for event in events]))
        self.recording += time.perf_counter() - began

    def step(self, step: Step, changes: Sequence[Change], completed: int, seconds: Mapping[str, float]) -> None:
        """Write a step with the judges' findings."""
        began = time.perf_counter()
        self._emit(
            StepTaken(
                self._key,
                self._attempt,
                step.index,
                step.turn,
                step.proposed.env if step.proposed else "",
                _action(step.proposed.intent if step.proposed else None),
                _action(step.executed),
                step.outcome.result,
                step.outcome.message,
                step.counts,
                self._look if step.fresh else None,
                [_pointed(found) for found in step.pointed],
                step.start,
                step.end,
                usage_to_json(step.usage),
                [change_to_json(change) for change in changes],
                completed,
                seconds,
                _action(step.predicted),
                self._verdicts_on(step),
                self.calls.take_calls(),
                {} if self._asked is None or step.proposed is None else _program(self._asked, self._part),
            )
        )
        self._look = None
        self.recording += time.perf_counter() - began

    def _recalled(self, role: str, item: Recalled) -> Json:
        """A part that was given from memory; its capture, if it is one, is stored first."""
        out: Json = {"role": role, "env": item.env, "source": item.source, "time": item.time, "turn": item.turn}
        if item.why:
            out["why"] = item.why
        if item.origin:
            out["origin"] = item.origin
        if isinstance(item.part, str):
            return out | {"text": item.part}
        ref = self._store.put(item.part)
        return out | {"media": {"kind": ref.kind, "digest": ref.digest, "start": ref.start, "end": ref.end}}

    def _perceived(self, env: str, found: FoundElements) -> Json:
        """What was read from a screen; its elements are stored first."""
        elements = _kept_elements(found.elements, self._store, env, self.latest.get(env, 0.0))
        return {"elements": elements, "seconds": dict(found.seconds), "usage": usage_to_json(found.usage)}

    def _verdicts_on(self, step: Step) -> list[Json]:
        """The verdicts on a step; those on earlier moves that came to no step are dropped."""
        while step.proposed is not None and any(move is step.proposed for move, _ in self._verdicts):
            move, verdicts = self._verdicts.popleft()
            if move is step.proposed:
                return verdicts
        return []


def _stopping(note: StopNote) -> Json:
    found: Json = {"rule": note.rule, "evidence": dict(note.evidence)}
    return found | {"why": note.why} if note.why else found


def _action(intent: Intent | Action | None) -> Json | None:
    return None if intent is None else codec.to_json(intent)


def _program(asked: Move, part: int) -> Json:
    return {"env": asked.env, "asked": codec.to_json(asked.intent), "part": part}


def _note(item: Recalled) -> Json:
    """A note; of media, only what they are: they can be large, and no wrapper shows any that was not captured."""
    words = item.part if isinstance(item.part, str) else f"({type(item.part).__name__})"
    return {"env": item.env, "source": item.source, "text": words}


def _pointed(found: Any) -> Json:
    return {
        "target": found.target,
        "x": found.point.x,
        "y": found.point.y,
        "box": None if found.box is None else codec.box_to_json(found.box),
        "grounder": found.grounder,
    }
