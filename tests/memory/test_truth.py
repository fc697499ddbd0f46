"""Random numbers that runs have in common, and a truth where there is none."""

from __future__ import annotations

from itertools import product

import pytest

from omnipilot.envs import Box, ConfigError, Element, Point
from omnipilot.memory.truth import Draws, TakesTruth, Unknown, check_grade


def test_numbers_depend_on_episode_part_question_and_how_often_it_was_asked_and_on_nothing_else() -> None:
    keys = list(product((1, 2), ("one", "other"), ("a", "b"), range(3)))
    numbers = {}
    for seed in (1, 2):
        draws = Draws(seed)
        for _, part, question, again in (key for key in keys if key[0] == seed):
            numbers[seed, part, question, again] = draws.draw(part, question).random()
    assert len(set(numbers.values())) == len(keys)
    # In another order, and with other questions in between.
    draws = Draws(1)
    for _, part, question, again in sorted((key for key in keys if key[0] == 1), key=lambda key: key[::-1]):
        draws.draw(part, "something else")
        assert draws.draw(part, question).random() == numbers[1, part, question, again]


def test_the_numbers_are_the_same_on_every_machine() -> None:
    assert Draws(7).draw("grounder graded", "phone/Save").random() == 0.5895507474744988


def test_a_part_without_a_truth_is_told_how_it_is_used() -> None:
    unknown = Unknown("grounder 'gold'")
    element = Element("button", "Save", Box(0, 0, 1, 1))
    asks = (
        lambda: unknown.elements("pc"),
        lambda: unknown.meaning("pc", "Save"),
        lambda: unknown.lies_on("pc", element, Point(0, 0)),
        lambda: unknown.transcript("pc", 0, 1),
        lambda: unknown.texts("pc"),
        unknown.demonstration,
        lambda: unknown.draw("part", "question"),
    )
    for ask in asks:
        with pytest.raises(ConfigError, match="^grounder 'gold' takes its answers from the runner, and there is none"):
            ask()  # type: ignore[no-untyped-call]
    assert not isinstance(unknown, TakesTruth)


def test_a_grade_is_checked_and_its_errors_are_put_in_order() -> None:
    assert check_grade("part", 0.5, "b, a", ("a", "b", "c")) == ("a", "b")
    assert check_grade("part", 1, ["c"], ("a", "b", "c")) == ("c",)
    for accuracy, errors, told in ((1.1, "a", "0..1, not 1.1"), (0.5, "d", "a, b, c, not d"), (0.5, [], "a, b, c$")):
        with pytest.raises(ConfigError, match=f"^part: .*{told}"):
            check_grade("part", accuracy, errors, ("a", "b", "c"))
