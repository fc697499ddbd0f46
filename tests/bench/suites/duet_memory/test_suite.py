"""The suite `duet-memory`: 32 tasks, their tags and splits, and pasts that are the same again."""

from __future__ import annotations

from collections import Counter

import pytest
from made_settings import spec_of

from omnipilot.agents import build
from omnipilot.bench import check_suite
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Slot
from omnipilot.bench.journal.events import EpisodeEnded, PastTurn, TurnTaken
from omnipilot.bench.suites.duet_memory import DuetMemory
from omnipilot.bench.suites.duet_memory.suite import splits
from omnipilot.envs import ConfigError
from omnipilot.memory import MediaStore


def played(task: str, **settings: str) -> list[Event]:
    """The journal of one episode."""
    spec = spec_of({"suite": "duet-memory", **settings})
    events: list[Event] = []
    truth, store = EpisodeTruth(), MediaStore()
    runner = EpisodeRunner(spec, DuetMemory("all"), build(spec.agent, truth, store), store, events.append, truth)
    runner.play(Slot(task, 0, 0), 1)
    runner.close()
    return events


def test_there_are_32_tasks_at_three_distances() -> None:
    infos = DuetMemory("all").tasks()
    assert len(infos) == 32 and Counter(info.tags["distance"] for info in infos) == {"10": 16, "100": 8, "1000": 8}
    assert len({info.tags["kind"] for info in infos}) == 8 and len({info.tags["template"] for info in infos}) == 16


def test_a_template_is_in_one_split_and_a_third_is_for_development() -> None:
    dev, test = (DuetMemory(split).tasks() for split in ("dev", "test"))
    templates = [{info.tags["template"] for info in infos} for infos in (dev, test)]
    assert not templates[0] & templates[1] and (len(dev), len(test)) == (10, 22)
    assert set(splits().values()) == {"dev", "test"}
    with pytest.raises(ConfigError, match=r"suite\.split=test"):
        DuetMemory("dev").instantiate(test[0].id, 0)


def test_its_split_allows_experience_from_tasks_for_development_alone() -> None:
    suite = DuetMemory()
    assert suite.declares_split
    by_template: dict[str, set[str]] = {}
    for info in suite.every():
        assert suite.split_of(info.id) == info.tags["split"]
        templates = suite.templates_of(info.id)
        assert info.tags["template"] in templates and len(templates) == 2
        by_template.setdefault(info.tags["template"], set()).add(suite.split_of(info.id))
    assert all(len(found) == 1 for found in by_template.values())
    with pytest.raises(ConfigError, match="there is no task"):
        suite.split_of("third-room")


@pytest.mark.parametrize("wrong", ["price-seen", "price-seen-11", "price-seen-x", "nothing-10"])
def test_an_unknown_task_is_told_with_the_nearest(wrong: str) -> None:
    with pytest.raises(ConfigError, match="did you mean|There are"):
        DuetMemory("all").instantiate(wrong, 0)


def test_the_contract_is_kept() -> None:
    check_suite(lambda: DuetMemory("all"), tasks=["third-room-10", "file-before-call-10"])


def test_the_past_is_as_long_as_the_task_says_and_the_same_again() -> None:
    first, again = (played("price-to-mail-100", planner="oracle") for _ in range(2))
    past = [event for event in first if isinstance(event, PastTurn)]
    assert len(past) == 8 + 14 + 100 and past == [event for event in again if isinstance(event, PastTurn)]
    (end,) = (event for event in first if isinstance(event, EpisodeEnded))
    assert (end.reason, end.turns) == ("success", 6) and end.prologue_seconds > 0


def test_facts_are_known_once_the_past_was_played() -> None:
    task = DuetMemory("all").instantiate("price-seen-10", 0)
    assert task.facts is not None
    with pytest.raises(ConfigError, match="was not played"):
        task.facts()


def test_from_memory_solves_what_was_recalled_and_says_what_it_lacks() -> None:
    lacking = played("changed-room-10", planner="from-memory", memory="window")[-1]
    assert isinstance(lacking, EpisodeEnded) and lacking.reason == "done" and lacking.status == "failure"
    assert "the room of the review" in lacking.detail
    recalled = played("changed-room-10", planner="from-memory", memory="episodic", readers="gold")
    assert isinstance(recalled[-1], EpisodeEnded) and recalled[-1].reason == "success"
    said = [event.thought for event in recalled if isinstance(event, TurnTaken)]
    assert sum("As remembered" in thought for thought in said) == 1
