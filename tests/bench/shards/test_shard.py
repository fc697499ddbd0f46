"""Which episodes a shard plays: each is of exactly one, about as many for each, and none moves when a run grows."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from toy_suite import ToySuite, toy_spec

from omnipilot.bench.run.runner import due_slots
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.shards.shard import NOTE, Shard, places_of, planned_here
from omnipilot.envs import ConfigError

TASKS = [f"task-{number}" for number in range(40)]


def of_shards(tasks: list[str], instances: int, trials: int, count: int) -> dict[tuple[str, int, int], int]:
    """The number of the shard of each episode, which has exactly one."""
    places, found = places_of(TASKS), {}
    for task in tasks:
        for instance in range(instances):
            for trial in range(trials):
                shards = [n for n in range(1, count + 1) if Shard(n, count).plays(places, task, instance, trial)]
                assert len(shards) == 1
                found[task, instance, trial] = shards[0]
    return found


@pytest.mark.parametrize(("instances", "trials", "count"), [(1, 5, 8), (2, 5, 3), (1, 1, 8), (3, 1, 40)])
def test_shards_have_about_as_many_episodes_each(instances: int, trials: int, count: int) -> None:
    counts = Counter(of_shards(TASKS, instances, trials, count).values())
    assert len(counts) == count and max(counts.values()) - min(counts.values()) <= instances * trials // count + 1


def test_the_trials_of_a_task_are_spread() -> None:
    found = of_shards(["task-3"], 1, 8, 8)
    assert sorted(found.values()) == list(range(1, 9))


def test_no_episode_moves_when_a_run_grows_or_is_ordered_otherwise() -> None:
    small, large = of_shards(TASKS[:7], 1, 2, 8), of_shards(TASKS, 3, 5, 8)
    assert all(large[episode] == shard for episode, shard in small.items())
    shuffled = random.Random(1).sample(TASKS, len(TASKS))
    assert places_of(shuffled) == places_of(TASKS)


def test_the_episodes_of_all_shards_are_those_of_the_run() -> None:
    spec, suite = toy_spec("count", "far", "guard", instances=2, trials=2), ToySuite()
    tasks = ("count", "far", "guard")
    parts = [due_slots(spec, suite, tasks, Shard(number, 3)) for number in (1, 2, 3)]
    assert frozenset().union(*parts) == due_slots(spec, suite, tasks)
    assert sum(map(len, parts)) == 12 == len(due_slots(spec, suite, tasks))
    more = due_slots(replace(spec, trials=5), suite, tasks, Shard(2, 3))
    assert parts[1] < more


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9/8", "counted from 1/8 to 8/8"),
        ("0/8", "counted from 1/8 to 8/8"),
        ("1/0", "1 to 100,000 shards"),
        ("x", "such as 3/8"),
        ("", "such as 3/8"),
        ("3", "such as 3/8"),
        ("-1/8", "such as 3/8"),
        ("1/8/2", "such as 3/8"),
        ("٣/8", "such as 3/8"),
    ],
)
def test_what_is_no_shard_is_refused_with_the_cure(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RunSettings(shard=text)


def test_a_shard_is_read_as_it_is_written() -> None:
    assert Shard.parse(" 3/8 ") == Shard(3, 8) and str(Shard(3, 8)) == "3/8"
    assert RunSettings(shard="3/8").part == Shard(3, 8) and RunSettings().part is None


def test_a_directory_is_to_hold_the_episodes_of_the_shards_that_were_started_in_it() -> None:
    first, second = ({NOTE: {"number": number, "of": 3, "episodes": 4}} for number in (1, 2))
    assert planned_here([first], 10) == planned_here([first, first], 10) == 4
    assert planned_here([first, second], 10) == 8
    assert planned_here([first, {}], 10) == planned_here([], 10) == 10
    assert planned_here([{}, first], 10) == planned_here([first, {}, second], 10) == 10, "a whole run stays one"
    assert planned_here([first, second], 6) == 6
    assert Shard.of_provenance({NOTE: {"number": 9, "of": 3}}) is Shard.of_provenance({NOTE: "3/8"}) is None
