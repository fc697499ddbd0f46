"""What a run's agent is shown of a world: all of it, or other sound and video in place of the true ones."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

from omnipilot.bench.journal.results import Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite, seed_of
from omnipilot.envs import EnvLost, Modality, World


@contextlib.contextmanager
def shown(world: World, spec: RunSpec, suite: Suite, slot: Slot, modalities: Collection[Modality]) -> Iterator[World]:
    """The world for the agent's loop and the record in one episode; judges ask the world itself.

    Args:
        modalities: that the agent is granted; clips that it is not given are not replaced.
    """
    if not spec.stand_in:
        yield world
        return
    from omnipilot.bench.episode.other_task_media import OtherMedia
    from omnipilot.envs.recorded import Noise, Silence
    from omnipilot.envs.recorded.substitute_world import stood_in

    seed = seed_of(suite.name, slot.task, slot.instance, slot.trial, spec.stand_in)
    if spec.stand_in != "other":
        yield stood_in(world, Noise(seed) if spec.stand_in == "noise" else Silence(), modalities)
        return
    other = OtherMedia(suite, slot.task, slot.instance, seed)
    try:
        yield stood_in(world, other, modalities)
    finally:
        # A second device that is gone cannot be released, and has been reported.
        with contextlib.suppress(EnvLost):
            other.close()
