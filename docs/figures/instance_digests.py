"""Digests of instances: what shows that the sealed instances of the test are still the ones that were published."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Set
from dataclasses import fields, is_dataclass
from typing import Any

from omnipilot.bench.suites.duet import Duet
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState

INSTANCES = 5
"""Instances of each test task that have a digest; results on the test split are reported on these."""

LATER = ("subtitle",)
"""Fields that records got after the digests were published: they count where they hold something."""


def digest(suite: Duet, task_id: str, instances: int = INSTANCES) -> str:
    """Sixteen hexadecimal digits over a task's first instances: their seeds, instructions, content and sub-goals.

    What the classes of the content are called makes no difference.
    """
    hashed = hashlib.sha256()
    for instance in range(instances):
        task = suite.instantiate(task_id, instance)
        world = SimWorld()
        instruction = task.setup(world)
        state: WorldState = world.state()
        told = (suite.seed(task_id, instance), instruction, state.account, state.signals, state.start, task.graph.edges)
        hashed.update(repr(_values((*told, [node.name for node in task.graph.nodes]))).encode())
    return hashed.hexdigest()[:16]


def _values(content: Any) -> Any:
    """Records as their fields and values, collections as lists, and all else as it is."""
    if is_dataclass(content):
        held = [(one.name, getattr(content, one.name)) for one in fields(content)]
        return [(name, _values(value)) for name, value in held if value or name not in LATER]
    if isinstance(content, Mapping):
        return [(_values(key), _values(value)) for key, value in content.items()]
    if isinstance(content, Set):
        return sorted(map(repr, map(_values, content)))
    if isinstance(content, Collection) and not isinstance(content, str | bytes):
        return [_values(one) for one in content]
    return content
