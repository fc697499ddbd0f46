"""Cleans values of a reply: lists written as text, list syntax around key names, unpaired surrogates."""

from __future__ import annotations

import json
from typing import Any

from omnipilot.memory.models.replies.action_text import excerpt


def key_name(value: Any) -> str:
    """A key's name without the fragments of list syntax that some models leave around it: `keys=['ctrl'`."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 9:
        return str(value)
    if not isinstance(value, str) or not value:
        raise ValueError(f"a key is a name, not {excerpt(str(value))}")
    if len(value) == 1:
        return value
    return value.removeprefix("keys=").strip("[]'\"") or value


def parse_list(value: Any) -> Any:
    """Parse a list written as text."""
    if isinstance(value, str) and len(value) > 2 and value[0] == "[" and value[-1] == "]" and len(value) <= 2000:
        try:
            found = json.loads(value.replace("'", '"') if '"' not in value else value)
        except (ValueError, RecursionError):
            return value
        return found if isinstance(found, list) else value
    return value


def characters(text: str) -> str:
    """Replace lone surrogates by U+FFFD, as the action codec does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
