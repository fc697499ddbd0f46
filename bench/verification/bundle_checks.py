"""Verifies a bundle that somebody sent, offline: its hashes, its list of episodes, and all that can be derived again.

What is read is a stranger's. Nothing is unpacked to a disk, no code, file, host or program that it names is followed,
and worlds are played only where they are in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.bench.registry import load_suite
from omnipilot.bench.verification import bundle
from omnipilot.bench.verification.bundle import BundleError, check_root, read_bundle
from omnipilot.bench.verification.journal_order import input_problems, line_problems, order_problems
from omnipilot.bench.verification.pack import ReadRun, derived_members, media_hashes, read_texts, registered_keys
from omnipilot.bench.verification.strange_specs import why_not_played
from omnipilot.bench.verification.verify import (
    Verification,
    episode_gaps,
    recorded_attempts,
    verify_events,
    version_notes,
)
from omnipilot.bench.verification.weights import compare_weights
from omnipilot.envs.schema import parse_json

_MOST = 20
"""Problems of one kind that are told; a journal of nonsense has as many as lines."""
_NONSENSE = (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, AssertionError)
"""What comes of values of the right type that make no sense."""


@dataclass(frozen=True, slots=True)
class BundleVerification:
    """What came of verifying a bundle.

    Attributes:
        root: its root hash. published: whether that is the one that was published; None where none was told.
        episodes: how many were registered. media: how many captures and texts it names by their hashes.
        weights: how many hashes of weights are those of what is installed here.
        found: differences, notes, and how much was derived again.
        unpacked: bytes of its members.
    """

    root: str
    published: bool | None
    episodes: int
    media: int
    weights: int
    unpacked: int
    found: Verification


def verify_bundle(
    path: Path,
    root: str = "",
    only: Collection[str] = (),
    on_attempt: Callable[[int, int], None] | None = None,
) -> BundleVerification:
    """Verify a bundle.

    Args:
        root: the hash that was published; "" for none. only: keys of episodes to play again; none for all.
        on_attempt: as of `verify_run`.

    Raises:
        BundleError: it is no bundle, or its manifest and its members do not fit; nothing of it was looked at then.
        ConfigError: its specification cannot be read.
    """
    wanted = check_root(root) if root else ""
    members, found_root = read_bundle(path)
    differences = []
    published = wanted == found_root if wanted else None
    if published is False:
        differences.append(f"the root hash of this bundle is {found_root}, and {wanted} was published")
    try:
        return _verify(members, found_root, published, differences, only, on_attempt)
    except _NONSENSE as error:
        raise BundleError(f"{path}: what it holds makes no sense: {type(error).__name__}: {error!s:.200}") from None
    except MemoryError:
        raise BundleError(f"{path}: what it holds takes more memory than there is") from None
    except RecursionError:
        raise BundleError(f"{path}: what it holds is nested too deeply") from None


def _verify(
    members: Mapping[str, bytes],
    root: str,
    published: bool | None,
    differences: list[str],
    only: Collection[str],
    on_attempt: Callable[[int, int], None] | None,
) -> BundleVerification:
    journal = members[bundle.JOURNAL]
    differences += _first(line_problems(journal))
    read = read_texts(members[bundle.SPECIFICATION], journal)
    differences += _first(order_problems(read.events))
    for name, derived in derived_members(read).items():
        differences += _first(_member_differences(name, members[name], derived))
    weights = compare_weights(read.run.spec)
    differences += weights.differences
    played = _play(read, only, on_attempt)
    found = replace(
        played,
        differences=(*differences, *played.differences),
        notes=(*weights.notes, *played.notes),
    )
    return BundleVerification(
        root,
        published,
        len(registered_keys(read)),
        len(media_hashes(read.events)),
        weights.equal,
        sum(map(len, members.values())),
        found,
    )


def _play(read: ReadRun, only: Collection[str], on_attempt: Callable[[int, int], None] | None) -> Verification:
    """What was derived again by playing, or by the record alone where its worlds are not played here."""
    attempts = recorded_attempts(read.events)
    gaps = tuple(episode_gaps(registered_keys(read), attempts))
    impossible = why_not_played(read.run.spec, read.events)
    if not impossible:
        suite = load_suite(read.run.spec.suite)
        # Who is shown what is no part of playing again.
        run = replace(read.run, spec=replace(read.run.spec, experience=None, examples=None))
        found = verify_events(run, read.events, suite, only, on_attempt)
        if not found.impossible:
            return replace(found, differences=tuple(dict.fromkeys((*gaps, *found.differences))))
        impossible = found.impossible
    problems = (*read.run.problems, *gaps, *_first(input_problems(read.events)))
    return Verification(0, 0, 0, tuple(dict.fromkeys(problems)), tuple(version_notes(read.run)), impossible)


def _member_differences(name: str, stored: bytes, derived: bytes) -> Iterator[str]:
    """Where a member is not what specification and journal lead to."""
    if stored == derived:
        return
    try:
        told = parse_json(stored, bounded=True)
    except ValueError as error:
        yield f"{name} cannot be read: {error!s:.100}"
        return
    found = [*_unequal(told, parse_json(derived), name)]
    yield from found or [f"{name} is not written as `omnipilot pack` writes it"]


def _unequal(told: Any, derived: Any, where: str) -> Iterator[str]:
    if isinstance(told, dict) and isinstance(derived, dict):
        for name in dict.fromkeys((*told, *derived)):
            if name not in derived:
                yield f"{where}, {name!s:.80}: it is in the bundle, and does not follow from its journal"
            elif name not in told:
                yield f"{where}, {name!s:.80}: it follows from the journal, and is not in the bundle"
            else:
                yield from _unequal(told[name], derived[name], f"{where}, {name!s:.80}")
    elif isinstance(told, list) and isinstance(derived, list):
        if len(told) != len(derived):
            yield f"{where}: {len(told)} in the bundle, and {len(derived)} by its journal"
        for number, (one, other) in enumerate(zip(told, derived, strict=False), 1):
            yield from _unequal(one, other, f"{where}, {number}")
    elif told != derived or type(told) is not type(derived):
        yield f"{where}: {told!r:.80} in the bundle, and {derived!r:.80} by its journal"


def _first(problems: Iterator[str]) -> list[str]:
    found: list[str] = []
    for problem in problems:
        if len(found) == _MOST:
            return [*found, "and more of that kind"]
        found.append(problem)
    return found
