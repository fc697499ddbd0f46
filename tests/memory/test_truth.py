"""Random numbers that runs have in common, and a truth where there is none."""

from __future__ import annotations

from itertools import product

import pytest

from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.envs import Absent, ConfigError, Elements
from omnipilot.memory.truth import Draws, TakesTruth, check_grade


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


class Part(TakesTruth):
    part = "grounder 'mine'"

    def ask(self) -> Absent | Elements:
        return self._truth.texts("pc")


def test_a_part_asks_the_truth_that_it_was_handed_and_without_one_is_told_how_it_is_used() -> None:
    part, truth = Part(), EpisodeTruth()
    with pytest.raises(ConfigError, match="^grounder 'mine' takes its answers from the runner, and there is none here"):
        part.ask()
    part.take_truth(truth)
    assert part.ask() == truth.texts("pc") == Absent("unsupported", "nothing knows what is written on pc")
    with pytest.raises(ConfigError, match="^grounder 'mine' takes its answers"):
        Part().ask()


def test_a_grade_is_checked_and_its_errors_are_put_in_order() -> None:
    assert check_grade("part", 0.5, "b, a", ("a", "b", "c")) == ("a", "b")
    assert check_grade("part", 1, ["c"], ("a", "b", "c")) == ("c",)
    for accuracy, errors, told in ((1.1, "a", "0..1, not 1.1"), (0.5, "d", "a, b, c, not d"), (0.5, [], "a, b, c$")):
        with pytest.raises(ConfigError, match=f"^part: .*{told}"):
            check_grade("part", accuracy, errors, ("a", "b", "c"))
