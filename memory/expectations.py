"""Expectations: what should hold after a move, as data that a checker can compare with what is observed next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.memory.quoting import quote

ExpectationKind: TypeAlias = Literal[
    "clipboard",  # it holds `value`
    "title",  # of the window or page in front: `value`
    "field",  # the field `what` holds `value`
    "present",  # the element `what` is on the screen
    "absent",
    "checked",  # the checkbox, radio button or switch `what`
    "unchecked",
    "selected",  # the tab, option or row `what`
    "enabled",  # the control `what`
    "file",  # a file named `what` exists
    "sound",  # `value` is "stopped" or "started"
    "app",  # `value` is in front
    "address",  # of the page in front: `value`
    "changed",  # the screen, or what is heard
]
EXPECTATION_KINDS: tuple[ExpectationKind, ...] = get_args(ExpectationKind)

OF_ELEMENTS = frozenset({"field", "present", "absent", "checked", "unchecked", "selected", "enabled", "file"})
"""Kinds that say of what: their `what` is not empty."""
OF_VALUES = frozenset({"clipboard", "title", "sound", "app", "address"})
"""Kinds that need a value. That of a field may be empty: it should be empty."""
LONGEST, LONGEST_TOLD = 2_000, 200
"""Characters of `what` and of `value`, and those of a value that are told in words."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that should hold.

    Attributes:
        kind: see `ExpectationKind`.
        what: of which element, field or file, in words such as "the Save button", or # and the id of a listed element.
        value: what it should hold or be; for `title` and `address`, a part of it is enough.
        env: environment; "" for that of the turn's last move.

    Raises:
        ValueError: `what` or `value` is missing, too long or no text; the message is for whoever states it.
    """

    kind: ExpectationKind
    what: str = ""
    value: str = ""
    env: str = ""

    def __post_init__(self) -> None:
        if self.kind not in EXPECTATION_KINDS:
            raise ValueError(f"there is no expectation {self.kind!r:.40}; use one of {', '.join(EXPECTATION_KINDS)}")
        for name in ("what", "value", "env"):
            said = getattr(self, name)
            if not isinstance(said, str) or len(said) > LONGEST:
                raise ValueError(f"{self.kind}: {name} is text of at most {LONGEST} characters, not {said!r:.40}")
        if self.kind in OF_ELEMENTS and not self.what.strip():
            raise ValueError(f'{self.kind}: "what" is missing: say of which element, field or file')
        if self.kind in OF_VALUES and not self.value.strip():
            raise ValueError(f'{self.kind}: "value" is missing: say what it should be')
        if self.kind == "sound" and self.value not in ("stopped", "started"):
            raise ValueError(f'sound: "value" is "stopped" or "started", not {self.value!r:.40}')

    def __str__(self) -> str:
        """In words: 'the clipboard holds "7394"'."""
        held = quote(self.value if len(self.value) <= LONGEST_TOLD else self.value[:LONGEST_TOLD] + "…")
        where = f" on {self.env}" if self.env else ""
        return {
            "clipboard": f"the clipboard{where} holds {held}",
            "title": f"the title{where} is {held}",
            "field": f"{self.what}{where} holds {held}" if self.value else f"{self.what}{where} is empty",
            "sound": f"the sound{where} has {self.value}",
            "app": f"{held} is in front{where}",
            "address": f"the address{where} is {held}",
            "changed": f"something changes{where}",
            "file": f"the file {self.what}{where} exists",
        }.get(self.kind, f"{self.what}{where} is {self.kind}")

    def to_json(self) -> dict[str, str]:
        """As plain JSON values, without what is empty."""
        told = {"kind": self.kind, "what": self.what, "value": self.value, "env": self.env}
        return {name: said for name, said in told.items() if said}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], device: str = "env") -> Expectation:
        """What `to_json` wrote, or what a model stated in this form.

        Args:
            device: the key that names the environment.

        Raises:
            ValueError: it has another form; the message says what is wrong with it.
        """
        if not isinstance(data, Mapping):
            example = '{"kind": "app", "value": "Mail"}'
            raise ValueError(f"an expectation is an object such as {example}, not {data!r:.60}")
        given = {str(name): said for name, said in data.items() if said is not None}
        if strange := set(given) - {"kind", "what", "value", device}:
            raise ValueError(f"an expectation has kind, what, value and {device}, no {', '.join(sorted(strange))}")
        if "kind" not in given:
            raise ValueError(f'"kind" is missing; use one of {", ".join(EXPECTATION_KINDS)}')
        told: dict[str, Any] = {
            "env" if name == device else name: str(said) if isinstance(said, int | float) else said
            for name, said in given.items()
        }
        return cls(**told)
