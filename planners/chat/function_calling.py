"""The planner `function-calling`: any LLM with tool calling, one tool per verb and device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.models.replies.reasoning import thought_of, without_thoughts
from omnipilot.planners.base import Request
from omnipilot.planners.chat.history import Answer
from omnipilot.planners.chat.planner import ChatPlanner
from omnipilot.planners.chat.tool_calls import move_from, read_note, shown_ids
from omnipilot.planners.tools import REMEMBER, Places, offers_notes, tools_for


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
        return {"tools": tools, "tool_choice": self.tool_choice}

    def _read(self, reply: Reply, request: Request) -> Answer:
        if not reply.calls:
            raise MalformedReply("You called no tool. Call one for each action; if nothing is to be done, call noop.")
        keeps = offers_notes(request.brief)
        acting = sum(1 for name, _ in reply.calls if not (keeps and name == REMEMBER.name))
        if acting > self.actions:
            raise MalformedReply(f"You called {acting} tools; at most {self.actions} are allowed in one turn.")
        ids = shown_ids(request.observations, request.recalled)
        moves: list[Move] = []
        notes: list[str] = []
        problems: list[str] = []
        for name, arguments in reply.calls:
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
        calls = tuple((name, arguments if arguments.strip() else "{}") for name, arguments in reply.calls)
        return Answer(
            tuple(moves), thought_of(reply), Message("assistant", (text,) if text else (), calls), tuple(notes)
        )
