"""Checks in one line each, which judge an instruction of one's own: `url contains /thanks`.

    [DEVICE:] [not] url|text                      is|contains|matches VALUE
    [DEVICE:] [not] element PATH                  exists, or is|contains|matches VALUE
    [DEVICE:] [not] storage local|session|cookie NAME   exists, or is|contains|matches VALUE
    [DEVICE:] [not] file PATH                     exists, or is|contains|matches VALUE
    [DEVICE:] [not] js EXPRESSION
    [DEVICE:] [not] shell COMMAND
    [DEVICE:] [not] shell "COMMAND"               is|contains|matches VALUE

Texts with blanks may stand in quotes, and have to where they hold an operator. Nothing here asks a device: what a check
is about is read by `omnipilot.bench.free.readings`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from omnipilot.bench.judges.layout import find_by_path
from omnipilot.bench.judges.matching import fold_text
from omnipilot.envs import ConfigError, Elements
from omnipilot.envs.schema.validation_messages import nearest

CheckKind: TypeAlias = Literal["url", "text", "element", "storage", "js", "file", "shell"]
Operator: TypeAlias = Literal["is", "contains", "matches", "exists", "holds"]
KINDS = get_args(CheckKind)
STORES = ("local", "session", "cookie")
"""Where a page may store something."""
EXAMPLES = {
    "url": "url contains /thanks",
    "text": 'text contains "Thank you"',
    "element": 'element checkbox"News" exists',
    "storage": "storage local cart contains apple",
    "js": "js document.forms.length === 1",
    "file": "file notes.txt contains 42",
    "shell": "shell test -f notes.txt",
}
"""A check of each kind, for messages and pages of help."""
_OPERATORS = ("is", "contains", "matches", "exists")
_OPERATOR = re.compile(rf"(?<!\S)({'|'.join(_OPERATORS)})(?!\S)")
_DEVICE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):(?=\s)")
_FOLDED = ("text", "element")
"""Kinds whose texts are compared without regard to case and blanks."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check, read.

    Attributes:
        written: as it was written.
        device: the device that it is about, or the environment, DEVICE-ENV, of one that has several.
        kind: what is looked at. subject: which of it: a path of elements, a path of a file, a command, an expression,
            or the store and the name of what a page stored ("local cart"); "" for the address and the text.
        operator: how it is compared with `value`; "holds" for an expression and a command without one.
        negated: whether it must not be so.
    """

    written: str
    device: str
    kind: CheckKind
    subject: str = ""
    operator: Operator = "holds"
    value: str = ""
    negated: bool = False

    def compare(self, found: str) -> bool:
        """Whether a text is what the operator asks for, negation apart.

        Elements and texts on a screen are compared without regard to case and blanks, all else exactly; a regular
        expression (`matches`) is searched for, and sees the text as it is.
        """
        if self.operator == "matches":
            return re.search(self.value, found) is not None
        fold = fold_text if self.kind in _FOLDED else _as_it_is
        wanted, shown = fold(self.value), fold(found)
        return wanted == shown if self.operator == "is" else wanted in shown


def read_check(written: str, devices: Collection[str], default: str = "") -> Check:
    """Read a check.

    Args:
        written: see the module. devices: names of those that the world has.
        default: the device of a check that names none; "" to refuse one where there are several.

    Raises:
        ConfigError: it is none; the message marks the place, and says what to write instead.
    """
    return _Reader(written, devices).read(default)


class _Reader:
    """Reads one check from the left to the right; `at` is the place that it has come to."""

    def __init__(self, written: str, devices: Collection[str]) -> None:
        self.written = written
        self.devices = devices
        self.at = 0

    def read(self, default: str) -> Check:
        device = self._device() or default
        negated = self._take("not")
        kind = self._kind()
        if not device:
            if len(self.devices) > 1:
                one, *_ = self.devices
                raise self._wrong(
                    f"the world has several devices: begin with the one that it is about, as in {one}: {kind} …", 0
                )
            (device,) = self.devices
        if kind == "js":
            return Check(self.written, device, kind, self._rest("an expression"), negated=negated)
        store = self._store() if kind == "storage" else ""
        subject = "" if kind in ("url", "text") else self._subject(kind)
        if kind == "shell" and self.at >= len(self.written):
            return Check(self.written, device, kind, subject, negated=negated)
        operator = self._operator(kind)
        value = "" if operator == "exists" else self._value(operator)
        subject = f"{store} {subject}" if store else subject
        return Check(self.written, device, kind, subject, operator, value, negated)

    def _device(self) -> str:
        self._skip()
        found = _DEVICE.match(self.written, self.at)
        if found is None:
            return ""
        # A device of several environments has them as DEVICE-ENV.
        if not any(found[1] == device or found[1].startswith(f"{device}-") for device in self.devices):
            raise self._wrong(f"there is no device {found[1]!r}; {nearest(found[1], list(self.devices))}")
        self.at = found.end()
        return found[1]

    def _kind(self) -> CheckKind:
        self._skip()
        word = self._word()
        for kind in KINDS:
            if word == kind:
                self.at += len(word)
                return kind  # type: ignore[no-any-return]
        if not word:
            raise self._wrong(f"a check begins with one of {', '.join(KINDS)}, as in {EXAMPLES['url']!r}")
        raise self._wrong(f"there is no kind of check {word!r}; {nearest(word, KINDS)}")

    def _store(self) -> str:
        self._skip()
        word = self._word()
        if word not in STORES:
            told = f"{word!r} is no place where pages store" if word else "the place is missing where the page stores"
            raise self._wrong(f"{told}; {nearest(word, STORES)}, as in {EXAMPLES['storage']!r}")
        self.at += len(word)
        return word

    def _subject(self, kind: CheckKind) -> str:
        """What stands before the operator: a text in quotes, or all up to the operator."""
        self._skip()
        what = {"element": "a path of elements", "storage": "a name", "file": "a path", "shell": "a command"}[kind]
        began = self.at
        if self.written[began : began + 1] in ('"', "'") and kind != "element":
            subject = self._quoted()
        elif kind == "shell":
            subject = self._rest("a command")
        else:
            found = next(
                (one for one in _OPERATOR.finditer(self.written, began) if not self._inside(began, one.start())), None
            )
            subject = self.written[began : found.start() if found else len(self.written)].strip()
            self.at = found.start() if found else len(self.written)
        if not subject:
            raise self._wrong(f"{what} is missing, as in {EXAMPLES[kind]!r}", began)
        if kind == "element":
            try:
                find_by_path(Elements(()), subject)
            except ConfigError as error:
                raise self._wrong(str(error), began) from None
        return subject

    def _operator(self, kind: CheckKind) -> Operator:
        self._skip()
        word = self._word()
        able = tuple(one for one in _OPERATORS if one != "exists" or kind not in ("url", "text", "shell"))
        if word == "not":
            raise self._wrong(f"'not' stands before the kind: not {self.written[: self.at].strip()} …")
        if word not in able:
            told = f"{word!r} is no operator of {kind!r}" if word else "the operator is missing"
            quote = "; put a command that is followed by one into quotes" if kind == "shell" else ""
            raise self._wrong(f"{told}: write {', '.join(able[:-1])} or {able[-1]}, as in {EXAMPLES[kind]!r}{quote}")
        self.at += len(word)
        if word == "exists" and self.written[self.at :].strip():
            self._skip()
            raise self._wrong("'exists' ends a check; for what is in it write contains or is")
        return word  # type: ignore[return-value]

    def _value(self, operator: Operator) -> str:
        self._skip()
        began = self.at
        if self._word() == "not":
            before = self.written[:began].strip()
            raise self._wrong(
                f"'not' stands before the kind, as in 'not {before} …'; if it is part of the text, put that into quotes"
            )
        quoted = self.written[began : began + 1] in ('"', "'")
        value = self._quoted() if quoted else self.written[began:].strip()
        if quoted and self.written[self.at :].strip():
            self._skip()
            raise self._wrong("something follows the text in quotes; begin and end it with the other kind of quotes")
        if not value and not (quoted and operator == "is"):
            raise self._wrong(f"a text is missing after {operator!r}", began)
        if operator == "matches":
            try:
                re.compile(value)
            except re.error as error:
                raise self._wrong(f"it is no regular expression: {error.msg}", began + (error.pos or 0)) from None
        self.at = len(self.written)
        return value

    def _rest(self, what: str) -> str:
        self._skip()
        began, self.at = self.at, len(self.written)
        if not (rest := self.written[began:].strip()):
            raise self._wrong(f"{what} is missing")
        return rest

    def _quoted(self) -> str:
        """A text in quotes, to the end of which it goes; there are no escapes, as there are two kinds of quotes."""
        quote, began = self.written[self.at], self.at
        end = self.written.find(quote, began + 1)
        if end < 0:
            raise self._wrong(f"this {quote} is never closed", began)
        self.at = end + 1
        return self.written[began + 1 : end]

    def _inside(self, began: int, place: int) -> bool:
        """Whether a place lies in double quotes, as names of elements do."""
        return self.written.count('"', began, place) % 2 == 1

    def _take(self, word: str) -> bool:
        self._skip()
        if self._word() != word:
            return False
        self.at += len(word)
        return True

    def _word(self) -> str:
        found = re.compile(r"\S*").match(self.written, self.at)
        return found[0] if found else ""

    def _skip(self) -> None:
        while self.at < len(self.written) and self.written[self.at].isspace():
            self.at += 1

    def _wrong(self, why: str, at: int | None = None) -> ConfigError:
        place = self.at if at is None else at
        return ConfigError(f"check {self.written!r}, character {place + 1}: {why}")


def _as_it_is(text: str) -> str:
    return text
