"""How layout 1 writes moves and marks: the quotes in a text that was typed or read are as they were."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from omnipilot.memory.messages import Part

_MARK = re.compile(r"^\[\d+\] .*$", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def without_escapes(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts with what is quoted in their words as it was before it was quoted."""
    return tuple(_STRING.sub(_content, part) if isinstance(part, str) else part for part in parts)


def marks_without_escapes(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts with the same done in lines of marks, such as `[3] button "Save"`, alone."""
    return tuple(_MARK.sub(_contents, part) if isinstance(part, str) else part for part in parts)


def _contents(line: re.Match[str]) -> str:
    return _STRING.sub(_content, line[0])


def _content(match: re.Match[str]) -> str:
    try:
        return f'"{json.loads(match[0])}"'
    except ValueError:
        return match[0]
