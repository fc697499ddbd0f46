"""The planner `json`: any LLM that writes JSON, constrained to a schema where its server supports it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.memory import MalformedReply, Message, Move, Reply
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.json_text import decisions_in, objects_in
from omnipilot.memory.models.replies.reasoning import (
    thought_of,
    without_loops,
    without_lost_answer,
    without_thoughts,
)
from omnipilot.planners.base import Request
from omnipilot.planners.chat.history import ParsedReply
from omnipilot.planners.chat.json_actions import actions_in_words, reply_schema
from omnipilot.planners.chat.planner import ChatPlanner
from omnipilot.planners.chat.stated import EXPECT, MOST, WORDS, read_expectations
from omnipilot.planners.chat.tool_calls import Ids, read_call, read_intent, read_note, shown_ids
from omnipilot.planners.chat.toolset import DEVICE, Naming, Offered, own_arguments
from omnipilot.planners.tools import REMEMBER, Meaning, Places, offers_notes


@dataclass(eq=False)
class JsonPlanner(ChatPlanner):
    """The model writes `{"thought": …, "actions": [{"kind": …}, …]}`; each action is one move, in order.

    Attributes:
        constrain: constrain the reply to a schema where the server supports it; false for servers that reject one.
        longest: maximum characters of a thought or other text in the schema.

    Raises:
        ConfigError: as `ChatPlanner`, or actions get other names or arguments, which only calls of tools have.
    """

    constrain: bool = True
    longest: int = 2_000

    own_prompt: ClassVar[str] = "json"

    def __post_init__(self) -> None:
        if own := [name for name in ("names", "arguments") if getattr(self, name)]:
            raise ConfigError(
                f"planner option {own[0]} is of tools; take planner 'function-calling', with written=true where the "
                "model writes its calls as JSON"
            )
        super().__post_init__()

    def job_prompt(self, job: str) -> str:
        """Name of the job's prompt for models that write JSON instead of calling tools."""
        return f"{job}_json"

    def _system(self, request: Request) -> tuple[Part, ...]:
        (text,) = super()._system(request)
        envs, places = request.brief.envs, cast(Places, self.places)
        keeps = offers_notes(request.brief)
        actions = self._once("words", envs, lambda: actions_in_words(envs, places, self.offered, keeps))
        stating = f"\n\n{WORDS}" if self._states(request) else ""
        return (f"{text}\n\n{actions}{stating}",)

    def _format(self, request: Request) -> dict[str, Any]:
        if not self.constrain:
            return {}
        envs, places = request.brief.envs, cast(Places, self.places)
        expect = MOST if self._states(request) else 0
        bounds = (self.actions, self.longest, offers_notes(request.brief), expect)
        return {"schema": self._once("schema", envs, lambda: reply_schema(envs, places, self.offered, *bounds))}

    def _states(self, request: Request) -> bool:
        """Whether the model may state what it expects."""
        return request.brief.checks and bool(request.brief.envs)

    def _read(self, reply: Reply, request: Request) -> ParsedReply:
        text = without_thoughts(without_lost_answer(reply).text)
        if not text:
            raise MalformedReply("Your reply is empty; answer with one JSON object.")
        replies = list(decisions_in(objects_in(text, mend=reply.finish != "length")))
        if not replies:
            raise MalformedReply('Your reply has no "actions"; write {"thought": "…", "actions": [{"kind": "…"}]}.')
        # A model may try things out first; its last object is the answer.
        told = replies[-1]
        actions = told.get("actions", told.get("action"))
        actions = [actions] if isinstance(actions, Mapping) else actions
        if not isinstance(actions, list) or not actions:
            raise MalformedReply('"actions" is a list of at least one action; to do nothing, write {"kind": "noop"}.')
        if len(actions) > self.actions:
            raise MalformedReply(
                f"{len(actions)} actions are too many; at most {self.actions} are allowed in one turn."
            )
        ids = shown_ids(request.observations, request.recalled)
        moves, notes, problems, unknown = [], [], [], list[str]()
        for number, action in enumerate(actions):
            try:
                if offers_notes(request.brief) and _is_note(action):
                    notes.append(read_note({name: value for name, value in action.items() if name != "kind"}))
                    continue
                moves.append(self._move(action, request, ids))
            except MalformedReply as error:
                problems.append(f"action {number + 1}: {error}" if len(actions) > 1 else f"{error}")
                unknown += error.unknown
        if problems:
            raise MalformedReply("; ".join(problems), unknown=unknown)
        thought = told.get("thought")
        said: dict[str, Any] = {"actions": actions}
        if isinstance(thought, str):
            said = {"thought": without_loops(thought), **said}
        written = json.dumps(said, ensure_ascii=False)
        why = thought if isinstance(thought, str) and thought else reply.reasoning
        stated = told.get(EXPECT) or [] if self._states(request) else []
        listed = stated if isinstance(stated, list) else [stated]
        expectations, remarks = read_expectations(listed, request.brief.envs)
        reason = why and thought_of(Reply(why))
        return ParsedReply(tuple(moves), reason, Message("assistant", (written,)), tuple(notes), expectations, remarks)

    def _move(self, action: Any, request: Request, ids: Mapping[str, Ids]) -> Move:
        envs, places = request.brief.envs, cast(Places, self.places)
        if not isinstance(action, Mapping):
            raise MalformedReply(f'an action is an object such as {{"kind": "noop"}}, not {short(action)}')
        given = dict(action)
        if "kind" not in given and isinstance(given.get("name"), str) and "arguments" in given:
            # A tool call, as written by models that were trained on tool calls.
            arguments = given["arguments"]
            told = arguments if isinstance(arguments, str | Mapping) else json.dumps(arguments)
            return read_call(given["name"], told, envs, cast(Naming, self.tools), places, self.offered, ids).move
        kind = given.pop("kind", None)
        env = self._said_device(kind, given, request)
        if not isinstance(kind, str):
            raise MalformedReply(f"'kind' is missing, or no text, in {short(action)}")
        if kind in self.offered:
            return Move("", read_intent(Meaning("", kind), given, envs, places))
        env = self._env(kind, env, request)
        verbs = envs[env]
        if kind == "custom":
            kind = str(given.pop("name", ""))
            given = given.pop("arguments", given)
            if not isinstance(given, Mapping):
                raise MalformedReply(f"the arguments of {kind} are an object, not {short(given)}")
        able = [one for one in verbs.kinds if one != "custom"]
        if kind in verbs.custom:
            return Move(env, read_intent(Meaning(env, verbs.custom[kind]), given, envs, places))
        if kind not in able:
            known = sorted([*able, *verbs.custom, *self.offered])
            raise MalformedReply(f"{env} cannot do {short(kind)}; {nearest(kind, known)}", unknown=(kind,))
        return Move(env, read_intent(Meaning(env, kind), given, envs, places, ids.get(env)))

    def _said_device(self, kind: Any, given: dict[str, Any], request: Request) -> Any:
        """The device that an action names, taken out of its fields; a custom verb's own field of that name stays."""
        verbs = [verbs.custom[kind] for verbs in request.brief.envs.values() if kind in verbs.custom]
        own = {name for verb in verbs for name in own_arguments(Offered(verb.name, verb))}
        return None if DEVICE in own else given.pop(DEVICE, None)

    def _env(self, kind: str, env: Any, request: Request) -> str:
        names = list(request.brief.envs)
        if not names:
            raise MalformedReply(
                f"{short(kind)} is none of your actions; {nearest(kind, self.offered)}", unknown=(kind,)
            )
        if env is None and len(names) == 1:
            return names[0]
        if env not in names:
            said = f"{DEVICE!r} is missing" if env is None else f"there is no device {short(env)}"
            raise MalformedReply(f"{kind}: {said}; write one of {', '.join(names)}")
        return str(env)


def _is_note(action: Any) -> bool:
    return isinstance(action, Mapping) and action.get("kind") == REMEMBER.name
