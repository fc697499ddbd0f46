"""Recorded model calls: request and answer in a file named by the request's hash, for free replay.

One JSON file a call, written atomically; runs may share a folder. A file holds the request (media as their digests),
the answer and its cost, but no key and no address. The first answer to a request stays.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_file
from omnipilot.memory.messages import Reply, Usage, scrub_reply
from omnipilot.memory.secrets.scrub import scrub_values
from omnipilot.memory.store.durable import sync_names

Mode: TypeAlias = Literal["record", "replay"]
_FORMAT = 1
_NOTHING = object()
_SHOWN = 40


class Cassette:
    """A folder of recorded calls.

    Args:
        folder: created if it is missing, unless the mode is `replay`.
        mode: `record` replays what is there and keeps what is new; `replay` makes no live call.

    Attributes:
        last_key: hash of the request that was looked up last, which is the name of its file; "" before the first.

    Raises:
        ConfigError: no such mode, or nothing to replay.
    """

    def __init__(self, folder: str | Path, mode: Mode = "record") -> None:
        if mode not in ("record", "replay"):
            raise ConfigError(f"a cassette's mode is 'record' or 'replay', not {mode!r}")
        self.folder, self.mode = Path(folder), mode
        self.last_key = ""
        if mode == "replay" and not self.folder.is_dir():
            raise ConfigError(f"there is no cassette {self.folder} to replay; record one first")
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def blank(self) -> bool:
        """Whether it contains no answers yet."""
        return next(self.folder.glob("*.json"), None) is None

    def find(self, request: Mapping[str, Any]) -> Reply | None:
        """The recorded answer to this request, marked `replayed`; None if there is none.

        Raises:
            ConfigError: there is none and the mode is `replay` (the message says how the nearest request differs), or
                the file is damaged.
        """
        request = scrub_values(request)
        path = self._path(request)
        self.last_key = path.stem
        kept = _load(path)
        if kept is not None:
            return replace(scrub_reply(_reply(kept, path)), replayed=True)
        if self.mode == "replay":
            raise ConfigError(
                f"{self.folder} has no answer to this request of {request.get('model', 'a model')}, and a replay makes "
                f"no call: {nearest_difference(request, self._requests())}; "
                "record it, or replay the run with its own settings"
            )
        return None

    def keep(self, request: Mapping[str, Any], reply: Reply) -> Reply:
        """Store an answer and return the recorded one: another run may have been first.

        Raises:
            ConfigError: the mode is `replay`, or the file that is there is damaged.
        """
        if self.mode == "replay":
            raise ConfigError(f"{self.folder} is replayed: nothing is kept in it")
        request, reply = scrub_values(request), scrub_reply(reply)
        path = self._path(request)
        told = {"format": _FORMAT, "request": request, "reply": _told(reply)}
        text = json.dumps(told, sort_keys=True, indent=1)
        handle, name = tempfile.mkstemp(".tmp", dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(name, path)
            except FileExistsError:
                kept = _load(path)
                return reply if kept is None else scrub_reply(_reply(kept, path))
            except OSError:
                # A file system without hard links: the last one to write stays.
                Path(name).replace(path)
            sync_names([self.folder])
        finally:
            with contextlib.suppress(FileNotFoundError):
                Path(name).unlink()
        return reply

    def _path(self, request: Mapping[str, Any]) -> Path:
        return self.folder / f"{digest(request)}.json"

    def _requests(self) -> list[Mapping[str, Any]]:
        found = []
        for path in sorted(self.folder.glob("*.json")):
            kept = _load(path)
            if kept is not None:
                found.append(scrub_values(kept["request"]))
        return found


def digest(request: Mapping[str, Any]) -> str:
    """SHA-256 of a request, in hexadecimal, independent of key order."""
    return sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def _load(path: Path) -> Mapping[str, Any] | None:
    try:
        told = parse_json(read_file(path), keep_halves=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}; keep other files out of a cassette") from None
    except ValueError as error:
        raise ConfigError(f"{path} is damaged ({error}); delete it, and its call is made again") from error
    if not isinstance(told, dict) or told.get("format") != _FORMAT or not isinstance(told.get("request"), dict):
        raise ConfigError(f"{path} is no call of this version; keep other files out of a cassette")
    if digest(told["request"]) != path.stem:
        raise ConfigError(f"{path} was changed: its request has another hash; delete it, and its call is made again")
    return told


def _told(reply: Reply) -> dict[str, Any]:
    usage = reply.usage
    return {
        "text": reply.text,
        "calls": [list(call) for call in reply.calls],
        "model": reply.model,
        "finish": reply.finish,
        "reasoning": reply.reasoning,
        "dropped": list(reply.dropped),
        "usage": {
            "calls": usage.calls,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "cost": usage.cost,
            "seconds": usage.seconds,
        },
    }


def _reply(kept: Mapping[str, Any], path: Path) -> Reply:
    try:
        told = kept["reply"]
        calls = tuple((str(name), str(arguments)) for name, arguments in told["calls"])
        return Reply(
            told["text"],
            calls,
            Usage(**told["usage"]),
            told["model"],
            told["finish"],
            told["reasoning"],
            tuple(told["dropped"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} holds no answer ({error!r}); delete it, and its call is made again") from error


def nearest_difference(asked: Mapping[str, Any], kept: Iterable[Mapping[str, Any]]) -> str:
    """The first difference from the most similar recorded request, in words.

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


def _beginning(asked: Mapping[str, Any], kept: Mapping[str, Any]) -> int:
    """Number of leading messages that both share."""
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
    """Index of the first difference between two texts; 0 for other values."""
    if not (isinstance(ours, str) and isinstance(theirs, str)):
        return 0
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))


def _shown(value: Any, at: int = 0) -> str:
    if not isinstance(value, str):
        return repr(value)
    start = max(0, at - _SHOWN // 2)
    piece = value[start : at + _SHOWN]
    return f"{'…' if start else ''}{piece!r}{'…' if len(value) > at + _SHOWN else ''}"
