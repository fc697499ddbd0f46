"""A native model family: how to prompt models that plan and ground in one step, and how to read their replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from omnipilot.envs import Answer, Done, Intent, Point, Size
from omnipilot.envs.types import AsIs, Frame, Resize
from omnipilot.envs.types.fields import LONGEST_TEXT
from omnipilot.envs.types.frames import Order, Space
from omnipilot.memory import MalformedReply
from omnipilot.memory.models import Tool
from omnipilot.memory.models.evidence import READ, Evidence, proof
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.action_text import excerpt, join_thoughts
from omnipilot.memory.models.replies.values import characters
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.arguments import Arguments, Corners, NativeAction

Said: TypeAlias = str | Sequence[tuple[str, str]]
"""A reply: its text, or the tool calls that a server parsed."""
MOST = 50
"""Maximum number of actions in one reply."""


@dataclass(frozen=True, slots=True)
class ConversationLayout:
    """The layout of a conversation with a model.

    Attributes:
        prompt: name of the prompt, see `native_prompt`.
        mobile: name of the prompt for phones, "" for the same.
        history: `turns` replays the conversation; `list` starts a new one each time and lists past actions in the text.
        images: number of screenshots kept in a conversation, including the current one.
        image_first: whether the screenshot comes before the text of its turn.
        replay: converts a reply to the form the model expects in its history.
        gap: text in place of a screenshot that is not kept, "" for none.
        done: converts a reply to its entry in a listed history.
        ours: whether the wording is ours; otherwise it is what the model's authors publish.
    """

    prompt: str
    mobile: str = ""
    history: Literal["turns", "list"] = "turns"
    images: int = 5
    image_first: bool = False
    gap: str = "(an earlier screenshot)"
    replay: Callable[[str], str] = str
    done: Callable[[str], str] = str
    ours: bool = True


@dataclass(frozen=True, slots=True)
class NativeFamily:
    """How to prompt the models of one family, and how their actions map to verbs.

    Attributes:
        name: lower-case. models: exact ids; the first is the default.
        space, order: coordinate space and axis order of an action. resize: maps a screenshot's size to the sent size.
        read: parses a reply's text into calls and the thought around them; raises MalformedReply.
        read_handed: parses tool calls from the server; None if the family writes none.
        actions: the vocabulary, by lower-case name. ignores: arguments without effect.
        tools: the functions offered to the model, if any.
        parameters: request parameters: temperature, max_tokens, …
        corners: what four numbers for one place are, as its authors' code reads them.
        thought_answers: the thought before the end of a task is the answer.
        evidence, source, checked: how reliable the record is, where it comes from, and the month when that was read.
        example: a reply that clicks the middle of a screen of 1000x1000; "" where the server hands calls over.
    """

    name: str
    models: tuple[str, ...]
    space: Space
    read: Callable[[str], tuple[list[Call], str]]
    actions: Mapping[str, NativeAction]
    layout: ConversationLayout
    evidence: Evidence
    source: str
    note: str = ""
    order: Order = "xy"
    resize: Resize = field(default_factory=AsIs)
    read_handed: Callable[[Sequence[tuple[str, str]]], list[Call]] | None = None
    ignores: frozenset[str] = frozenset()
    tools: tuple[Tool, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    corners: Corners = "named"
    thought_answers: bool = False
    checked: str = READ
    example: str = ""

    @property
    def proof(self) -> str:
        """What was verified, against what, and when, in one line."""
        return proof(self.evidence, self.source, self.checked)

    def parse(self, said: Said, sent: Size, screenshot: Size, cursor: Point | None = None) -> tuple[list[Intent], str]:
        """Parse a reply into its actions, in order, and the thought behind them.

        Args:
            said: the reply.
            sent: size of the image sent to the model. screenshot: size of the original screenshot.
            cursor: position of the pointer, if known.

        Raises:
            MalformedReply: the reply cannot be parsed; the message is for the model.
        """
        if isinstance(said, str):
            calls, thought = self.read(said)
        elif self.read_handed is None:
            raise MalformedReply("write the action in your reply; tool calls are not read")
        else:
            calls, thought = self.read_handed(said), ""
        if not calls:
            raise MalformedReply(f"there is no action in {excerpt(said if isinstance(said, str) else str(said))}")
        frame = Frame(screenshot, sent, self.space, self.order)
        thoughts = [thought]
        made = list(self._meant(calls, frame, cursor, thoughts))
        return (_answered(made, thought) if self.thought_answers else made), join_thoughts(thoughts)

    def _meant(self, calls: Sequence[Call], frame: Frame, cursor: Point | None, thoughts: list[str]) -> list[Intent]:
        made: list[Intent] = []
        for call in calls:
            if call.name.lower() == NOTE:
                thoughts.append(str(next(iter(call.named.values()), "")))
            for intent in self._act(call, frame, cursor):
                made.append(intent)
                cursor = cursor_after(intent, cursor)
            if len(made) > MOST:
                raise MalformedReply(f"more than {MOST} actions in one reply; give fewer at a time")
        return made

    def _act(self, call: Call, frame: Frame, cursor: Point | None) -> list[Intent]:
        return perform(call, self.actions, self.ignores, frame, cursor, self.corners)


def _answered(made: list[Intent], thought: str) -> list[Intent]:
    """The intents with the thought as the answer, where they end the task and give none."""
    said = characters(thought.strip()[-LONGEST_TEXT:])
    if not said or not any(isinstance(one, Done) for one in made) or any(isinstance(one, Answer) for one in made):
        return made
    end = next(index for index, one in enumerate(made) if isinstance(one, Done))
    return [*made[:end], Answer(said), *made[end:]]


NOTE = "pause_and_memorize_fact"
"""An action that only takes a note (Fara); its text is appended to the thought."""


def perform(
    call: Call,
    actions: Mapping[str, NativeAction],
    ignores: frozenset[str],
    frame: Frame,
    cursor: Point | None,
    corners: Corners = "named",
) -> list[Intent]:
    """The intents of one call, according to a vocabulary.

    Raises:
        MalformedReply: the action is not in the vocabulary, or its arguments are wrong.
    """
    action = actions.get(call.name.lower())
    where = f"line {call.line}: " if call.line else ""
    if action is None:
        known = ", ".join(dict.fromkeys(actions))
        raise MalformedReply(
            f"{where}there is no action {excerpt(call.name, 40)}; there are {known}", unknown=(call.name,)
        )
    arguments = Arguments(call, action.takes, ignores, frame, cursor, corners)
    try:
        return list(action.make(arguments))
    except ValueError as error:
        # A verb's constructor says which of its fields is out of bounds.
        raise MalformedReply(f"{where}{call.name}: {error}") from None
