"""JSON that others wrote: whatever is wrong with it is a `ValueError`, and what is read can be walked through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

DEEPEST = 200
"""Most lists and objects within one another; what walks through a value goes down a few calls for each."""

_DECODERS = {strict: json.JSONDecoder(strict=strict) for strict in (True, False)}
"""Made once: journals are read line by line."""

MOST_MEMORY = 64 << 20
"""Bytes of memory that the values of a text may take, as estimated from above; its own characters come on top."""
_COSTS = (("{", 240), ("[", 88), (",", 64), (":", 64))
"""Bytes that each mark of JSON may stand for; those within texts count, too."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def parse_json(
    text: str | bytes | bytearray,
    *,
    strict: bool = True,
    pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
    keep_halves: bool = False,
    bounded: bool = False,
) -> Any:
    """The value of a JSON text.

    A lone surrogate, as in a reply that was cut within an emoji, is no character: it becomes U+FFFD.

    Args:
        strict: refuse line breaks and tabs within texts.
        pairs: makes an object of its names and values; by default, the last value of a name counts.
        bounded: refuse what could take more than `MOST_MEMORY`, before it is read; for what comes over a network.
        keep_halves: keep lone surrogates, for texts of our own that are compared with what they were made from.

    Raises:
        ValueError: it is no JSON, is nested too deeply, has a number of thousands of digits, or too many values.
    """
    if bounded and sum(cost * _times(text, mark) for mark, cost in _COSTS) > MOST_MEMORY:
        raise ValueError("it has too many values")
    if not isinstance(text, str):
        if text.isascii() and b"\0" not in text[:4]:
            text = text.decode("ascii")
        else:
            text = bytes(text).decode(json.detect_encoding(bytes(text[:4])), "replace")
    elif not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not keep_halves and "\\u" in text and _HALF.search(text):
        text = _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], text)
    try:
        value = (
            _DECODERS[strict] if pairs is None else json.JSONDecoder(strict=strict, object_pairs_hook=pairs)
        ).decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise ValueError("it contains a number with thousands of digits") from None
    if text.count("[") + text.count("{") > DEEPEST and is_deep(value):
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    return value


def _times(text: str | bytes | bytearray, mark: str) -> int:
    return text.count(mark) if isinstance(text, str) else text.count(mark.encode())


def is_deep(value: Any) -> bool:
    """Whether there are more than `DEEPEST` lists and objects within one another."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
