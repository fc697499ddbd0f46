"""Splits the tasks of `duet` into development and test, and seeds their instances.

The rule is fixed and needs no list: within each group of tasks with equal devices and equal level, tasks are put in
the order of a hash of their ids; a third of each group, the first ones, is for development.

The seeds of the test are *sealed*. In a public repository that cannot mean secret: whoever has the code can draw the
instances. It means that they are fixed (they depend on a constant that was published with the split, so nobody can look
for lucky ones), that they are kept apart (a development run cannot reach them), and that a change shows (the digests
of the instances are in the repository, in docs/duet.md). Who needs secret instances names a constant of their own,
`--option suite.seal=…`, publishes its SHA-256 beforehand, and the constant with the results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal, TypeAlias

from omnipilot.bench.suites.duet.about import About
from omnipilot.bench.tasks.task import seed_of

Split: TypeAlias = Literal["dev", "test", "asks"]
"""Of development, of the test, and those that cannot be solved without asking the user, which are neither."""
SEAL = "duet/1/test/9f4b62d1c0e85a37"
"""What the seeds of test instances are drawn from, besides the task and the instance."""
DEV_SHARE = (1, 3)
FIRST = (
    "send-message",
    "add-alarm",
    "dismiss-alarm",
    "write-document",
    "mail-code-to-message",
    "message-address-to-document",
    "tones-to-message",
    "ball-to-message",
)
"""The eight tasks that were published before there was a split; they are for development."""


def splits(tasks: Iterable[About]) -> dict[str, Split]:
    """The split of each task, by id.

    The quotas of the groups are a third each, rounded to sum up to a third of all tasks (largest remainder; among
    equal ones in the order of the groups' names). The eight first tasks count against the quota of their groups.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for task in tasks:
        groups.setdefault((task.devices, task.level), []).append(task.id)
    part, whole = DEV_SHARE
    total = (sum(map(len, groups.values())) * part + whole // 2) // whole
    quota = {group: len(ids) * part // whole for group, ids in groups.items()}
    by_remainder = sorted(groups, key=lambda group: (-(len(groups[group]) * part % whole), group))
    for group in by_remainder[: max(0, total - sum(quota.values()))]:
        quota[group] += 1
    found: dict[str, Split] = {}
    for group, ids in groups.items():
        ordered = sorted(ids, key=lambda id: (id not in FIRST, hashlib.sha256(f"duet/split/{id}".encode()).digest()))
        least = sum(id in FIRST for id in ids)
        for rank, id in enumerate(ordered):
            found[id] = "dev" if rank < max(quota[group], least) else "test"
    return found


def instance_seed(task: str, split: Split, instance: int, seal: str = SEAL) -> int:
    """The seed of an instance's content; test seeds depend on the seal."""
    return seed_of("duet", seal, task, instance) if split == "test" else seed_of("duet", task, instance)
