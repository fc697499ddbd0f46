"""Commands to type for clauses that are carried out at a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omnipilot.envs import Element
from omnipilot.envs.types import FIELDS, QUOTED
from omnipilot.planners.rules.words import quoted_texts, verb_of

_PROMPT = re.compile(r"\b(?:command|prompt|shell)\b", re.IGNORECASE)
_APPEND = re.compile(
    r"^(.+?)\s+(?:as\s+(?:a|the)\s+(?:new\s+|last\s+)?line(?:\s+of\s+its\s+own)?\s+)?(?:at|to)\s+the\s+end\s+of\s+"
    r"(?:the\s+)?(?:file\s+|document\s+)?(\"[^\"]*\")"
)
_LINES = re.compile(r"\blines?\b[^\"]*?\b(?:with|contain(?:s|ing)?|have|has)\b")
_INTO = re.compile(r"\b(?:in)?to\s+(?:the\s+|a\s+)?(?:new\s+)?(?:file|document|folder)?\s*(\"[^\"]*\")\s*$")
_ADD = frozenset({"add", "append", "write", "put", "type", "enter"})
_REMOVE = frozenset({"delete", "remove"})
_SHOW = frozenset({"read", "look", "show", "see", "find", "open", "note"})


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command to type. `reads`: its output is the requested information."""

    text: str
    reads: bool = False


def prompt_of(elements: Sequence[Element]) -> Element | None:
    """The field for commands; None if there is none."""
    return next((e for e in elements if e.role in FIELDS and _PROMPT.search(e.name)), None)


def line_for(said: str, value: Callable[[str], str | None], folders: Sequence[str] = ()) -> CommandLine | None:
    """The command for a clause; None if a command line cannot do it.

    Args:
        value: finds the text that a phrase refers to; a line that needs what is not known is None.
        folders: where the file may lie, the likeliest first; "" for here.
    """
    verb, rest = verb_of(said)
    names = quoted_texts(rest)
    if not names:
        return None
    if verb in _ADD and (append := _APPEND.match(rest)):
        own = QUOTED.fullmatch(append[1].strip())
        text = quoted_texts(append[1])[0] if own else value(append[1])
        return None if text is None else CommandLine(f"echo {_held(text)} >> {append[2]}")
    if _LINES.search(rest) and len(names) >= 2:
        if verb == "count":
            return CommandLine(f"grep -c {_held(names[0])} {_held(names[1])}", reads=True)
        into = f" > {_held(names[2])}" if len(names) > 2 else ""
        return CommandLine(f"grep {_held(names[0])} {_held(names[1])}{into}", reads=not into)
    if verb == "count":
        return CommandLine(f"wc {'-w' if 'word' in rest else '-l'} {_held(names[0])}", reads=True)
    return _with_file(verb, rest, names, folders)


def _with_file(verb: str, rest: str, names: Sequence[str], folders: Sequence[str]) -> CommandLine | None:
    into = _INTO.search(rest)
    if verb in ("rename", "move", "copy") and into and len(names) >= 2:
        folder = next((f"{f}/" for f in folders if f), "") if "/" not in names[0] else ""
        source, target = folder + names[0], quoted_texts(into[1])[0]
        if verb == "rename":
            target = f"{source.rpartition('/')[0]}/{target}".lstrip("/") if "/" not in target else target
        return CommandLine(f"{'cp' if verb == 'copy' else 'mv'} {_held(source)} {_held(target)}")
    if verb in _REMOVE:
        return CommandLine(f"rm {'-r ' if 'folder' in rest else ''}{_held(names[0])}")
    if verb in ("make", "create") and "folder" in rest:
        return CommandLine(f"mkdir {_held(names[0])}")
    if verb in _SHOW:
        return CommandLine(f"cat {_held(names[0])}", reads=True)
    return None


def _held(text: str) -> str:
    """Quoted, so that it stays one word."""
    return '"' + text.replace('"', "'") + '"'
