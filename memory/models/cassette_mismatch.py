"""How a request differs from the nearest one that is kept: why a replay does not find it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_SHOWN = 40


def nearest(asked: Mapping[str, Any], kept: Iterable[Mapping[str, Any]]) -> str:
    """The first difference to the kept request that has most in common, in words.

    Most in common is: the longest like beginning of the conversation, then the fewest differences.
    """
    best: tuple[tuple[int, int], str] | None = None
    wanted = dict(_leaves(asked))
    for request in kept:
        have = dict(_leaves(request))
        alike = sum(1 for path, value in wanted.items() if have.get(path, _NOTHING) == value)
        score = (_beginning(asked, request), 2 * alike - len(wanted) - len(have))
        if best is None or score > best[0]:
            best = score, _difference(wanted, have)
    return "it is empty" if best is None else f"the nearest has {best[1]}"


_NOTHING = object()


def _beginning(asked: Mapping[str, Any], kept: Mapping[str, Any]) -> int:
    """Messages from the first on that both have."""
    alike = 0
    for ours, theirs in zip(asked.get("messages", ()), kept.get("messages", ()), strict=False):
        if ours != theirs:
            break
        alike += 1
    return alike


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and value:
        for i, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{i}]")
    else:
        yield path, value


def _difference(wanted: Mapping[str, Any], have: Mapping[str, Any]) -> str:
    for path in (*wanted, *have):
        ours, theirs = wanted.get(path, _NOTHING), have.get(path, _NOTHING)
        if ours == theirs:
            continue
        if theirs is _NOTHING:
            return f"no {path}, which is {_shown(ours)} here"
        if ours is _NOTHING:
            return f"{path} = {_shown(theirs)}, which is not here"
        at = _fork(ours, theirs)
        return f"{path} = {_shown(theirs, at)}, which is {_shown(ours, at)} here"
    return "no difference"


def _fork(ours: Any, theirs: Any) -> int:
    """Where two texts part; 0 for other values."""
    if not (isinstance(ours, str) and isinstance(theirs, str)):
        return 0
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))


def _shown(value: Any, at: int = 0) -> str:
    if not isinstance(value, str):
        return repr(value)
    start = max(0, at - _SHOWN // 2)
    piece = value[start : at + _SHOWN]
    return f"{'…' if start else ''}{piece!r}{'…' if len(value) > at + _SHOWN else ''}"
