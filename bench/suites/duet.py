"""The suite `duet`: a phone and a desktop that share an account; tasks on either, and across both.

Tasks are composed from sub-task templates, joined wherever an output of one is an input of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.agents.registry import unknown
from omnipilot.bench.compose import Template, compose
from omnipilot.bench.suites.duet_desktop import LISTEN, READ_CODE, WATCH, WRITE_DOCUMENT
from omnipilot.bench.suites.duet_phone import ADD_ALARM, DISMISS_ALARM, READ_ADDRESS, SEND_TEXT, without_alarms
from omnipilot.bench.task import Task, TaskInfo, seed_of
from omnipilot.envs.base import Thinking, World
from omnipilot.envs.errors import ConfigError
from omnipilot.envs.sim.content import seeded
from omnipilot.envs.sim.world import SimWorld


@dataclass(frozen=True, slots=True)
class Recipe:
    """A task before it has an instance: the templates it is made of, and the channel that it hangs on."""

    id: str
    templates: tuple[Template, ...]
    hangs_on: str = "screen"

    @property
    def envs(self) -> tuple[str, ...]:
        """The environments that its sub-tasks are about, in order."""
        return tuple(dict.fromkeys(template.env for template in self.templates))


RECIPES = (
    Recipe("send-message", (SEND_TEXT,)),
    Recipe("add-alarm", (ADD_ALARM,)),
    Recipe("dismiss-alarm", (DISMISS_ALARM,), "sound"),
    Recipe("write-document", (WRITE_DOCUMENT,)),
    Recipe("mail-code-to-message", (READ_CODE, SEND_TEXT)),
    Recipe("message-address-to-document", (READ_ADDRESS, WRITE_DOCUMENT)),
    Recipe("tones-to-message", (LISTEN, SEND_TEXT), "sound"),
    Recipe("ball-to-message", (WATCH, SEND_TEXT), "motion"),
)


class Duet:
    """The suite. Worlds are `SimWorld`s; equal instances are equal to the pixel and the sample."""

    name = "duet"
    version = "1"

    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks."""
        return [
            TaskInfo(
                recipe.id,
                ", then ".join(template.instruction for template in recipe.templates),
                recipe.envs,
                _tags(recipe),
            )
            for recipe in RECIPES
        ]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task at one instance; names, codes and times are drawn from both.

        Raises:
            ConfigError: no such task.
        """
        recipe = next((recipe for recipe in RECIPES if recipe.id == task_id), None)
        if recipe is None:
            raise ConfigError(unknown("duet task", task_id, [recipe.id for recipe in RECIPES]))
        seed = seed_of(self.name, task_id, instance)
        composed = compose(recipe.templates, without_alarms(seeded(seed)), seed)

        def setup(world: SimWorld) -> str:
            world.reset(seed)
            world.prepare(lambda _: composed.state)
            return composed.instruction

        return Task(
            task_id,
            instance,
            setup,
            composed.graph,
            lambda world: composed.solution(world.state()),
            tags=_tags(recipe),
        )

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop."""
        return SimWorld(thinking)


def _tags(recipe: Recipe) -> dict[str, str]:
    return {"envs": "+".join(recipe.envs), "hangs_on": recipe.hangs_on}
