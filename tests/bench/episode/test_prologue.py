"""What a suite plays before an episode: memory takes it in, and limits, judges, planners and wrappers do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from made_settings import spec_of
from toy_suite import ToySuite

from omnipilot.agents import build
from omnipilot.bench import Task, check_suite
from omnipilot.bench.contract import ContractBroken
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Slot
from omnipilot.bench.journal.events import EpisodeEnded, PastTurn, Remembered, StepTaken, TurnTaken
from omnipilot.bench.tasks.task import Prologue
from omnipilot.envs import Click, ConfigError, Press, Ref, Wait
from omnipilot.memory import MediaStore, Move

PAST = 12
MOVES = [Move("toy", Press(("enter",))), Move("toy", Click(Ref("b"))), Move("", Wait(3.0))]


class PastSuite(ToySuite):
    """The toy suite with a past; a move may be replaced, and the stated number of turns may be wrong."""

    TASKS = ("count",)

    def __init__(self, stated: int = PAST, moves: Sequence[Move] = MOVES) -> None:
        super().__init__()
        self.stated, self.moves = stated, moves

    def instantiate(self, task_id: str, instance: int) -> Task:
        def play(_: Any) -> Iterator[Move]:
            for index in range(PAST):
                yield self.moves[index % len(self.moves)]

        return replace(super().instantiate(task_id, instance), prologue=Prologue(self.stated, play))


def played(suite: ToySuite, *options: str, **settings: Any) -> tuple[list[Event], MediaStore]:
    spec = spec_of({"suite": "toy_suite:ToySuite", "planner": "oracle", **settings}, options=options)
    events: list[Event] = []
    truth, store = EpisodeTruth(), MediaStore()
    runner = EpisodeRunner(spec, suite, build(spec.agent, truth, store), store, events.append, truth)
    runner.play(Slot("count", 0, 0), 1)
    runner.close()
    return events, store


def of(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_the_past_is_journalled_turn_by_turn_and_counts_for_nothing() -> None:
    events, _ = played(PastSuite(), limits={"turns": 4, "actions": 4})
    past = of(events, PastTurn)
    assert [turn.turn for turn in past] == list(range(-PAST, 0))
    assert [turn.actions[0]["action"]["kind"] for turn in past[:3]] == ["press", "click", "wait"]
    assert all(before.end <= after.start for before, after in zip(past, past[1:], strict=False))
    (end,) = of(events, EpisodeEnded)
    # Three sub-goals from where the past ended: the judges start there, and so does the demonstration.
    assert (end.reason, end.turns, end.actions, end.completed) == ("success", 3, 3, 3)
    assert [turn.turn for turn in of(events, TurnTaken)] == [0, 1, 2]
    assert end.prologue_seconds > 0 and events.index(past[-1]) < events.index(of(events, StepTaken)[0])


def test_memory_recalls_the_past_and_knows_that_it_was_before() -> None:
    events, _ = played(PastSuite(), "memory.turns=3", memory="window")
    first = of(events, TurnTaken)[0]
    assert {part["turn"] for part in first.recalled} == {-3, -2, -1}
    events, _ = played(PastSuite(), memory="episodic")
    kept = of(events, Remembered)
    assert [one.turn for one in kept][:PAST] == list(range(-PAST, 0))
    assert {event["kind"] for one in kept[:PAST] for event in one.events} == {"action", "text"}


def test_what_readers_tell_of_the_past_reaches_memory_once() -> None:
    events, _ = played(PastSuite(), memory="episodic", readers="gold")
    told = [event for one in of(events, Remembered) for event in one.events if event["kind"] == "text"]
    assert {event["turn"] for event in told} >= {-PAST, -1}
    assert len({(event["turn"], event["text"], event.get("modality")) for event in told}) == len(told)


def test_wrappers_ignore_the_past() -> None:
    # Pressing one button again and again is a loop; in the past it is none of the agent's.
    same = PastSuite(moves=[Move("toy", Press(("f1",)))])
    events, _ = played(same, loops="repeats")
    assert not of(events, TurnTaken)[0].told and of(events, EpisodeEnded)[0].reason == "success"


@pytest.mark.parametrize(
    ("suite", "told"),
    [
        (PastSuite(PAST + 1), "fewer than the 13 turns"),
        (PastSuite(PAST - 1), "more than the 11 turns"),
        (PastSuite(moves=[Move("toy", Click(Ref("nothing")))]), "cannot be played"),
        (PastSuite(moves=[Move("pc", Press(("a",)))]), "cannot press on 'pc'"),
    ],
)
def test_a_prologue_that_cannot_be_played_breaks_the_task(suite: PastSuite, told: str) -> None:
    (end,) = of(played(suite)[0], EpisodeEnded)
    assert end.reason == "void" and "the task is broken" in end.detail and told in end.detail
    with pytest.raises(ContractBroken, match=told):
        check_suite(lambda: suite)


def test_the_contract_knows_prologues() -> None:
    check_suite(PastSuite)
    with pytest.raises(ContractBroken, match="at least 1"):
        check_suite(lambda: PastSuite(0))


def test_a_reader_that_knows_nothing_is_told_as_ever() -> None:
    with pytest.raises(ConfigError, match="heard"):
        played(PastSuite(), readers="gold:transcript")
