"""What may be tried on a screen: verbs from its elements, and texts from the screen and the instruction alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from omnipilot.bench.audit.records import Verb
from omnipilot.bench.session import Opening
from omnipilot.envs import Element, Elements
from omnipilot.envs.schema import codec

FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "textarea"})
"""Roles of what takes text."""
LOOKED_AT = frozenset({"listitem", "tab", "link", "heading", "cell", "row", "article"})
"""Roles of what is opened, rather than switched or carried out, by a click."""
WORDS = ("yes", "no", "done", "ok", "true", "none", "0", "1", "2", "3", "5", "10", "A", "B", "C", "unknown", "success")
"""Answers that are right by chance."""
_COMMON = frozenset("the and its then with for from that this type press open phone desktop latest new save".split())
LONGEST = 60
"""Letters of a text from a screen that is typed."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What may be typed or answered.

    Attributes:
        quoted: what stands in quotes in the instruction, names and codes in it. instruction: all of it.
    """

    quoted: tuple[str, ...]
    instruction: str

    def choose(self, dice: Random, screen: Sequence[str]) -> str:
        """One of them, or what stands on the screen."""
        roll = dice.random()
        if self.quoted and roll < 0.5:
            return dice.choice(self.quoted)
        if screen and roll < 0.85:
            return dice.choice(screen)[:LONGEST]
        return self.instruction if roll < 0.9 else dice.choice(WORDS)


def texts_of(instruction: str) -> Texts:
    """The texts of an instruction: what is quoted, words with digits, and words that begin with a capital."""
    quoted = re.findall(r"[\"“„«']([^\"”“»']{1,200})[\"”“»']", instruction)
    codes = re.findall(r"\S*\d\S*", instruction)
    names = re.findall(r"\b[A-ZÀ-Þ]\w+(?: [A-ZÀ-Þ]\w+)*", instruction)
    found = [one.strip(".,;:!?\"'“”") for one in (*quoted, *codes, *names)]
    return Texts(tuple(dict.fromkeys(one for one in found if one)), instruction)


@dataclass(slots=True)
class ScreenVerbs:
    """Draws verbs for the screens of a task.

    Attributes:
        texts: of the instruction. waits: seconds that it may wait at once.
    """

    opening: Opening
    texts: Texts
    waits: Sequence[float] = (1.0, 5.0, 30.0, 120.0)
    _envs: tuple[str, ...] = field(init=False)
    _words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._envs = tuple(self.opening.envs)
        self._words = _words_of(self.texts.instruction)

    def draw(self, dice: Random, look: Callable[[str], Elements]) -> Verb:
        """A verb for one of the devices.

        Args:
            look: what is on a device's screen now.
        """
        env = dice.choice(self._envs)
        kinds = self.opening.envs[env].kinds
        elements = [one for one in look(env).items if "disabled" not in one.states]
        roll = dice.random()
        if roll < 0.5 and elements and "click" in kinds:
            return {"env": env, "kind": "click", "at": middle_of(self._one(dice, elements))}
        if roll < 0.68 and "type" in kinds:
            return self._type(dice, env, elements)
        if roll < 0.80 and "open_app" in kinds and self.opening.envs[env].installed:
            return {"env": env, "kind": "open_app", "app": self._app(dice, env)}
        if roll < 0.84 and "press" in kinds:
            return {"env": env, "kind": "press", "keys": [dice.choice(("enter", "esc", "tab", "delete"))]}
        if roll < 0.88 and elements and "long_press" in kinds:
            return {"env": env, "kind": "long_press", "at": middle_of(self._one(dice, elements))}
        if roll < 0.91 and elements and "click" in kinds:
            odd = {"button": "right"} if "long_press" not in kinds else {"count": 2}
            return {"env": env, "kind": "click", "at": middle_of(self._one(dice, elements)), **odd}
        if roll < 0.93 and "custom" in kinds and self.opening.envs[env].custom:
            return self._custom(dice, env, elements)
        if roll < 0.95 and "scroll" in kinds:
            return {"env": env, "kind": "scroll", "direction": dice.choice(("up", "down")), "amount": 5}
        if roll < 0.965 and "system" in kinds:
            return {"env": env, "kind": "system", "name": dice.choice(("back", "home"))}
        if roll < 0.98:
            return {"env": env, "kind": "answer", "text": self.texts.choose(dice, names_of(elements))}
        return {"env": env, "kind": "wait", "seconds": dice.choice(self.waits)}

    def _one(self, dice: Random, elements: Sequence[Element]) -> Element:
        """An element; those of which the instruction speaks, and buttons, are the likelier."""
        weights = [1 + 8 * bool(self._words & _words_of(one.name)) + (one.role == "button") for one in elements]
        return dice.choices(elements, weights)[0]

    def _app(self, dice: Random, env: str) -> str:
        apps = self.opening.envs[env].installed
        return dice.choices(apps, [1 + 8 * bool(self._words & _words_of(app)) for app in apps])[0]

    def draw_look(self, dice: Random, env: str, look: Callable[[str], Elements]) -> Verb:
        """A verb that only looks: a click on what opens by one, another application, or a while of waiting."""
        kinds = self.opening.envs[env].kinds
        opened = [one for one in look(env).items if one.role in LOOKED_AT and "disabled" not in one.states]
        if opened and dice.random() < 0.7:
            return {"env": env, "kind": "click", "at": middle_of(dice.choice(opened))}
        apps = self.opening.envs[env].installed
        if apps and "open_app" in kinds:
            return {"env": env, "kind": "open_app", "app": dice.choice(apps)}
        return {"env": env, "kind": "wait", "seconds": dice.choice(self.waits)}

    def _type(self, dice: Random, env: str, elements: Sequence[Element]) -> Verb:
        boxes = [one for one in elements if one.role in FIELDS]
        verb: dict[str, Any] = {"env": env, "kind": "type", "text": self.texts.choose(dice, names_of(elements))}
        if boxes:
            verb["at"] = middle_of(dice.choice(boxes))
        if dice.random() < 0.4:
            verb["submit"] = True
        if dice.random() < 0.3:
            verb["clear"] = True
        return verb

    def _custom(self, dice: Random, env: str, elements: Sequence[Element]) -> Verb:
        verb = dice.choice(list(self.opening.envs[env].custom.values()))
        properties = codec.tool_schema(verb)["parameters"].get("properties", {})
        given = {
            name: self.texts.choose(dice, names_of(elements))
            for name, form in properties.items()
            if form.get("type") == "string"
        }
        return {"env": env, "kind": "custom", "name": verb.name, "arguments": given}


@lru_cache(maxsize=10_000)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2) - _COMMON


def names_of(elements: Sequence[Element]) -> list[str]:
    """The texts of elements: names and values."""
    return [text for one in elements for text in (one.name, one.value) if text]


def middle_of(element: Element) -> dict[str, float]:
    """The middle of an element, as a verb aims at it."""
    at = element.box.center
    return {"x": at.x, "y": at.y}
