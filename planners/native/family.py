"""A native model family: a model that decides and points at once, and everything needed to ask and to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from omnipilot.envs import Intent, Point, Size
from omnipilot.envs.types import Frame
from omnipilot.envs.types.frames import Order, Space
from omnipilot.envs.types.resize import AsIs, Resize
from omnipilot.memory import MalformedReply
from omnipilot.memory.models import Tool
from omnipilot.memory.models.replies.action_text import excerpt, join_thoughts
from omnipilot.memory.models.replies.call import Call
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.arguments import Arguments, NativeAction

Evidence: TypeAlias = Literal["code", "third-party", "unverified"]
"""Where a record comes from: the authors' code; somebody else's re-implementation; nobody has checked it."""
Said: TypeAlias = str | Sequence[tuple[str, str]]
"""A reply: its text, or the tool calls that a server handed over."""
MOST = 50
"""Actions of one reply."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a conversation with a model looks.

    Attributes:
        prompt: name of the prompt, see `native_prompt`.
        mobile: the one for phones, "" for the same.
        history: `turns` replays the conversation; `list` asks anew each time and lists what was done in the text.
        images: screenshots kept in a conversation, the current one among them.
        image_first: whether the screenshot comes before the text of its turn.
        replay: a reply as the model was trained to see it again.
        gap: what stands for a screenshot that is not kept, "" for nothing at all.
        done: what a listed history says of a reply.
    """

    prompt: str
    mobile: str = ""
    history: Literal["turns", "list"] = "turns"
    images: int = 5
    image_first: bool = False
    gap: str = "(an earlier screenshot)"
    replay: Callable[[str], str] = str
    done: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class NativeFamily:
    """One record: how to converse with the models of one family, and how their actions become verbs.

    Attributes:
        name: lower-case. models: exact ids; the first is the default.
        space, order: of the numbers in an action. resize: from a screenshot's size to the size that is sent.
        read: from a reply's text to its calls and the thought around them; raises MalformedReply.
        read_handed: from tool calls that a server handed over, None where the family writes none.
        actions: the vocabulary, by names in lower case. ignores: arguments that say nothing about what to do.
        tools: the functions that the model is given, for those that are given any.
        parameters: of the request: temperature, max_tokens, …
        evidence, source: how sure the record is, and where it was read.
    """

    name: str
    models: tuple[str, ...]
    space: Space
    read: Callable[[str], tuple[list[Call], str]]
    actions: Mapping[str, NativeAction]
    layout: Layout
    evidence: Evidence
    source: str
    note: str = ""
    order: Order = "xy"
    resize: Resize = field(default_factory=AsIs)
    read_handed: Callable[[Sequence[tuple[str, str]]], list[Call]] | None = None
    ignores: frozenset[str] = frozenset()
    tools: tuple[Tool, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def parse(self, said: Said, sent: Size, screenshot: Size, cursor: Point | None = None) -> tuple[list[Intent], str]:
        """The actions of a reply in order, and the thought behind them.

        Args:
            said: the reply.
            sent: size of the image the model was sent. screenshot: of the screenshot that image was made from.
            cursor: where the pointer is, if that is known.

        Raises:
            MalformedReply: the reply cannot be read; the message says what is wrong, for the model.
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
        return list(self._meant(calls, frame, cursor, thoughts)), join_thoughts(thoughts)

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
        return perform(call, self.actions, self.ignores, frame, cursor)


NOTE = "pause_and_memorize_fact"
"""An action that only takes a note (Fara); its text joins the thought."""


def perform(
    call: Call,
    actions: Mapping[str, NativeAction],
    ignores: frozenset[str],
    frame: Frame,
    cursor: Point | None,
) -> list[Intent]:
    """What one call means in a vocabulary.

    Raises:
        MalformedReply: it is no action of the vocabulary, or its arguments are wrong.
    """
    action = actions.get(call.name.lower())
    where = f"line {call.line}: " if call.line else ""
    if action is None:
        known = ", ".join(dict.fromkeys(actions))
        raise MalformedReply(f"{where}there is no action {excerpt(call.name, 40)}; there are {known}")
    arguments = Arguments(call, action.takes, ignores, frame, cursor)
    try:
        return list(action.make(arguments))
    except ValueError as error:
        # A verb that refuses to be born says which of its fields is out of bounds.
        raise MalformedReply(f"{where}{call.name}: {error}") from None
