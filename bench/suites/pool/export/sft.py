"""Samples to fine-tune on, one a step: what a planner is sent, and what it should reply.

The messages are those of the planner itself: it plays the demonstration over a model whose replies are written from the
steps. So a sample is exactly what the trained model will be sent by the planner that runs it, and every target has been
read back by the family's own reader: where that gives another action, the step is left out and counted.

A native model sees one device at a time. Where a task has several, the end of the work on one says what the other
needs, as the planner `native` has it; families that end without words get tasks of one device alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.export.files import PictureFolder
from omnipilot.bench.suites.pool.export.playing import DemonstrationStep, PlayedTask
from omnipilot.bench.suites.pool.export.syntaxes import (
    CHAT,
    NATIVE,
    Unsayable,
    describe_places,
    function_call,
    json_reply,
    same_action,
)
from omnipilot.envs import Absent, ConfigError, Done, Env, Image, Intent, Modality, Observation, Scroll
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import CONTROL_VERBS, Frame
from omnipilot.memory import MalformedReply, Message, Outcome, Reply
from omnipilot.memory.models import Tool
from omnipilot.planners import (
    Brief,
    Feedback,
    FunctionCallingPlanner,
    JsonPlanner,
    NativePlanner,
    Planner,
    Request,
    Verbs,
)

FAMILIES = (*NATIVE, *CHAT)
"""Syntaxes of targets, by name."""


@dataclass(slots=True)
class SftSample:
    """One step as a conversation.

    Attributes:
        messages: the request, in the form of chat APIs; pictures are paths. target: the message to be learnt.
        tools: those that the request offers, in the form of chat APIs. step: number of the step, from 0.
    """

    step: int
    env: str
    messages: list[dict[str, Any]]
    target: dict[str, Any]
    tools: list[dict[str, Any]]


@dataclass(slots=True)
class _Model:
    """A model that replies what it was given, in order, and keeps what it was asked."""

    replies: list[Reply] = field(default_factory=list)
    asked: list[tuple[tuple[Message, ...], tuple[Tool, ...], Reply]] = field(default_factory=list)

    def complete(self, messages: Sequence[Message], timeout: float | None = None, **options: Any) -> Reply:
        """The next reply."""
        del timeout
        reply = self.replies.pop(0)
        self.asked.append((tuple(messages), tuple(options.get("tools", ())), reply))
        return reply


def check_family(family: str) -> None:
    """Refuse a syntax that is not written.

    Raises:
        ConfigError: it is none of `FAMILIES`.
    """
    if family not in FAMILIES:
        raise ConfigError(describe_unknown("syntax of targets", family, FAMILIES))


def why_not(played: PlayedTask, family: str, levels: Sequence[str]) -> str:
    """Why no samples of a family are made of a task; "" where they are.

    Args:
        levels: of its subtasks.
    """
    envs = {step.env for step in played.steps}
    if "AV-critical" in levels:
        return "what decides is only heard or seen to move, and the samples have pictures"
    if family in NATIVE and len(envs) > 1 and not NATIVE[family].last_words:
        return "it has several devices, and the family's models cannot tell one what the other showed"
    return ""


def samples_of(
    played: PlayedTask, family: str, pictures: PictureFolder, intent: bool, history: int, left_out: Counter[str]
) -> Iterator[SftSample]:
    """The samples of a task, one a step.

    Args:
        pictures: where screens go. intent: tell it. history: earlier turns whose screens are shown.
        left_out: counts steps without a sample, by reason.
    """
    session = _Session(played, family, intent, history)
    for number, step in enumerate(played.steps):
        reason = session.turn(step)
        if reason:
            left_out[reason] += 1
        for messages, tools, reply in session.taken():
            yield SftSample(
                number,
                session.env,
                [message_json(message, pictures) for message in messages],
                message_json(Message("assistant", (reply.text,) if reply.text else (), reply.calls), pictures),
                [tool_json(tool) for tool in tools],
            )


class _Session:
    """A planner that is led through a demonstration."""

    def __init__(self, played: PlayedTask, family: str, intent: bool, history: int) -> None:
        self._played, self._family = played, family
        self._model = _Model()
        names = tuple(dict.fromkeys(step.env for step in played.steps))
        world = SimWorld()
        self._envs: dict[str, Verbs] = {name: _verbs_of(world.envs[name]) for name in names}
        self._planner = self._make(history)
        self._brief = Brief(played.instruction, self._envs, intent=played.intent if intent else "")
        self._planner.begin(self._brief)
        self._feedback: tuple[Feedback, ...] = ()
        self._turn = 0
        self._taken: list[tuple[tuple[Message, ...], tuple[Tool, ...], Reply]] = []
        self.env = names[0]

    def _make(self, history: int) -> Planner:
        model: Any = self._model
        if self._family == "function-calling":
            return FunctionCallingPlanner.over(model, history_media=history, repairs=0)
        if self._family == "json":
            return JsonPlanner.over(model, history_media=history, repairs=0)
        planner = NativePlanner.over(model, family=self._family, repairs=0)
        layout = replace(planner.record.layout, images=min(history, 20) + 1)
        planner.record = replace(planner.record, layout=layout)
        return planner

    def taken(self) -> list[tuple[tuple[Message, ...], tuple[Tool, ...], Reply]]:
        """The requests of the last turn with their replies; they are handed over once."""
        taken, self._taken = self._taken, []
        return taken

    def turn(self, step: DemonstrationStep) -> str:
        """Lead the planner through a step; returns why it has no sample, "" where it has one.

        A step that cannot be said happens all the same: the next screens show it.
        """
        try:
            replies, meant, frame = self._replies(step)
        except Unsayable as error:
            return str(error)
        self._model.replies, self._model.asked = list(replies), []
        request = Request(self._brief, self._turn, self._seen(step), feedback=self._feedback)
        try:
            decision = self._planner.plan(request)
        except MalformedReply as error:
            raise ConfigError(
                f"{self._family} does not read {replies[-1]!r}, which was written for it: {error}"
            ) from None
        self._turn += 1
        self.env = step.env
        self._feedback = tuple(
            Feedback(move, Outcome("control" if move.intent.kind in CONTROL_VERBS else "done"))
            for move in decision.moves
        )
        read = [move.intent for move in decision.moves if move.intent.kind != "answer"]
        if len(read) != 1 or not same_action(meant, read[0], frame):
            return f"{self._family} reads another action than was meant: {meant.kind}"
        self._taken = self._model.asked
        return ""

    def _replies(self, step: DemonstrationStep) -> tuple[list[Reply], Intent, Frame | None]:
        """What the model replies in this turn, and what the last reply means."""
        if self._family in NATIVE:
            return self._native(step)
        elements = step.seen[step.env].elements
        assert not isinstance(elements, Absent)
        meant = describe_places(step.intent, step.target, step.end, elements)
        several = sum(meant.kind in verbs.kinds for verbs in self._envs.values()) > 1
        control = meant.kind in CONTROL_VERBS
        if self._family == "json":
            return [Reply(json_reply(step.env, meant, step.thought, len(self._envs) > 1 and not control))], meant, None
        return [Reply("", (function_call(step.env, meant, step.thought, several and not control),))], meant, None

    def _native(self, step: DemonstrationStep) -> tuple[list[Reply], Intent, Frame]:
        syntax, record = NATIVE[self._family], self._planner.record  # type: ignore[attr-defined]
        written: list[Reply] = []
        active = self._planner._active  # type: ignore[attr-defined]
        if step.node < 0:
            others = [env for env in self._envs if env != active]
            written += [self._end(env, step) for env in (active, *others)]
            return written, Done(), self._frame(step, step.env)
        if active != step.env:
            written.append(self._end(active, step))
        frame = self._frame(step, step.env)
        assert record is not None
        action = step.action
        if isinstance(action, Scroll) and not syntax.scroll_places:
            action = replace(action, at=None)
        written.append(Reply(syntax.write(action, step.thought, frame)))
        return written, action, frame

    def _end(self, env: str, step: DemonstrationStep) -> Reply:
        """The end of the work on one device, with what another one needs of it."""
        told = "; ".join(step.known.get(env, ())) if step.node >= 0 else ""
        thought = "Nothing is left to do here now." if step.node >= 0 else step.thought
        words = NATIVE[self._family].write(Done("success", told), thought, self._frame(step, env))
        return Reply(words)

    def _frame(self, step: DemonstrationStep, env: str) -> Frame:
        record = self._planner.record  # type: ignore[attr-defined]
        size = step.seen[env].size
        return Frame(size, record.resize.size(size), record.space, record.order)

    def _seen(self, step: DemonstrationStep) -> dict[str, Observation]:
        """The screens alone: the samples have pictures, and no elements."""
        absent: dict[str, Any] = {
            modality.value: Absent("ablated") for modality in Modality if modality is not Modality.SCREENSHOT
        }
        return {env: replace(seen, **absent) for env, seen in step.seen.items() if env in self._envs}


def _verbs_of(env: Env) -> Verbs:
    """What a planner is told of a device."""
    return Verbs(
        env.platform,
        env.verbs,
        env.custom,
        env.description,
        tuple(env.applications),
        tuple(env.installed),
        env.size,
    )


def message_json(message: Message, pictures: PictureFolder) -> dict[str, Any]:
    """A message in the form of chat APIs, pictures as `{"type": "image", "image": PATH}`."""
    content = [_part_json(part, pictures) for part in message.parts]
    found: dict[str, Any] = {"role": message.role, "content": content}
    if message.calls:
        found["tool_calls"] = [
            {"type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in message.calls
        ]
    return found


def _part_json(part: object, pictures: PictureFolder) -> dict[str, str]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, Image):
        return {"type": "image", "image": pictures.add(part)}
    raise ConfigError(f"a sample has words and pictures, no {type(part).__name__}")


def tool_json(tool: Tool) -> dict[str, Any]:
    """A tool in the form of chat APIs."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
    }


def sample_json(sample: SftSample, about: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as a row: what it is about, and the conversation with the target last.

    Tools are JSON text, since the schemas of two rows need not have the same fields.
    """
    return {
        **about,
        "step": sample.step,
        "env": sample.env,
        "messages": [*sample.messages, sample.target],
        "tools": json.dumps(sample.tools, ensure_ascii=False) if sample.tools else "",
    }
