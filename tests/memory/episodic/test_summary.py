"""The memory `summary`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from omnipilot.envs import AudioClip, Box, ConfigError, Context, Element, Elements, Modality, Observation, Size
from omnipilot.memory import Budget, Message, Recalled, Reply, Role, Turn, Usage, check_memory
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.summary import Claim, SummaryMemory, borne_out

BOX = Box(0.1, 0.1, 0.5, 0.5)


class Scripted:
    """A chat model that answers from a list, then with no claims."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message], timeout: float | None = None, **options: Any) -> Reply:
        self.asked.append(tuple(messages))
        text = self.answers.pop(0) if self.answers else '{"claims": []}'
        return Reply(text, usage=Usage(1, 100, 10, 0.01))


def turn(index: int, words: str = "", heard: str = "") -> Turn:
    elements = Elements((Element("text", words or f"page {index}", BOX),))
    seen = Observation("phone", float(index), Size(8, 8), elements=elements)
    return Turn(index, {"phone": seen}, f"thought {index}", (heard,) if heard else (), (), Usage())


def said(*claims: tuple[str, list[int]]) -> str:
    return json.dumps({"claims": [{"text": text, "turns": turns} for text, turns in claims]})


def summaries(recalled: Sequence[Recalled]) -> list[str]:
    return [str(one.part) for one in recalled if one.source == "summary"]


def test_it_keeps_the_contract_of_memories() -> None:
    check_memory(lambda: SummaryMemory.over(Scripted(), block=2, keep=1))


def test_claims_are_recalled_with_their_turns_and_what_is_not_there_is_dropped() -> None:
    model = Scripted(
        said(
            ("The door code is 7394.", [1]),
            ("The door code is 7395.", [1]),
            ("The door code is 7394, again.", [7]),
            ("Penguins waddle across frozen shores.", [1]),
        )
    )
    memory = SummaryMemory.over(model, block=3, keep=1)
    for index in range(4):
        memory.record(turn(index, "Door code 7394" if index == 1 else ""))
    recalled = memory.recall("What is the door code?", memory.budget, Role("planner"), ("phone",))
    (claim,) = (one for one in recalled if one.source == "summary")
    assert (claim.part, claim.turn, claim.time, claim.env) == ("The door code is 7394.", 1, 1.0, "phone")
    assert 'says "door", "code"' in claim.why and "summary of turns 1 to 3" in claim.why and "turn 2" in claim.why
    (event,) = (event for event in memory.drain_events() if event.kind == "summary")
    assert event.to_json()["detail"]["dropped"] == 3 and event.to_json()["detail"]["turns"] == [0, 2]
    assert event.to_json()["detail"]["claims"] == [{"text": "The door code is 7394.", "turns": [1]}]
    assert memory.drain_usage() == Usage(1, 100, 10, 0.01)
    assert memory.drain_usage() == Usage()


def test_each_block_is_summarised_once_and_only_when_it_is_full() -> None:
    model = Scripted()
    memory = SummaryMemory.over(model, block=2, keep=1)
    for index in range(7):
        memory.record(turn(index))
        for _ in range(3):
            memory.recall("page", memory.budget, Role("planner"), ("phone",))
    assert len(model.asked) == 3


def test_replies_that_cannot_be_read_stop_nothing() -> None:
    memory = SummaryMemory.over(Scripted("no JSON", '{"claims": 5}'), block=2, keep=1)
    for index in range(4):
        memory.record(turn(index))
    recalled = memory.recall("page", memory.budget, Role("planner"), ("phone",))
    assert recalled and not summaries(recalled)
    (event,) = (event for event in memory.drain_events() if event.kind == "summary")
    assert event.to_json()["detail"]["problem"]
    assert memory.drain_usage().calls == 2, "it was asked once more, and what both calls cost counts"


def test_a_role_gets_summaries_of_what_it_may_see_alone() -> None:
    model = Scripted(said(("The code is 7394.", [0])))
    memory = SummaryMemory.over(model, block=2, keep=1)
    for index in range(4):
        memory.record(turn(index, "code 7394"))
    whole = memory.recall("code", memory.budget, Role("planner"), ("phone",))
    assert summaries(whole) == ["The code is 7394."]
    less = Role("critic", frozenset(Modality) - {Modality.ELEMENTS})
    assert not summaries(memory.recall("code", memory.budget, less, ("phone",)))
    asked = str(model.asked[-1][1].parts)
    assert "7394" not in asked and "thought 1" in asked
    assert not summaries(memory.recall("code", memory.budget, Role("planner"), ()))


def test_of_a_model_that_goes_on_and_on_the_first_claims_are_kept() -> None:
    memory = SummaryMemory.over(
        Scripted(said(*[(f"Page 0 is thought {n}.", [0]) for n in [0] * 5_000])), block=2, keep=1
    )
    for index in range(3):
        memory.record(turn(index))
    memory.recall("page", Budget(tokens=3_000), Role("planner"), {"phone"})
    (event,) = (event for event in memory.drain_events() if event.kind == "summary")
    assert len(event.to_json()["detail"]["claims"]) == 40 and event.to_json()["detail"]["dropped"] == 4_960


def test_the_model_is_told_of_applications_only_what_the_asking_role_sees() -> None:
    model = Scripted()
    memory = SummaryMemory.over(model, block=2, keep=1)
    for index in range(3):
        one = turn(index)
        seen = replace(one.observations["phone"], context=Context("Secrets", "Hidden"))
        memory.record(replace(one, observations={"phone": seen}))
    for modalities, told in ((frozenset({Modality.ELEMENTS}), False), (frozenset(Modality), True)):
        memory.recall("anything", Budget(), Role("planner", modalities), {"phone"})
        assert ("Secrets" in str(model.asked[-1][-1].parts)) == told
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("The code is 7394.", True),
        ("The codes are 7394.", True),
        ("The code is 739.", False),
        ("The code is 73.94.", False),
        ("The code is 7,394.", True),
        ("The price is $5.14.", False),
        ("Somebody called about a dog.", False),
    ],
)
def test_a_claim_is_borne_out_by_numbers_and_most_of_its_words(claim: str, held: bool) -> None:
    events = [TimelineEvent("text", "phone", 1.0, 1.0, 1, "Your code: 7394")]
    assert borne_out(Claim(claim, (1,)), events) is held
    assert not borne_out(Claim(claim, (1, 2)), events), "a turn that does not exist"
    assert not borne_out(Claim(claim, ()), events)


def test_spoken_digits_bear_out_a_code() -> None:
    events = [TimelineEvent("transcript", "phone", 1.0, 2.0, 1, "the code is 7 3 9 4", Modality.AUDIO)]
    assert borne_out(Claim("The code is 7394.", (1,)), events)
    assert not borne_out(Claim("The code is 7395.", (1,)), events)


def test_options_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="block and keep must be at least 1"):
        SummaryMemory.over(Scripted(), block=0)


def test_sounds_are_part_of_a_budget_that_is_kept() -> None:
    memory = SummaryMemory.over(Scripted(said(("The code is 7394.", [0]))), block=1, keep=1)
    clip = AudioClip(b"\1\0" * 160, "phone", 0.0)
    seen = Observation("phone", 0.0, Size(8, 8), audio=clip)
    memory.record(Turn(0, {"phone": seen}, "the code is 7394", (), (), Usage()))
    memory.record(turn(1))
    assert not memory.recall("code", Budget(0, 0, 0, 0, 0, 0.0, 0.0), Role("planner"), ("phone",))
