"""Entities that a model finds in a text, beside those that rules find: code words, names, what is said in passing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.envs import ConfigError, Modality, OmnipilotError
from omnipilot.memory.episodic.anchors import normal
from omnipilot.memory.episodic.anchors.entities import ENTITY_TYPES, LONGEST_READ, Entity, EntityType, entities_in
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.messages import Message, ModelUnavailable, Usage
from omnipilot.memory.models.exchange import in_role, tell_unread
from omnipilot.memory.models.replies.json_text import single_object
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.memory.prompts import Prompt, read_prompt
from omnipilot.memory.quoting import quote
from omnipilot.memory.warm_up import warm_up

LEAST = 20
"""Characters of new text for which the model is asked."""
PER_TURN = 2
"""Calls in one turn, at most: a screen of each of two devices."""
PATIENCE = 3
"""Calls in a row without an answer, after which the model is asked no more in the episode."""
LONGEST_VALUE, LONGEST_LABEL, MOST = 200, 60, 40
"""Characters of a value and of its label, and values of one reply."""
TYPES: tuple[EntityType, ...] = tuple(one for one in ENTITY_TYPES if one != "note")
_LINE = re.compile(r" \| |\n")
_WORD = re.compile(r"\w+")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "anchors": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": list(TYPES)},
                    "label": {"type": "string", "maxLength": LONGEST_LABEL},
                    "value": {"type": "string", "maxLength": LONGEST_VALUE},
                },
                "required": ["type", "label", "value"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["anchors"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a model found in one text.

    Attributes:
        dropped: values that are not in the text, or of no known type.
        problem: why nothing was found, if the call failed or its reply could not be read; "" otherwise.
    """

    entities: tuple[Entity, ...] = ()
    dropped: int = 0
    problem: str = ""


class EntityModel:
    """Asks a chat model for the entities in each new text, lines that it was given before left out.

    A value counts only if it stands in the text letter for letter. No fault of the model is raised: whatever it fails
    at, the rules have found what they find.

    Args:
        model: a chat model; see `omnipilot.memory.models.ChatModel`. name: what it is called in the record.
        calls: most calls in one episode.
    """

    def __init__(self, model: Any, name: str, calls: int = 100) -> None:
        self.model = model
        self.name = name
        self.calls = calls
        self._usage = Usage()
        self.clear()

    def warm_up(self) -> None:
        """Load what the first call needs."""
        warm_up(self.model)

    def clear(self) -> None:
        """Forget the episode."""
        self._read: set[tuple[str, object, str]] = set()
        self._left = self.calls
        self._turn: tuple[int, int] = (0, 0)
        self._unanswered = 0

    def drain_usage(self) -> Usage:
        """What the calls have cost since the last call of this."""
        spent, self._usage = self._usage, Usage()
        return spent

    def extract(self, event: TimelineEvent) -> Extracted | None:
        """What the model finds in the new lines of a text; None if it is not asked: too little is new, or no call of
        the turn or the episode is left."""
        lines = [line.strip() for line in _LINE.split(event.text)]
        new = [line for line in dict.fromkeys(lines) if line and (event.env, event.modality, line) not in self._read]
        text = "\n".join(new)[:LONGEST_READ]
        turn, made = self._turn
        made = made if turn == event.turn else 0
        if len(text) < LEAST or not self._left or made >= PER_TURN:
            return None
        self._read |= {(event.env, event.modality, line) for line in new}
        self._left -= 1
        self._turn = event.turn, made + 1
        try:
            with in_role("memory"):
                messages = [Message("system", (anchor_prompt().text,)), Message("user", (_shown(event, text),))]
                reply = self.model.complete(messages, schema=SCHEMA)
            self._usage += reply.usage
            self._unanswered = 0
            listed = single_object(without_thoughts(reply.text))["anchors"]
            if not isinstance(listed, list):
                raise TypeError('"anchors" is a list')
        except (OmnipilotError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, ConfigError | ModelUnavailable):
                self._unanswered += 1
                if self._unanswered >= PATIENCE:
                    self._left = 0
            else:
                tell_unread(f"{error}" or type(error).__name__)
            return Extracted(problem=f"{error}" or type(error).__name__)
        found = [_entity(item, text) for item in listed[:MOST]]
        kept = tuple(dict.fromkeys(one for one in found if one is not None))
        return Extracted(kept, found.count(None) + len(listed[MOST:]))


def _shown(event: TimelineEvent, text: str) -> str:
    """A text as the model is shown it: where it is from, and each of its lines in quotes."""
    how = "Heard on" if event.modality is Modality.AUDIO else "Read on"
    return "\n".join([f"{how} {event.env}:", *map(quote, text.split("\n"))])


def anchor_prompt() -> Prompt:
    """What a model is told to do."""
    return read_prompt("omnipilot.memory.episodic.anchors", "anchors")


def _entity(item: object, text: str) -> Entity | None:
    """An item of a reply; None unless its value stands in the text. A label of other words is left out."""
    if not isinstance(item, Mapping) or item.get("type") not in TYPES:
        return None
    value, label = item.get("value"), item.get("label")
    if not isinstance(value, str) or not (value := value.strip()) or len(value) > LONGEST_VALUE or value not in text:
        return None
    said = frozenset(_WORD.findall(text.casefold()))
    label = " ".join(label.split()) if isinstance(label, str) else ""
    if len(label) > LONGEST_LABEL or not said.issuperset(_WORD.findall(label.casefold())):
        label = ""
    # Where rules know the value by itself, it is the same anchor as theirs.
    same = [one for one in entities_in(value) if one.value == value]
    if same:
        return Entity(same[0].type, value, same[0].key, label)
    type: EntityType = item["type"]
    return Entity(type, value, (normal.code(value) if type == "code" else normal.words(value)) or value, label)
