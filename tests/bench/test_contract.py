"""The check of suites: ours keep the contract, and suites that break it are told where."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from made_parts import make_part
from toy_suite import ToySuite, ToyWorld

from omnipilot.bench import Case, Judge, JudgeGraph, Suite, Task, TaskInfo, check_suite
from omnipilot.bench.cli.commands.catalogue import SUITES
from omnipilot.bench.contract import ContractBroken
from omnipilot.bench.scoring.benchmark import MINIATURES
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.tasks import UserFact, UserFacts
from omnipilot.envs import ConfigError

COUNTER = itertools.count()
SHORT = ("send-message",)


class Toy(ToySuite):
    """The two tasks of the toy suite that nothing is wrong with; what breaks the contract changes one thing."""

    TASKS = ("count", "answer")


def changed(**fields: Any) -> Callable[[Toy, str, int], Task]:
    """An `instantiate` whose tasks have other fields; functions are given the task first."""

    def instantiate(self: Toy, task_id: str, instance: int) -> Task:
        task = ToySuite.instantiate(self, task_id, instance)
        return replace(task, **{name: value(task) if callable(value) else value for name, value in fields.items()})

    return instantiate


def listed(**fields: Any) -> Callable[[Toy], Sequence[TaskInfo]]:
    """A `tasks` with other fields."""
    return lambda self: [replace(info, **fields) for info in ToySuite.tasks(self)]


def after(task: Task, then: Callable[[Any], None], words: str | None = None) -> Callable[[Any], Any]:
    """A `setup` that goes on where the task's own ends."""

    def setup(world: Any) -> Any:
        said = task.setup(world)
        then(world)
        return said if words is None else words

    return setup


def test_ours_keep_the_contract() -> None:
    check_suite(Toy, instances=3)
    check_suite(ToySuite, tasks=["guard", "untold"])


@pytest.mark.slow
def test_tasks_that_need_asking_keep_the_contract() -> None:
    check_suite(lambda: Duet("asks"))


@pytest.mark.slow
def test_tasks_of_duet_keep_the_contract() -> None:
    check_suite(Duet, tasks=[*SHORT, *[info.id for info in Duet().tasks()][10:40:10]], instances=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["android-control", "crab", "omniact", "omnibench", "omnigui"])
