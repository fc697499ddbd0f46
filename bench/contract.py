"""Checks a suite against the contract of `omnipilot.bench.tasks.task`; can be called from any test."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.events import EpisodeEnded, Event, StepTaken
from omnipilot.bench.journal.results import SUCCESS, VOID, Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.graph import GraphEvaluator, JudgeGraph
from omnipilot.bench.tasks.judges import Case
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Capability, ConfigError, Modality, Thinking, World
from omnipilot.envs import ContractBroken as ContractBroken
from omnipilot.envs.contract.breaches import Breaches, describe_error
from omnipilot.envs.contract.looks import by_value
from omnipilot.memory import MediaStore
from omnipilot.memory.trajectory import FAILED

_SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})


def check_suite(
    make: Callable[[], Suite], *, tasks: Sequence[str] | None = None, instances: int = 1, play: bool = True
) -> None:
    """Check a suite, with some or all of its tasks, against the contract in its own world.

    Checked: name and version; that ids of tasks are there, unique and the same each time, and that an unknown one is a
    `ConfigError` which names the nearest; tags that JSON can hold. Of each chosen task at each instance: that it is of
    the id and instance asked for; that its environments exist; that the same instance again (of a second suite) has
    the same instruction, judges and start; that no judge holds at the start, and asking changes nothing; that its
    solution, where it has one, reaches every sub-goal when the planner `oracle` plays it, and doing nothing does not;
    that its prologue, where it has one, can be played and has the turns that it states; that what its user knows, where
    it has one, is the same again, and that each fact is told to who asks for it by any of its topics.

    In a plug-in's test:

        def test_my_suite_keeps_the_contract():
            check_suite(MySuite, tasks=["first-task"])

    Args:
        make: makes the suite anew.
        tasks: ids of those that are set up and played; all where none are given.
        instances: from 0 on, of each.
        play: whether solutions are played; without it setting up is all that is tried.

    Raises:
        ContractBroken: with every breach and its cure.
        ConfigError: what the suite needs is missing here, or `tasks` names none of its tasks.
    """
    suite, second = make(), make()
    found = Breaches(type(suite).__name__)
    check = _Check(found, suite, second)
    infos = check.catalogue()
    if infos is None:
        found.settle()
        return
    chosen = list(infos) if tasks is None else list(tasks)
    if strangers := [id for id in chosen if id not in infos]:
        raise ConfigError(f"the suite has no task {', '.join(strangers)} to check; its tasks are {', '.join(infos)}")
    slots = [Slot(id, instance, 0) for id in chosen for instance in range(instances)]
    world = suite.world(Thinking())
    try:
        sound = [slot for slot in slots if check.start(world, infos[slot.task], slot)]
    finally:
        world.close()
    if play:
        solved = [slot for slot in sound if suite.instantiate(slot.task, slot.instance).solution is not None]
        check.play(solved, "oracle")
        check.play(solved, "noop")
    found.settle()


class _Check:
    """Asks two equal suites."""

    def __init__(self, found: Breaches, suite: Suite, second: Suite) -> None:
        self.found = found
        self.suite = suite
        self.second = second

    def catalogue(self) -> dict[str, TaskInfo] | None:
        """The suite's tasks by id, or None if their ids are not unique."""
        for name in ("name", "version"):
            value, again = getattr(self.suite, name, None), getattr(self.second, name, None)
            self.found.check(
                isinstance(value, str) and value, f"its {name} is {value!r}: it is text, part of a run's identity"
            )
            self.found.check(
                value == again, f"its {name} is {value!r} and then {again!r}: it changes with the data alone"
            )
        infos = self.found.attempt("tasks()", lambda: list(self.suite.tasks()), "it lists the tasks and raises nothing")
        if infos is None or not self.found.check(
            infos and all(isinstance(info, TaskInfo) for info in infos), "tasks() has to list at least one TaskInfo"
        ):
            return None
        ids = [info.id for info in infos]
        if twice := sorted({str(id) for id in ids if ids.count(id) > 1}):
            self.found.note(f"several tasks have the id {', '.join(twice[:3])}: an id means one task")
        self.found.check(all(isinstance(id, str) and id for id in ids), "a task has no id: give it words")
        self.found.check(
            ids == [info.id for info in self.suite.tasks()] == [info.id for info in self.second.tasks()],
            "tasks() lists other ids, or in another order, when asked again: ids and their order are fixed",
        )
        for info in infos:
            self.found.check(info.description, f"{info.id}: it has no description: say in a line what is to be done")
            self.found.check(
                isinstance(info.envs, tuple) and info.envs,
                f"{info.id}: its envs are {info.envs!r}: name them in a tuple",
            )
            self._tags(info.id, info.tags)
        every = {info.id for info in self.suite.every()}
        self.found.check(set(ids) <= every, "every() lacks tasks that tasks() lists: it tells of all splits")
        self._unknown(ids)
        return dict(zip(ids, infos, strict=True))

    def _tags(self, id: str, tags: Mapping[str, str]) -> None:
        try:
            plain = json.loads(json.dumps(dict(tags)))
        except (TypeError, ValueError) as error:
            self.found.note(
                f"{id}: its tags cannot be written as JSON, {describe_error(error)}: they are names with text"
            )
            return
        fine = all(isinstance(value, str) for value in plain.values())
        self.found.check(
            fine and plain == dict(tags), f"{id}: its tags are {dict(tags)!r:.80}: they are names with text"
        )

    def _unknown(self, ids: Sequence[str]) -> None:
        near = f"{ids[0]}-x"
        try:
            self.suite.instantiate(near, 0)
        except ConfigError as error:
            self.found.check(
                any(id in str(error) for id in ids),
                f"instantiate({near!r}) says {str(error)!r:.80}: name the nearest ids, as "
                "omnipilot.envs.schema.validation_messages.nearest does",
            )
        except Exception as error:
            self.found.note(f"instantiate({near!r}) raised {describe_error(error)}: an unknown id is a ConfigError")
        else:
            self.found.note(f"instantiate({near!r}) made a task: an unknown id is a ConfigError that names the nearest")

    def start(self, world: World, info: TaskInfo, slot: Slot) -> bool:
        """Set a task up twice; whether it can be played."""
        at = f"{slot.task}#{slot.instance}"
        cure = "every task of tasks() exists at every instance"
        task = self.found.attempt(f"{at}: instantiate()", lambda: self.suite.instantiate(*_asked(slot)), cure)
        again = self.found.attempt(f"{at}: instantiate()", lambda: self.second.instantiate(*_asked(slot)), cure)
        if task is None or again is None:
            return False
        got = (task.id, task.instance)
        self.found.check(got == _asked(slot), f"{at}: the task says that it is {got}: give what was asked for")
        if not self.found.check(isinstance(task.graph, JudgeGraph), f"{at}: its graph is no JudgeGraph"):
            return False
        self._tags(at, task.tags)
        first = self._set_up(world, task, at, info)
        if first is None:
            return False
        state = world.state() if Capability.STATE in world.capabilities else None
        if not self._prologue(task, at) or not self._judges(world, task, at):
            return False
        self._user(task, again, at)
        words = self._set_up(world, again, at, info)
        self.found.check(
            _shape(task) == _shape(again),
            f"{at}: the same instance has other judges when made again: draw from it alone",
        )
        if info.seeded and words is not None:
            self.found.check(
                words == first,
                f"{at}: the same instance says {first!r:.60} and then {words!r:.60}: draw from the instance alone, or "
                "say seeded=False",
            )
            self.found.check(
                Capability.STATE not in world.capabilities or not by_value(state) or state == world.state(),
                f"{at}: the same instance starts otherwise when set up again: reset the world, or say seeded=False",
            )
        return True

    def _user(self, task: Task, again: Task, at: str) -> None:
        """That its user tells the same facts each time, and each of them alone."""
        self.found.check(task.user == again.user, f"{at}: the same instance has a user who knows something else")
        if task.user is None:
            return
        for fact in task.user.facts:
            self.found.check(fact.topics and fact.answer, f"{at}: a fact of its user lacks topics or an answer")
            for topic in fact.topics:
                said = task.user.answer(topic)
                self.found.check(
                    said == fact.answer,
                    f"{at}: asked about {topic!r}, its user says {said!r:.60} and not {fact.answer!r:.60}: facts share "
                    "no topic, and no word that is a topic of another",
                )

    def _set_up(self, world: World, task: Task, at: str, info: TaskInfo) -> str | None:
        words = self.found.attempt(
            f"{at}: setup()", lambda: task.setup(world), "it brings the suite's world to the start"
        )
        if words is None or not self.found.check(
            isinstance(words, str) and words.strip(),
            f"{at}: setup() returned {words!r:.60}: it returns the instruction",
        ):
            return None
        strangers = [env for env in info.envs if env not in world.envs]
        self.found.check(
            not strangers,
            f"{at}: it names the environment {', '.join(strangers)}, and the world has {', '.join(world.envs)}",
        )
        return words

    def _prologue(self, task: Task, at: str) -> bool:
        """Whether the task's prologue, if it has one, says how long it is; playing it shows whether that is true."""
        prologue = task.prologue
        return prologue is None or self.found.check(
            isinstance(prologue.turns, int) and prologue.turns > 0,
            f"{at}: its prologue has {prologue.turns!r} turns: state how many it plays, at least 1",
        )

    def _judges(self, world: World, task: Task, at: str) -> bool:
        """Ask at the start; whether none holds, so that the task can be played."""
        start = world.state() if Capability.STATE in world.capabilities else None
        try:
            changes = GraphEvaluator(task.graph).step(Case(world, start))
        except Exception as error:
            self.found.note(
                f"{at}: a judge raised {describe_error(error)} at the start: it answers whatever the state is"
            )
            return False
        if early := [change.node for change in changes if change.completed]:
            self.found.note(f"{at}: {', '.join(early)} is reached before anything is done: judge what the task changes")
        self.found.check(
            Capability.STATE not in world.capabilities or not by_value(start) or start == world.state(),
            f"{at}: asking the judges changed the world's state: they may only look",
        )
        return not early

    def play(self, slots: Sequence[Slot], planner: str) -> None:
        """Let a planner play, as `omnipilot run` would."""
        spec = RunSpec(AgentSpec(planner=PartSpec(planner), modalities=_SEEN), PartSpec(self.suite.name))
        events: list[Event] = []
        truth = EpisodeTruth()
        player = EpisodeRunner(spec, self.suite, build(spec.agent, truth), MediaStore(), events.append, truth)
        try:
            for slot in slots:
                at = f"{slot.task}#{slot.instance}"
                events.clear()
                player.store = MediaStore()
                try:
                    player.play(slot, 1)
                except Exception as error:
                    self.found.note(
                        f"{at}: playing {planner!r} raised {describe_error(error)}: see `omnipilot run`, it does too"
                    )
                    player.close()
                    continue
                self._ended(at, planner, events)
        finally:
            player.close()

    def _ended(self, at: str, planner: str, events: Sequence[Event]) -> None:
        end: Any = next(event for event in events if isinstance(event, EpisodeEnded))
        if end.reason == VOID:
            self.found.note(f"{at}: with {planner!r} the episode is void, {end.detail}: the world has to hold")
        elif planner == "noop":
            self.found.check(
                end.reason != SUCCESS, f"{at}: doing nothing passes: judge what only the task's deed brings"
            )
        elif end.reason != SUCCESS:
            failed = [event for event in events if isinstance(event, StepTaken) and event.result in FAILED]
            why = f"; a move was {failed[0].result}: {failed[0].message:.120}" if failed else ""
            self.found.note(
                f"{at}: its solution reaches {end.completed} of {end.total} sub-goals ({end.reason}{why}): the planner "
                "'oracle' has to pass"
            )


def _asked(slot: Slot) -> tuple[str, int]:
    return slot.task, slot.instance


def _shape(task: Task) -> object:
    return [(node.name, node.when, node.env) for node in task.graph.nodes], sorted(task.graph.edges)
