"""Suite `workshop`: tasks on real programs of a desktop, on web pages and on a phone, judged by their state."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.workshop import templates
from omnipilot.bench.suites.workshop.demonstration import demonstrate
from omnipilot.bench.suites.workshop.template import Draw, TaskDraft, WorkshopTemplate
from omnipilot.bench.suites.workshop.world import WorkshopWorld, lacking_for
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, seed_of
from omnipilot.envs import ConfigError, Modality, Thinking
from omnipilot.envs.composite import world_conditions
from omnipilot.envs.web import chromium_version
from omnipilot.memory import Move

LEVELS = {"screen": "AV-present", "sound": "AV-critical", "motion": "AV-critical"}
TURNS = 40


class Workshop(Suite):
    """Tasks on real programs of a desktop, on web pages and on a phone over adb, judged by their state.

    It needs the programs of `make system-desktop` and the extras desktop, android and web.
    """

    name = "workshop"
    version = "2"

    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks; those of the same devices follow each other, so that devices are rarely started."""
        return tuple(
            TaskInfo(one.id, one.summary, one.devices, _tags(one), intent=one.intent)
            for one in all_templates().values()
        )

    def draft(self, task_id: str, instance: int, other: int = 0) -> TaskDraft:
        """The content of an instance; with another `other`, the same but for what is heard or seen in motion.

        Raises:
            ConfigError: no such task.
        """
        return self._template(task_id).make(Draw(seed_of(self.name, task_id, instance), other))

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task at one instance.

        Raises:
            ConfigError: no such task.
        """
        template = self._template(task_id)
        draft = self.draft(task_id, instance)

        def setup(world: WorkshopWorld) -> str:
            world.set_up(draft, template.devices, instance)
            return draft.instruction

        def solution(world: WorkshopWorld) -> tuple[Move, ...]:
            return tuple(demonstrate(world, draft.steps, world.state()))

        moves = sum(len(step.moves) for step in draft.steps)
        return Task(
            task_id,
            instance,
            setup,
            draft.graph,
            solution,
            Limits(turns=max(TURNS, 3 * moves), actions=None),
            _tags(template),
            template.intent,
        )

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:
        """What its devices will find on this machine.

        Raises:
            MissingExtra: what they cannot do without is not installed.
        """
        kinds = {"desktop": "desktop", "phone": "phone-over-adb"}
        return world_conditions({"devices": {name: {"kind": kind} for name, kind in kinds.items()}}, shown)

    def programs(self) -> Mapping[str, str]:
        """The version of the browser, where there is one: not every task needs it."""
        try:
            return {"Chromium": chromium_version()}
        except ConfigError:
            return {}

    def world(self, thinking: Thinking) -> WorkshopWorld:  # noqa: ARG002
        """A world that starts the devices that each task needs."""
        return WorkshopWorld()

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:
        """What this machine lacks; see `Suite.lacking`."""
        chosen = [self._template(task) for task in tasks]
        programs = dict.fromkeys(name for one in chosen for name in one.programs)
        return lacking_for({name for one in chosen for name in one.devices}, tuple(programs))

    def _template(self, task_id: str) -> WorkshopTemplate:
        found = all_templates().get(task_id)
        if found is None:
            raise ConfigError(describe_unknown("workshop task", task_id, all_templates()))
        return found


@cache
def all_templates() -> MappingProxyType[str, WorkshopTemplate]:
    """The templates of all modules of `templates`, by id; sorted by their devices, then by id."""
    found: list[WorkshopTemplate] = []
    for module in pkgutil.iter_modules(templates.__path__):
        found += importlib.import_module(f"{templates.__name__}.{module.name}").TEMPLATES
    return MappingProxyType({one.id: one for one in sorted(found, key=lambda one: (one.devices, one.id))})


def _tags(template: WorkshopTemplate) -> dict[str, str]:
    return {
        "app": "+".join(template.programs),
        "devices": "+".join(template.devices),
        "level": LEVELS[template.hangs_on],
        "hangs_on": template.hangs_on,
    }
