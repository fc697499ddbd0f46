"""What judges read, by rule: from their code or, where they are data, from their checks. Nothing is run."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from types import CodeType, FunctionType, MethodType
from typing import Any

from omnipilot.bench.judges.evaluator import CheckEntry
from omnipilot.bench.tasks.judges import Judge

DEEPEST = 6
"""Functions that are followed into one another."""
LONGEST_WORD = 200

SOURCES: Mapping[str, frozenset[str]] = {
    "clipboard": frozenset({"clipboard", "check_clipboard"}),
    "window": frozenset(
        "front title windows window view check_app_in_front check_front_title check_front_process "
        "check_front_package check_process_runs".split()
    ),
    "draft": frozenset({"fields", "draft"}),
    "screen": frozenset(
        "ui_tree written_texts observe check_text_exists check_text_exists_via_control check_layout "
        "check_text_exists_via_ocr check_text_under_cursor check_picture_on_screen".split()
    ),
    "clock": frozenset({"now", "time", "since_time", "datetime", "monotonic"}),
    "existence": frozenset(
        {"exists", "is_file", "is_dir", "isfile", "isdir", "check_file_exists", "check_folder_exists"}
    ),
    "content": frozenset(
        "read_text read_bytes read_file open shell check_file_contains check_file_equals check_same_content "
        "check_document_text check_table_cell check_slide".split()
    ),
    "answers": frozenset({"answers", "check_answer"}),
    "actions": frozenset({"actions", "check_mouse_clicks", "check_keyboard_types"}),
    "sound": frozenset({"transcript", "sounds", "check_sound"}),
}
"""Kinds of what a judge may read, by the names that stand for them in code and among the kinds of judges."""
HOST = frozenset({("time", "time"), ("time", "monotonic"), ("datetime", "now"), ("datetime", "today")})
"""Clocks of the machine: the name of a module or class, and what is asked of it."""


@dataclass(frozen=True, slots=True)
class JudgeReading:
    """What one judge reads.

    Attributes:
        names: attributes, functions and words in its code, and in what it was made with. sources: of them, as in
            `SOURCES`. texts: it compares with. host: what of the machine it reads.
        unread: why no rule could read it; "" for one that was read.
    """

    names: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    host: frozenset[str] = frozenset()
    unread: str = ""

    def words(self) -> str:
        """What it reads, in a few words."""
        if self.unread:
            return f"unread: {self.unread}"
        return ", ".join(sorted(self.sources | self.host)) or "state"


def read_judge(judge: Judge, state: Any = None) -> JudgeReading:
    """Read a judge.

    Args:
        state: of the world, whose own methods are followed where a judge calls them; None for none.
    """
    reader = _Reader(_methods_of(state))
    reader.follow(judge.ask, 0)
    if reader.unread:
        return JudgeReading(unread=reader.unread)
    names = frozenset(reader.names)
    sources = frozenset(kind for kind, known in SOURCES.items() if names & known)
    if names & {"state", "start", "check_state", "check_said", "check_untouched"}:
        sources |= {"state"}
    if reader.files:
        sources |= {"file URL"}
    return JudgeReading(names, sources, frozenset(reader.texts), frozenset(reader.host))


class _Reader:
    def __init__(self, methods: Mapping[str, CodeType]) -> None:
        self.methods = dict(methods)
        self.names: set[str] = set()
        self.texts: set[str] = set()
        self.host: set[str] = set()
        self.files = False
        self.unread = ""
        self._seen: set[int] = set()
        self._objects: set[int] = set()

    def follow(self, value: Any, depth: int) -> None:
        """Read a callable, or what one was made with."""
        if id(value) in self._seen or depth > DEEPEST:
            return
        self._seen.add(id(value))
        if isinstance(value, functools.partial):
            for one in (value.func, *value.args, *value.keywords.values()):
                self.follow(one, depth + 1)
        elif isinstance(value, MethodType):
            if isinstance(value.__self__, CheckEntry):
                self._entry(value.__self__, depth)
            else:
                self._object(value.__self__, depth)
                self.follow(value.__func__, depth + 1)
        elif isinstance(value, FunctionType):
            self._function(value, depth)
        elif isinstance(value, CheckEntry):
            self._entry(value, depth)
        elif isinstance(value, str):
            self._text(value)
        elif isinstance(value, tuple | list | set | frozenset):
            for one in value:
                self.follow(one, depth + 1)
        elif isinstance(value, Mapping):
            for key, one in value.items():
                self.follow(key, depth + 1)
                self.follow(one, depth + 1)
        elif callable(value) and isinstance(call := type(value).__call__, FunctionType):
            self._object(value, depth)
            self._function(call, depth)
        elif depth == 0:
            self.unread = f"{type(value).__name__} has no code that can be read"

    def _object(self, value: Any, depth: int) -> None:
        """Read what the object of a method was made with; its other methods are followed where one calls them."""
        if isinstance(value, type) or id(value) in self._objects:
            return
        self._objects.add(id(value))
        for cls in reversed(type(value).__mro__):
            if cls.__module__.partition(".")[0] not in sys.stdlib_module_names:
                self.methods.update(_codes_of(cls))
        for one in _attributes_of(value):
            self.follow(one, depth + 1)

    def _entry(self, entry: CheckEntry, depth: int) -> None:
        if entry.kind is not None:
            self.names.add(entry.kind.name)
            self.follow(entry.kind.examine, depth + 1)
            self.follow(dict(entry.args), depth + 1)
            # Only what fills its holes; not all values that were at hand.
            if entry.read is not None:
                self.follow({key: one for key, one in entry.read.items() if isinstance(one, str)}, depth + 1)
        for inner in entry.inner:
            self._entry(inner, depth + 1)

    def _function(self, function: FunctionType, depth: int) -> None:
        self._code(function.__code__, function.__globals__, depth)
        for cell in function.__closure__ or ():
            try:
                self.follow(cell.cell_contents, depth + 1)
            except ValueError:
                continue
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.follow(default, depth + 1)

    def _code(self, code: CodeType, known: Mapping[str, Any], depth: int) -> None:
        if id(code) in self._seen or depth > DEEPEST:
            return
        self._seen.add(id(code))
        self.names.update(code.co_names)
        for const in code.co_consts:
            if isinstance(const, CodeType):
                self._code(const, known, depth)
            elif isinstance(const, str):
                self._text(const)
        steps = [(one.opname, one.argval) for one in dis.get_instructions(code)]
        for (kind, name), (_, asked) in pairwise([*steps, ("", "")]):
            if kind not in ("LOAD_GLOBAL", "LOAD_NAME"):
                if kind in ("LOAD_ATTR", "LOAD_METHOD") and name in self.methods:
                    self._code(self.methods[name], _globals_of(self.methods[name]), depth + 1)
                continue
            found = known.get(name)
            if (isinstance(found, FunctionType) and _is_ours(found)) or isinstance(found, str | tuple | frozenset):
                self.follow(found, depth + 1)
            if (name, asked) in HOST and found is not None:
                self.host.add("the machine's clock")

    def _text(self, text: str) -> None:
        if len(text) > LONGEST_WORD:
            return
        self.texts.add(text)
        self.files |= text.casefold().startswith("file:")
        word = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text)
        self.names.update(part for part in word.split() if part.isidentifier())


def _is_ours(function: FunctionType) -> bool:
    """Whether a function is part of a suite, a world or the engine, rather than of a library."""
    root = function.__module__.partition(".")[0]
    return root not in sys.stdlib_module_names


def _globals_of(code: CodeType) -> Mapping[str, Any]:
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == code.co_filename:
            return vars(module)
    return {}


def _methods_of(state: Any) -> Mapping[str, CodeType]:
    """The code of the methods and properties of a state's classes, by name."""
    return {name: code for cls in _classes_of(state) for name, code in _codes_of(cls)}


def _attributes_of(value: Any) -> list[Any]:
    """What an object keeps, in its dictionary or in slots."""
    names = [name for cls in type(value).__mro__ for name in vars(cls).get("__slots__", ())]
    kept = [getattr(value, name) for name in names if hasattr(value, name)]
    return [*vars(value).values(), *kept] if hasattr(value, "__dict__") else kept


def _codes_of(cls: type) -> Iterator[tuple[str, CodeType]]:
    for name, value in vars(cls).items():
        code = value.fget if isinstance(value, property) else value
        if isinstance(code, FunctionType) and not name.startswith("__"):
            yield name, code.__code__


def _classes_of(state: Any, depth: int = 0) -> set[type]:
    if not is_dataclass(state) or depth > 3:
        return set()
    found = {type(state)}
    for field in fields(state):
        value = getattr(state, field.name)
        if isinstance(value, tuple):
            value = value[0] if value else None
        found |= _classes_of(value, depth + 1)
    return found
