"""Whether a run's files still say what was recorded: its specification, its journal and its media."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.bench.journal import journal
from omnipilot.bench.journal.results import Survey
from omnipilot.bench.journal.run_directory import CHECKED
from omnipilot.bench.spec import essence
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_file, read_text
from omnipilot.memory import MediaRef, MediaStore
from omnipilot.memory.store import MediaError
from omnipilot.memory.store.index import SUFFIX, Kind
from omnipilot.memory.store.media_store import file_stamp

_SHOWN = 3
_STAMP = re.compile(r"([0-9a-f]{64}\.(?:png|jpg|wav|json)) [1-9]\d* \d+")
"""Of a file with content: empty ones are taken for what a power cut left, and removed by the next start."""

OnLooked: TypeAlias = Callable[[int, int], None]
"""Told how many captures have been looked at, and of how many."""


def check_specification(data: Mapping[str, Any], started: str) -> Iterator[str]:
    """What is wrong with a specification's file, given its content and the identity of what was last started ("" if
    nothing was); one line each."""
    spec = data.get("spec")
    if not isinstance(spec, Mapping):
        return
    found = hashlib.sha256(json.dumps(essence(spec), sort_keys=True).encode()).hexdigest()
    if data.get("identity") != found:
        yield (
            "spec.json was changed after it was written: it is not what its identity says; delete it, "
            "the journal beside it holds what was run"
        )
    elif started and started != found:
        yield (
            "spec.json is not what the run was last started with; start the run again, or delete spec.json: "
            "the journal beside it holds what was run"
        )


def told_of(found: Survey) -> Iterator[str]:
    """What a journal's readers found wrong with it; one line each."""
    if not found.starts:
        yield "its journal holds no start of the run: nothing was played, or it was emptied; start the run again"
    if lost := found.unreadable:
        more = f", and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
        yield (
            f"{len(lost)} lines of its journal cannot be used and are left out ("
            f"{'; '.join(map(str, lost[:_SHOWN]))}{more}); put back an undamaged {journal.FILE}, "
            "or start the run again to play what is missing"
        )
    if doubled := found.doubled:
        more = f" and {len(doubled) - _SHOWN} more" if len(doubled) > _SHOWN else ""
        yield (
            f"{', '.join(doubled[:_SHOWN])}{more} ended twice, and not void the first time: the last end counts, "
            "which a run by itself never writes"
        )
    if misfits := found.misfits:
        more = f" and {len(misfits) - _SHOWN} more" if len(misfits) > _SHOWN else ""
        told = f"{', '.join(misfits[:_SHOWN])}{more}"
        yield f"the end of {told} says something else than the steps before it: the journal was edited"


def check_media(folder: Path, on_looked: OnLooked | None = None) -> list[str]:
    """The captures of a run whose content is not what their names promise, or that are gone, each with the reason.

    Not looked at are those that a run wrote and synced itself, nor those that were found whole before: they are
    remembered in the run's folder until they change. Every other is decoded once.

    Args:
        on_looked: told how many have been looked at, and of how many, before the first and after each.
    """
    media, memo = folder / journal.MEDIA, folder / CHECKED
    if not media.is_dir():
        return []
    known = _remembered(memo)
    now = {stamp: path for path in sorted(media.glob("??/*")) if (stamp := _stamp(path)) is not None}
    fresh = {stamp: path for stamp, path in now.items() if stamp not in known}
    store = MediaStore(media)
    wrong: dict[str, str] = {}
    tell = on_looked or (lambda _, __: None)
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
        found = threads.map(lambda path: _why_damaged(store, path), fresh.values())
        if fresh:
            tell(0, len(fresh))
        for count, (stamp, reason) in enumerate(zip(fresh, found, strict=True), 1):
            if reason:
                wrong[stamp] = reason
            tell(count, len(fresh))
    there = {path.name for path in now.values()}
    gone = {stamp: told[1] for stamp in known if (told := _STAMP.fullmatch(stamp)) and told[1] not in there}
    if fresh:
        _remember(memo, (*(stamp for stamp in now if stamp not in wrong), *gone))
    lost = [f"{journal.MEDIA}/{name[:2]}/{name}: it is missing" for name in sorted(set(gone.values()))]
    return [*(f"{now[stamp].relative_to(folder)}: {reason}" for stamp, reason in wrong.items()), *lost]


def media_notes(folder: Path, on_looked: OnLooked | None = None) -> list[str]:
    """What `check_media` found, as one line; none if everything is whole."""
    wrong = check_media(folder, on_looked)
    if not wrong:
        return []
    more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
    return [f"{len(wrong)} captures are not what was recorded ({'; '.join(wrong[:_SHOWN])}{more})"]


def _stamp(path: Path) -> str | None:
    try:
        return file_stamp(path.name, path.stat())
    except OSError:
        return None


def _why_damaged(store: MediaStore, path: Path) -> str:
    content = b""
    try:
        ref = MediaRef(path.stem, _KINDS[path.suffix])
        if path.suffix != ".json":
            store.get(ref)
            return ""
        content = read_file(path)
        if hashlib.sha256(content).hexdigest() == path.stem:
            return ""
        parse_json(content)["frames"]
        # Of its list alone: its frames are looked at one by one, and a picture is one of several films.
        if store.get(ref, check=False).digest != path.stem:
            return "it is another film"
    except (MediaError, OSError, ValueError, TypeError, KeyError) as error:
        return f"{error}" if isinstance(error, MediaError | OSError) else "it is no capture"
    return ""


_KINDS: dict[str, Kind] = {SUFFIX[kind]: kind for kind in ("image", "jpeg", "audio", "video")}


def _remembered(memo: Path) -> frozenset[str]:
    try:
        return frozenset(read_text(memo).splitlines())
    except (OSError, ValueError):
        return frozenset()


def _remember(memo: Path, stamps: Iterable[str]) -> None:
    new = memo.with_name(f"{memo.name}.new")
    try:
        new.write_text("".join(f"{stamp}\n" for stamp in stamps), encoding="utf-8")
        os.replace(new, memo)
    except OSError:
        # The folder may be read only: the next report looks at everything again.
        return
