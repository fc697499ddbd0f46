"""Digests of instances: what shows that the sealed instances of the test are still the ones that were published."""

from __future__ import annotations

import hashlib

from omnipilot.bench.suites.duet import Duet
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState

INSTANCES = 5
"""Instances of each test task that have a digest; results on the test split are reported on these."""


def digest(suite: Duet, task_id: str, instances: int = INSTANCES) -> str:
    """Sixteen hexadecimal digits over a task's first instances: their seeds, instructions, content and sub-goals."""
    hashed = hashlib.sha256()
    for instance in range(instances):
        task = suite.instantiate(task_id, instance)
        world = SimWorld()
        instruction = task.setup(world)
        state: WorldState = world.state()
        told = (suite.seed(task_id, instance), instruction, state.account, state.signals, state.start, task.graph.edges)
        hashed.update(repr((*told, [node.name for node in task.graph.nodes])).encode())
    return hashed.hexdigest()[:16]
