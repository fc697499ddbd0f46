"""The planner `function-calling`: any LLM with tool calling, one tool per verb and device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.models.replies.reasoning import thought_of, without_thoughts
from omnipilot.planners.base import Request
from omnipilot.planners.chat.history import Answer
from omnipilot.planners.chat.planner import ChatPlanner
from omnipilot.planners.chat.stated import EXPECT, expect_tool, read_expectations
from omnipilot.planners.chat.tool_calls import move_from, read_note, shown_ids
from omnipilot.planners.tools import REMEMBER, Places, meanings, offers_notes, tools_for


@dataclass(eq=False)
class FunctionCallingPlanner(ChatPlanner):
    """The model calls tools; each call of a reply is one move, in order.

    There is one tool per verb; with several environments its name ends in `_in_<environment>` (CRAB's single-agent
    setting). A reply without a call, or with an invalid one, is malformed as a whole: none of its calls is executed.

    Attributes:
        tool_choice: `required`, or `auto` for servers that cannot force a tool call.
    """

    tool_choice: str = "required"

    own_prompt: ClassVar[str] = "function_calling"

    def _format(self, request: Request) -> dict[str, Any]:
        envs, places = request.brief.envs, cast(Places, self.places)
        remembers = offers_notes(request.brief)
        tools = self._once("tools", envs, lambda: tools_for(envs, None, places, self.offered, remembers))
        if self._states(request):
            tools = (*tools, self._once(EXPECT, envs, lambda: expect_tool(envs)))
        return {"tools": tools, "tool_choice": self.tool_choice}

    def _states(self, request: Request) -> bool:
        """Whether the model may state what it expects."""
        envs = request.brief.envs
        return request.brief.checks and bool(envs) and EXPECT not in meanings(envs, None, self.offered)

    def _read(self, reply: Reply, request: Request) -> Answer:
        stated = [told for name, told in reply.calls if name == EXPECT] if self._states(request) else []
        expectations, remarks = read_expectations(stated, request.brief.envs)
        calls = tuple(call for call in reply.calls if not stated or call[0] != EXPECT)
        if stated and not calls and "noop" in self.offered:
            remarks = (*remarks, f"You called {EXPECT} alone, so nothing was done: call an action beside it.")
            calls = (("noop", "{}"),)
        if not calls:
            raise MalformedReply("You called no tool. Call one for each action; if nothing is to be done, call noop.")
        keeps = offers_notes(request.brief)
        acting = sum(1 for name, _ in calls if not (keeps and name == REMEMBER.name))
        if acting > self.actions:
            raise MalformedReply(f"You called {acting} tools; at most {self.actions} are allowed in one turn.")
        ids = shown_ids(request.observations, request.recalled)
        moves: list[Move] = []
        notes: list[str] = []
        problems: list[str] = []
        for name, arguments in calls:
            try:
                if keeps and name == REMEMBER.name:
                    notes.append(read_note(arguments))
                    continue
                moves.append(
                    move_from(
                        name,
                        arguments,
                        request.brief.envs,
                        places=cast(Places, self.places),
                        controls=self.offered,
                        ids=ids,
                    )
                )
            except MalformedReply as error:
                problems.append(str(error))
        if problems:
            raise MalformedReply("; ".join(problems))
        text = without_thoughts(reply.text)
        calls = tuple((name, arguments if arguments.strip() else "{}") for name, arguments in calls)
        said = Message("assistant", (text,) if text else (), calls)
        return Answer(tuple(moves), thought_of(reply), said, tuple(notes), expectations, remarks)
