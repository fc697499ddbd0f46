"""Macro-actions: short programs of verbs under a name, with parameters, from a TOML file."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.envs import ActionRejected, ConfigError, Custom, CustomVerb, Intent
from omnipilot.envs.schema import codec
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.envs.types import CONTROL_VERBS, VERBS, MalformedAction
from omnipilot.memory.expectations import Expectation
from omnipilot.memory.trajectory import Move

_HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MOST_STEPS = 20
FIELDS = ("name", "about", "device", "page", "parameters", "steps", "expect")
"""What a macro of a file may say."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A short program of verbs.

    Attributes:
        name: as a planner calls it. about: what it does, for the planner.
        steps: its verbs as JSON, in which `{parameter}` stands for what a parameter says.
        parameters: by name, what each is, for the planner.
        device: name or platform of the devices that have it; "" for every one that has its verbs.
        page: descriptions, or # and ids, of elements that have to be on the screen before it.
        expect: what should hold after it, as `Expectation.to_json` writes it, with the same holes.

    Raises:
        ConfigError: it cannot be one; the message says why not.
    """

    name: str
    about: str
    steps: tuple[Mapping[str, Any], ...]
    parameters: Mapping[str, str] = field(default_factory=dict)
    device: str = ""
    page: tuple[str, ...] = ()
    expect: tuple[Mapping[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name in VERBS:
            raise ConfigError(f"macro {self.name!r}: a name is a small word such as send_message, and no verb's")
        if not self.about.strip():
            raise ConfigError(f"macro {self.name}: say what it does, with about; planners read it")
        if not 1 <= len(self.steps) <= MOST_STEPS:
            raise ConfigError(f"macro {self.name} has {len(self.steps)} steps; it may have 1 to {MOST_STEPS}")
        holes = set(_HOLE.findall(json.dumps([*self.steps, *self.expect, *self.page])))
        if holes != set(self.parameters):
            wrong = ", ".join(sorted(holes ^ set(self.parameters)))
            raise ConfigError(f"macro {self.name}: parameters and holes of its steps do not agree: {wrong}")
        example = dict.fromkeys(self.parameters, "x")
        self.fill(example)
        self.expectations(example)

    def fill(self, arguments: Mapping[str, str]) -> tuple[Intent, ...]:
        """The verbs with the parameters filled in.

        Raises:
            ConfigError: a step is no verb of a device.
        """
        found = []
        for step in self.steps:
            try:
                found.append(codec.from_json(_filled(step, arguments)))
            except MalformedAction as error:
                raise ConfigError(f"macro {self.name}: {error}") from None
            if found[-1].kind in CONTROL_VERBS - {"wait"}:
                raise ConfigError(f"macro {self.name}: {found[-1].kind} is for planners alone; leave it out")
        return tuple(found)

    def expectations(self, arguments: Mapping[str, str]) -> tuple[Expectation, ...]:
        """What should hold after it.

        Raises:
            ConfigError: one has another form.
        """
        try:
            return tuple(Expectation.from_json(_filled(one, arguments)) for one in self.expect)
        except ValueError as error:
            raise ConfigError(f"macro {self.name}: {error}") from None

    def page_elements(self, arguments: Mapping[str, str]) -> tuple[str, ...]:
        """The elements that have to be on the screen before it."""
        return tuple(_filled(self.page, arguments))

    def match(self, moves: Sequence[Move]) -> dict[str, str] | None:
        """The arguments with which it makes exactly these first moves; None if it does not make them."""
        return self.begin_with(moves) if len(moves) >= len(self.steps) else None

    def begin_with(self, moves: Sequence[Move]) -> dict[str, str] | None:
        """The arguments, as far as they can be told, with which these moves are its first ones, or the other way round.
        None if they are not."""
        if len({move.env for move in moves[: len(self.steps)]}) != 1:
            return None
        if self.device and self.device != moves[0].env:
            return None
        found: dict[str, str] = {}
        for step, move in zip(self.steps, moves, strict=False):
            if type(move) is not Move or not _unify(step, codec.to_json(move.intent), found):
                return None
        return found

    def verb(self) -> CustomVerb:
        """The macro as planners are offered it."""

        def call(**_: str) -> None:
            raise ActionRejected(f"{self.name} is carried out by the loop, step by step")

        call.__name__ = self.name
        call.__annotations__ = dict.fromkeys(self.parameters, str)
        kind = inspect.Parameter.KEYWORD_ONLY
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, kind, annotation=str) for name in self.parameters]
        )
        told = "".join(f"\n    {name}: {words}" for name, words in self.parameters.items())
        return CustomVerb(self.name, self.about + (f"\n\nArgs:{told}" if told else ""), call, self.steps)

    @classmethod
    def from_verb(cls, verb: CustomVerb) -> Macro | None:
        """The macro that a planner is offered as a verb, without its page; None where the verb is none."""
        holes = sorted(set(_HOLE.findall(json.dumps(verb.steps))))
        return cls(verb.name, verb.description, verb.steps, dict.fromkeys(holes, "")) if verb.steps else None

    def to_toml(self) -> str:
        """The macro as `read_macros` reads it."""
        lines = ["[[macro]]", f"name = {json.dumps(self.name)}", f"about = {_quoted(self.about)}"]
        if self.device:
            lines.append(f"device = {_quoted(self.device)}")
        if self.page:
            lines.append(f"page = {_toml(self.page)}")
        if self.parameters:
            lines.append(f"parameters = {_toml(self.parameters)}")
        if self.expect:
            lines.append(f"expect = {_toml(self.expect)}")
        steps = ",\n".join(f"  {_toml(step)}" for step in self.steps)
        return "\n".join([*lines, f"steps = [\n{steps},\n]", ""])


def read_macros(path: Path) -> tuple[Macro, ...]:
    """The macros of a TOML file, each a table `[[macro]]`.

    Raises:
        ConfigError: it cannot be read, or says something that no macro has; the message says what.
    """
    table = read_toml(path)
    given = table.get("macro", [])
    if set(table) - {"macro"} or not isinstance(given, list) or not given:
        raise ConfigError(f"{path} has no macros: write each as a table [[macro]] with name, about and steps")
    found: list[Macro] = []
    for number, one in enumerate(given, 1):
        if not isinstance(one, Mapping) or not {"name", "about", "steps"} <= set(one):
            raise ConfigError(f"{path}: macro {number} needs name, about and steps")
        if strange := set(one) - set(FIELDS):
            raise ConfigError(f"{path}: a macro has no {', '.join(sorted(strange))}; it has {', '.join(FIELDS)}")
        try:
            found.append(Macro(**{**one, **{key: tuple(one.get(key, ())) for key in ("steps", "page", "expect")}}))
        except (ConfigError, TypeError) as error:
            raise ConfigError(f"{path}: {error}") from None
    if len({one.name for one in found}) != len(found):
        raise ConfigError(f"{path}: two macros have one name; rename one")
    return tuple(found)


def digest_of(macros: Sequence[Macro]) -> str:
    """A hash of what macros do, in hexadecimal, for the identity of runs."""
    return hashlib.sha256("".join(one.to_toml() for one in macros).encode()).hexdigest()[:16]


def shorten(moves: Sequence[Move], macros: Sequence[Macro]) -> list[tuple[Move, int]]:
    """Moves with calls of macros in place of those that they make, the longest first.

    Returns:
        Each move with the number of moves that it stands for.
    """
    ordered = sorted(macros, key=lambda one: -len(one.steps))
    found: list[tuple[Move, int]] = []
    at = 0
    while at < len(moves):
        chosen = next(((one, args) for one in ordered if (args := one.match(moves[at:])) is not None), None)
        if chosen is None:
            found.append((moves[at], 1))
            at += 1
            continue
        macro, arguments = chosen
        found.append((Move(moves[at].env, Custom(macro.name, arguments)), len(macro.steps)))
        at += len(macro.steps)
    return found


def _filled(value: Any, arguments: Mapping[str, str]) -> Any:
    """JSON values with every hole filled."""
    if isinstance(value, str):
        return _HOLE.sub(lambda match: arguments.get(match[1], match[0]), value)
    if isinstance(value, Mapping):
        return {name: _filled(one, arguments) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(one, arguments) for one in value]
    return value


def _unify(pattern: Any, value: Any, found: dict[str, str]) -> bool:
    """Whether JSON values are a pattern with its holes filled; what fills them is noted."""
    if isinstance(pattern, str) and (hole := _HOLE.fullmatch(pattern)):
        return isinstance(value, str) and found.setdefault(hole[1], value) == value
    if isinstance(pattern, Mapping):
        if not isinstance(value, Mapping) or set(pattern) != set(value):
            return False
        return all(_unify(pattern[name], value[name], found) for name in pattern)
    if isinstance(pattern, list | tuple):
        if not isinstance(value, list | tuple) or len(pattern) != len(value):
            return False
        return all(_unify(one, other, found) for one, other in zip(pattern, value, strict=True))
    return bool(pattern == value) and type(pattern) is type(value)


def _toml(value: Any) -> str:
    """JSON values as inline TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    """A basic string of TOML: that of JSON, whose escapes it knows, but for the character that it forbids."""
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")
