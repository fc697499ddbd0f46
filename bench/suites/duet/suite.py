"""The suite `duet`: a phone and a desktop that share an account; tasks on either one and across both.

Tasks are composed from sub-task templates (`duet_<app>.py`) by recipes (`duet_recipes_….py`), joined wherever an
output of one is an input of another.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet import asking
from omnipilot.bench.suites.duet.about import About, about
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.recipe import Recipe
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.splits import SEAL, Split, instance_seed, splits
from omnipilot.bench.suites.duet.variations import ADB, DEVICES, LOOKS, NAMES, WORDS, WorldVariation
from omnipilot.bench.synthesis.compose import Composition, compose
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Image, Thinking, World
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone
from omnipilot.envs.sim.state.world_state import WorldState

Choice: TypeAlias = Literal["dev", "test", "all", "asks"]
ASKING = "omnipilot.bench.suites.duet.asking"
"""The module with the tasks of the split `asks`."""
MOST_BEGUN = 64
"""Instances of which worlds with a memo begin in the same state, of those that were opened last."""
TURNS_A_PIECE = 20
"""Most decisions for each sub-task beyond the first; tasks of one sub-task keep the run's limits."""


class Duet(Suite):
    """The suite. Worlds are `SimWorld`s; equal instances match to the pixel and the sample.

    Args:
        split: which tasks are run: those for development, those of the test, or all of both; or those in which the user
            has to be asked, which are in none of these.
        seal: what the seeds of test instances hang on, instead of the published constant.
        add: a module with `TEMPLATES` and `RECIPES` of your own; its tasks are for development.
        memo: how many moves its worlds remember together, 0 for none. Sessions that open the same instance of a task,
            and forks, then go the same way at the cost of one (`MoveMemo`); it changes no result.
        pieces: how many pieces of screens of one name they share as well, for searches with many short-lived forks;
            needs a memo.

    Raises:
        ConfigError: no such split, a module that cannot be imported, or a memo that is less than nothing.
    """

    name = "duet"
    version = "5"
    declares_split = True
    embedded = True
    variations = MappingProxyType({**LOOKS, **NAMES, **WORDS, **DEVICES})

    def __init__(self, split: Choice = "dev", seal: str = "", add: str = "", memo: int = 0, pieces: int = 0) -> None:
        if split not in get_args(Choice):
            raise ConfigError(describe_unknown("split", split, get_args(Choice)))
        if memo < 0:
            raise ConfigError(f"suite.memo is a number of moves, at least 0, not {memo}")
        self._choice = split
        if pieces and not memo:
            raise ConfigError("suite.pieces are those of a memo; give suite.memo, too")
        self._memo = MoveMemo(memo, pieces) if memo else None
        self._begun: OrderedDict[tuple[str, int, int], Composition] = OrderedDict()
        if split == "asks" and add:
            raise ConfigError("the split asks has its own tasks; leave out suite.add, or choose another split")
        self._seal = seal or SEAL
        self._added = ASKING if split == "asks" else add
        self._book = book(self._added)
        self._variation = WorldVariation()

    def preload(self) -> None:
        """Look at the embedded devices once: fonts, layouts and what encodes pictures are then there."""
        if not self._over_adb and (tasks := self.tasks()):
            with closing(self.world(Thinking("frozen"))) as world:
                self.instantiate(tasks[0].id, 0).setup(world)
                for seen in world.observe_together(self.modalities, dict.fromkeys(world.envs, world.now)).values():
                    if isinstance(seen.screenshot, Image):
                        seen.screenshot.png()

    def vary(self, names: Sequence[str]) -> Duet:
        """The suite with other looks, names or words; see `omnipilot.bench.suites.duet.variations`."""
        varied = copy(self)
        varied._variation, varied._begun = WorldVariation(frozenset(names)), OrderedDict()
        return varied

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the chosen split."""
        return [info for info in self.every() if self._choice in ("all", info.tags["split"])]

    def every(self) -> Sequence[TaskInfo]:
        """The tasks for development and of the test, and those of the split `asks` where that was chosen."""
        infos = _infos(self._added)
        return [info for info in infos if info.envs == ("phone",)] if self._over_adb else infos

    def about(self, task_id: str) -> About:
        """The properties of a task.

        Raises:
            ConfigError: no such task.
        """
        return _abouts(self._added)[self._book.recipe(task_id).id]

    def split_of(self, task_id: str) -> Split:
        """Whether a task is for development or for the test."""
        return _splits(self._added)[self._book.recipe(task_id).id]

    def templates_of(self, task_id: str) -> frozenset[str]:
        """The templates of a task's sub-tasks, and its recipe."""
        about = self.about(task_id)
        return frozenset({*about.templates, f"recipe {about.id}"})

    def instantiate(self, task_id: str, instance: int, twin: int = 0) -> Task:
        """One task at one instance; task and instance determine names, codes and times.

        Args:
            twin: another number gives the same instance with other facts, which are only heard or seen in motion.

        Raises:
            ConfigError: no such task, or one of the split that was not chosen.
        """
        if self._choice != "asks" and task_id in {recipe.id for recipe in asking.RECIPES}:
            raise ConfigError(
                f"{task_id} belongs to the asks split, in which the user has to be asked. To run it, add --option "
                "suite.split=asks"
            )
        recipe = self._book.recipe(task_id)
        split = self.split_of(task_id)
        if self._choice not in ("all", split):
            why = "reserved for reporting; develop on the others" if split == "test" else "for development"
            raise ConfigError(
                f"{task_id} belongs to the {split} split, {why}. To run it, add --option suite.split={split}"
            )
        if self._over_adb and self.about(task_id).devices != "phone":
            raise ConfigError(f"{task_id} needs the desktop, too, which is not reached over adb; leave out --vary adb")
        composed = self._beginning(task_id, instance, twin)
        seed = self.seed(task_id, instance)

        def setup(world: SimWorld) -> str:
            world.reset(seed)
            world.prepare(lambda _: composed.state)
            return composed.instruction

        return Task(
            task_id,
            instance,
            setup,
            composed.graph,
            # It names elements by the ids of the embedded world, which are others over adb.
            None if self._over_adb else lambda world: demonstration(world, composed.solutions()),
            _limits(len(recipe.steps)),
            self._tags(task_id),
            recipe.intent,
            user=composed.user(),
            rest=None if self._over_adb else lambda world, reached: demonstration(world, composed.solutions(reached)),
        )

    def seed(self, task_id: str, instance: int) -> int:
        """The seed of an instance's content."""
        return instance_seed(task_id, self.split_of(task_id), instance, self._seal)

    def composed(self, task_id: str, instance: int, twin: int = 0) -> Composition:
        """The composition behind an instance of any split; for proofs and tables."""
        seed = self.seed(task_id, instance)
        templates, given = self._book.parts_of(self._book.recipe(task_id))
        begin, varied = quiet(self._variation.begin(seed)), self._variation.templates(templates)
        composed = compose(varied, begin, seed, given=given, twin=twin)
        return replace(composed, state=self._variation.show(composed.state))

    def _beginning(self, task_id: str, instance: int, twin: int) -> Composition:
        """The composition behind an instance; with a memo the same each time, for moves are known by its state."""
        if self._memo is None:
            return self.composed(task_id, instance, twin)
        key = (task_id, instance, twin)
        composed = self._begun.pop(key, None) or self.composed(*key)
        self._begun[key] = composed
        if len(self._begun) > MOST_BEGUN:
            self._begun.popitem(last=False)
        return composed

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop; the phone alone where it is reached over adb."""
        if self._over_adb:
            return EmbeddedPhone()
        return SimWorld(thinking, memo=self._memo)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What the phone over adb needs and this machine lacks; nothing where all is embedded."""
        return EmbeddedPhone.lacking({}) if self._over_adb else ()

    @property
    def _over_adb(self) -> bool:
        return ADB in self._variation.names

    def _tags(self, task_id: str) -> Mapping[str, str]:
        return {**self.about(task_id).tags(), "split": self.split_of(task_id)}


