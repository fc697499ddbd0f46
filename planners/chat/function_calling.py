"""The planner `function-calling`: any LLM with tool calling, one tool per verb."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.models import Tool
from omnipilot.memory.models.replies.reasoning import shorten_thought, thought_of, without_thoughts
from omnipilot.planners.base import Brief, Request
from omnipilot.planners.chat.history import ParsedReply
from omnipilot.planners.chat.own_words import ACTIONS, has_slot, rename_call, rename_tools, restore_arguments
from omnipilot.planners.chat.planner import ChatPlanner
from omnipilot.planners.chat.stated import EXPECT, expect_tool, read_expectations
from omnipilot.planners.chat.tool_calls import (
    calls_in_text,
    is_plain,
    possible_names,
    read_call,
    read_note,
    shown_ids,
    written_calls,
)
from omnipilot.planners.chat.toolset import Naming, toolset
from omnipilot.planners.tools import REMEMBER, Places, offers_notes

THOUGHTS = {
    "argument": "Give each call a `thought` of a sentence or two",
    "text": "Before the calls, write one or two sentences",
}
"""Where the model writes what leads to its calls, as the prompt says it."""


@dataclass(eq=False)
class FunctionCallingPlanner(ChatPlanner):
    """The model calls tools; each call of a reply is one move, in order.

    There is one tool per verb, with the device as an argument where several can do it; with `tools` `per-device`, one
    per verb and device, whose name ends in `_in_<device>` (CRAB's single-agent setting). A reply without a call, or
    with an invalid one, is malformed as a whole: none of its calls is executed.

    Attributes:
        tool_choice: `required`, or `auto` for servers that cannot force a tool call.
        thought: how it says why: as the first `argument` of its calls, which servers that force a call let through, or
            in the `text` before them.
        written: for models without function calling: no tools are sent, and calls are read from JSON objects in the
            text, `{"name": …, "arguments": {…}}`. The prompt has to say so, and to tell the actions; see `prompts`.
    """

    tool_choice: str = "required"
    thought: str = "argument"
    written: bool = False

    own_prompt: ClassVar[str] = "function_calling"

    def __post_init__(self) -> None:
        if self.thought not in THOUGHTS:
            raise ConfigError(f"planner option thought must be {' or '.join(THOUGHTS)}, not {self.thought!r}")
        super().__post_init__()
        if self.written and not has_slot(self.loaded_prompt.text, ACTIONS):
            raise ConfigError(
                f"planner option written takes a prompt that tells the actions, in the slot {{{ACTIONS}}}: name one "
                "with prompt=PACKAGE:NAME"
            )

    def for_job(self, job: str, control: Collection[str]) -> FunctionCallingPlanner:
        """See `ChatPlanner.for_job`; who carries out what another one thought of gives no thoughts."""
        return replace(super().for_job(job, control), thought="text")

    def _fill(self, prompt: str) -> str:
        return prompt.replace("{thought}", THOUGHTS[self.thought])

    def _format(self, request: Request) -> dict[str, Any]:
        if self.written:
            return {}
        tools = self._once("tools", request.brief.envs, lambda: self._tools(request.brief))
        return {"tools": tools, "tool_choice": self.tool_choice}

    def _tools(self, brief: Brief) -> tuple[Tool, ...]:
        naming, places = cast(Naming, self.tools), cast(Places, self.places)
        thought = self.thought == "argument"
        tools = toolset(brief.envs, naming, places, self.offered, offers_notes(brief), thought, self._of_device)
        tools = rename_tools(tools, self.names, self.arguments)
        return (*tools, expect_tool(brief.envs)) if self._states_in(brief) else tools

    def _states(self, request: Request) -> bool:
        """Whether the model may state what it expects."""
        return self._states_in(request.brief)

    def _states_in(self, brief: Brief) -> bool:
        return brief.checks and bool(brief.envs) and all(EXPECT not in verbs.custom for verbs in brief.envs.values())

    def _read(self, reply: Reply, request: Request) -> ParsedReply:
        text, given = without_thoughts(reply.text), reply.calls
        whole = text
        if self.written:
            text, given = written_calls(text)
        elif not given and reply.finish != "length":
            text, given = calls_in_text(text)
        # What stands around a name is the server's; with it, it would refuse the conversation that it wrote itself.
        plain = [(name if is_plain(name) else possible_names(name)[-1], told) for name, told in given]
        ours = {name: kind for kind, name in self.names.items()}
        called = [(rename_call(name, ours), told) for name, told in plain]
        stated = [told for name, told in called if name == EXPECT] if self._states(request) else []
        expectations, remarks = read_expectations(stated, request.brief.envs)
        calls = tuple(call for call in called if not stated or call[0] != EXPECT)
        if stated and not calls and "noop" in self.offered:
            remarks = (*remarks, f"You called {EXPECT} alone, so nothing was done: call an action beside it.")
            calls = (("noop", "{}"),)
        if not calls:
            nothing = self.names.get("noop", "noop")
            raise MalformedReply(
                f"You called no tool. Call one for each action; if nothing is to be done, call {nothing}."
            )
        keeps = offers_notes(request.brief)
        acting = sum(1 for name, _ in calls if not (keeps and name == REMEMBER.name))
        if acting > self.actions:
            raise MalformedReply(f"You called {acting} tools; at most {self.actions} are allowed in one turn.")
        ids = shown_ids(request.observations, request.recalled)
        naming, places = cast(Naming, self.tools), cast(Places, self.places)
        moves: list[Move] = []
        thoughts = [text]
        notes: list[str] = []
        problems: list[str] = []
        unknown: list[str] = []
        for name, arguments in calls:
            try:
                if keeps and name == REMEMBER.name:
                    notes.append(read_note(arguments))
                    continue
                arguments = restore_arguments(name, self.names.get(name, name), arguments, self.arguments)
                call = read_call(name, arguments, request.brief.envs, naming, places, self.offered, ids)
                moves.append(call.move)
                thoughts.append(call.thought)
            except MalformedReply as error:
                problems.append(str(error))
                unknown += error.unknown
        if problems:
            raise MalformedReply("; ".join(problems), unknown=unknown)
        calls = tuple((rename_call(name, self.names), told if told.strip() else "{}") for name, told in calls)
        said = Message("assistant", (text,) if text else (), calls)
        if self.written:
            said = Message("assistant", (whole,))
        thought = shorten_thought("\n".join(dict.fromkeys(filter(None, thoughts)))) or thought_of(reply)
        return ParsedReply(tuple(moves), thought, said, tuple(notes), expectations, remarks)