def test_suites_from_files_keep_the_contract(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    data = tmp_path / "mini"
    data.mkdir()
    MINIATURES.load(name)(data)

    def make() -> Suite:
        return cast(Suite, make_part(SUITES, name, {"data": str(data)}))

    check_suite(make, tasks=[info.id for info in make().tasks()][:2])


def test_tasks_of_duet_are_listed_and_set_up_as_the_contract_says() -> None:
    check_suite(Duet, tasks=SHORT, play=False)


class Nameless(Toy):
    name = ""

    @property
    def version(self) -> str:  # type: ignore[override]
        return str(next(COUNTER))


class Twins(Toy):
    TASKS = ("count", "count", "answer")


class Shuffled(Toy):
    def tasks(self) -> Sequence[TaskInfo]:
        return super().tasks()[:: (-1) ** next(COUNTER)]


class NoTasks(Toy):
    TASKS = ()


class Unlisted(Toy):
    def tasks(self) -> None:  # type: ignore[override]
        """Nothing."""


class Undescribed(Toy):
    tasks = listed(description="", envs="toy", tags={"level": 3})  # type: ignore[assignment]


class Elsewhere(Toy):
    tasks = listed(envs=("toy", "tablet"))  # type: ignore[assignment]


class Lenient(Toy):
    def instantiate(self, task_id: str, instance: int) -> Task:
        return super().instantiate(task_id if task_id in self.TASKS else "count", instance)


class Strict(Toy):
    def instantiate(self, task_id: str, instance: int) -> Task:
        return super().instantiate({id: id for id in self.TASKS}[task_id], instance)


class Curt(Toy):
    def instantiate(self, task_id: str, instance: int) -> Task:
        if task_id not in self.TASKS:
            raise ConfigError("no such task")
        return super().instantiate(task_id, instance)


class Misnamed(Toy):
    instantiate = changed(id="other", tags=lambda task: {"when": {1, 2}})  # type: ignore[assignment]


class Drawn(Toy):
    instantiate = changed(setup=lambda task: after(task, lambda _: None, f"Number {next(COUNTER)}."))  # type: ignore[assignment]


class Mute(Toy):
    instantiate = changed(setup=lambda task: after(task, lambda _: None, " "))  # type: ignore[assignment]


class Silent(Toy):
    instantiate = changed(setup=lambda _: lambda world: None)  # type: ignore[assignment]


class Leftover(Toy):
    """Its tasks start where another number of actions ended."""

    instantiate = changed(  # type: ignore[assignment]
        setup=lambda task: after(task, lambda world: setattr(world, "pressed", next(COUNTER)))
    )


class OtherJudges(Toy):
    instantiate = changed(  # type: ignore[assignment]
        graph=lambda task: JudgeGraph((*task.graph.nodes, Judge(f"judge {next(COUNTER)}", lambda _: False)))
    )


class GivenAway(Toy):
    instantiate = changed(graph=lambda task: JudgeGraph((Judge("open", lambda _: True), *task.graph.nodes)))  # type: ignore[assignment]


class Failing(Toy):
    instantiate = changed(graph=lambda _: JudgeGraph((Judge("weighs", lambda case: case.state.weight > 1),)))  # type: ignore[assignment]


def _touch(case: Case) -> bool:
    case.world.count += 1  # type: ignore[attr-defined]
    return False


class Touching(Toy):
    instantiate = changed(graph=lambda _: JudgeGraph((Judge("touches", _touch),)))  # type: ignore[assignment]


class Unsolved(Toy):
    instantiate = changed(solution=lambda task: lambda world: task.solution(world)[:1])  # type: ignore[assignment]


class Idle(Toy):
    """Whatever is not forbidden passes."""

    instantiate = changed(
        graph=lambda _: JudgeGraph((Judge("unharmed", lambda case: case.state.count >= 0, when="end"),))
    )  # type: ignore[assignment]


class Entangled(Toy):
    """A topic of one fact is a word of another's."""

    instantiate = changed(  # type: ignore[assignment]
        user=UserFacts((UserFact(("code",), "It is 4."), UserFact(("door code",), "It is 5."), UserFact((), "Lost.")))
    )


class Fickle(Toy):
    instantiate = changed(  # type: ignore[assignment]
        user=lambda _: UserFacts((UserFact(("code",), f"It is {next(COUNTER)}."),))
    )


class Trapped(Toy):
    """A bug in the world, at the second press."""

    instantiate = changed(setup=lambda task: after(task, lambda world: setattr(world, "trap", "bug")))  # type: ignore[assignment]


class Unplugged(Toy):
    instantiate = changed(setup=lambda task: after(task, lambda world: setattr(world, "trap", "lost")))  # type: ignore[assignment]


BREACHES: list[tuple[Callable[[], Toy], tuple[str, ...]]] = [
    (Nameless, ("its name is ''", "its version is", "it changes with the data alone")),
    (Twins, ("several tasks have the id count",)),
    (Shuffled, ("tasks() lists other ids, or in another order",)),
    (NoTasks, ("tasks() has to list at least one TaskInfo",)),
    (Unlisted, ("tasks() raised TypeError",)),
    (Undescribed, ("count: it has no description", "count: its envs are 'toy'", "count: its tags are {'level': 3}")),
    (Elsewhere, ("count#0: it names the environment tablet, and the world has toy",)),
    (Lenient, ("instantiate('count-x') made a task: an unknown id is a ConfigError",)),
    (Strict, ("instantiate('count-x') raised KeyError ('count-x'): an unknown id is a ConfigError",)),
    (Curt, ("instantiate('count-x') says 'no such task': name the nearest ids",)),
    (Misnamed, ("the task says that it is ('other', 0)", "count#0: its tags cannot be written as JSON")),
    (Drawn, ("count#0: the same instance says 'Number", "draw from the instance alone, or say seeded=False")),
    (Mute, ("setup() returned ' ': it returns the instruction",)),
    (Silent, ("count#0: setup() returned None",)),
    (Leftover, ("count#0: the same instance starts otherwise when set up again",)),
    (OtherJudges, ("count#0: the same instance has other judges when made again",)),
    (GivenAway, ("count#0: open is reached before anything is done",)),
    (Failing, ("count#0: a judge raised AttributeError",)),
    (Touching, ("count#0: asking the judges changed the world's state",)),
    (Unsolved, ("count#0: its solution reaches 1 of 3 sub-goals (done): the planner 'oracle' has to pass",)),
    (Idle, ("count#0: doing nothing passes",)),
    (Entangled, ("asked about 'door code', its user says 'One thing", "a fact of its user lacks topics or an answer")),
    (Fickle, ("count#0: the same instance has a user who knows something else",)),
    (Trapped, ("count#0: playing 'oracle' raised ZeroDivisionError (a bug in the toy)",)),
    (Unplugged, ("count#0: with 'oracle' the episode is void, device lost: the toy was unplugged",)),
]


@pytest.mark.parametrize(("make", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_suite_is_told(make: Callable[[], Toy], told: tuple[str, ...]) -> None:
    with pytest.raises(ContractBroken) as error:
        check_suite(make)
    assert error.value.part == make.__name__
    for words in told:
        assert words in str(error.value)


def test_tasks_that_do_not_repeat_may_say_so() -> None:
    class Fresh(Drawn):
        tasks = listed(seeded=False)  # type: ignore[assignment]

    check_suite(Fresh)


def test_a_task_to_check_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="no task counting to check; its tasks are count, answer"):
        check_suite(Toy, tasks=["counting"])


def test_worlds_are_closed_whatever_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ToyWorld] = []

    class Kept(Trapped):
        def world(self, thinking: Any) -> ToyWorld:
            made.append(super().world(thinking))
            return made[-1]

    with pytest.raises(ContractBroken):
        check_suite(Kept)
    assert made
    assert all(world.closed for world in made)