def quiet(state: WorldState) -> WorldState:
    """The state with every alarm off, so that only alarms set by a task ring."""
    return state.own(state.account.put(*(replace(alarm, enabled=False) for alarm in state.account.alarms)))


def _limits(pieces: int) -> Limits | None:
    if pieces == 1:
        return None
    run = Limits()
    assert run.turns is not None and run.actions is not None
    more = TURNS_A_PIECE * (pieces - 1)
    return Limits(run.turns + more, run.actions + 2 * more)


@lru_cache(maxsize=8)
def _abouts(added: str) -> Mapping[str, About]:
    shelf = book(added)
    state = quiet(initial_world(0))
    found = {}
    for recipe in shelf.recipes:
        templates, given = shelf.parts_of(recipe)
        found[recipe.id] = about(recipe, templates, compose(templates, state, recipe.id, given=given).graph)
    return found


@lru_cache(maxsize=8)
def _splits(added: str) -> Mapping[str, Split]:
    own = splits(_abouts("").values())
    others: Split = "asks" if added == ASKING else "dev"
    return {id: own.get(id, others) for id in _abouts(added)}


@lru_cache(maxsize=8)
def _infos(added: str) -> Sequence[TaskInfo]:
    shelf = book(added)
    return tuple(
        TaskInfo(
            recipe.id,
            _outline(recipe, added),
            item.envs,
            {**item.tags(), "split": _splits(added)[recipe.id]},
            intent=recipe.intent,
        )
        for recipe in shelf.recipes
        for item in (_abouts(added)[recipe.id],)
    )


def _outline(recipe: Recipe, added: str) -> str:
    """The instruction with its placeholders."""
    return ", then ".join(template.instruction for template in book(added).parts_of(recipe)[0])
