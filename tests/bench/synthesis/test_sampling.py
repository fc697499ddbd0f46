"""What templates draw from: facts in which twins differ, and items that are taken once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from omnipilot.bench.synthesis.sampling import Claims, TaskSampler, key_of
from omnipilot.envs import ConfigError


@dataclass(frozen=True)
class Item:
    id: str


ITEMS = [Item(name) for name in "abcd"]


def digit(dice: Random) -> int:
    return dice.randrange(10)


@pytest.mark.parametrize("seed", range(20))
def test_twins_differ_in_their_facts_and_in_nothing_else(seed: int) -> None:
    draws = [TaskSampler(seed, twin) for twin in range(4)]
    facts = [[draw.fact(digit), draw.fact(digit)] for draw in draws]
    assert len({first for first, _ in facts}) == 4 and len({second for _, second in facts}) == 4
    assert len({draw.random() for draw in draws}) == 1


def test_a_fact_moves_nothing_else() -> None:
    with_fact, without = TaskSampler(7), TaskSampler(7)
    with_fact.fact(digit)
    assert [with_fact.random() for _ in range(5)] == [without.random() for _ in range(5)]


def test_it_repeats() -> None:
    assert [TaskSampler(7).fact(digit), TaskSampler(7).choice(ITEMS)] == [
        TaskSampler(7).fact(digit),
        TaskSampler(7).choice(ITEMS),
    ]
    assert len({TaskSampler(seed).fact(digit) for seed in range(50)}) > 5


def test_a_fact_with_too_few_values_is_refused() -> None:
    with pytest.raises(ConfigError, match="only 2 values, but twin 2"):
        TaskSampler(1, 2).fact(lambda dice: dice.choice("AB"))


def test_what_one_piece_picks_no_other_gets() -> None:
    claims = Claims()
    first, second = TaskSampler(1, 0, claims), TaskSampler(2, 0, claims)
    picked = [draw.pick("mails", ITEMS).id for draw in (first, second, first, second)]
    assert sorted(picked) == ["a", "b", "c", "d"]
    assert first.claimed("mails") == set("abcd") and not first.claimed("alarms")
    with pytest.raises(ConfigError, match="no mails are left"):
        second.pick("mails", ITEMS)


def test_a_claim_is_seen_by_all_pieces_of_the_task_and_by_no_other_task() -> None:
    claims = Claims()
    TaskSampler(1, 0, claims).claim("mails", "a", "b")
    assert TaskSampler(2, 0, claims).claimed("mails") == {"a", "b"} and not TaskSampler(1).claimed("mails")


def test_a_conversation_is_known_by_its_contact() -> None:
    from omnipilot.envs.sim.state.account import Thread

    assert key_of(Thread("ana-silva")) == "ana-silva" and key_of(Item("x")) == "x"
