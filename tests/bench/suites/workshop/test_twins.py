from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from omnipilot.bench.suites.workshop import Workshop
from omnipilot.bench.suites.workshop.kit.media import speech, tones
from omnipilot.bench.suites.workshop.kit.steps import answer
from omnipilot.bench.suites.workshop.suite import all_templates
from omnipilot.bench.suites.workshop.template import Draw, TaskDraft
from omnipilot.bench.suites.workshop.twins import guesses_fail, only_media_differ, solution, twin

TASKS = sorted(task for task, template in all_templates().items() if template.hangs_on != "screen")


class OneTask(Workshop):
    """A suite whose only task asks for one of so many numbers."""

    def __init__(self, numbers: int) -> None:
        self.numbers = numbers

    def draft(self, task_id: str, instance: int, other: int = 0) -> TaskDraft:
        draw = Draw(instance, other)
        number = draw.media.randrange(self.numbers)
        return TaskDraft("Count the beeps.", (), (answer(str(number)),), media={"a.wav": partial(beeps, number)})


def beeps(number: int) -> bytes:
    return tones([(0.0, 0.1), *[(500.0, 0.1), (0.0, 0.1)] * number], 5.0)


@pytest.mark.parametrize("task", TASKS)
def test_a_guess_rarely_solves_a_task_that_is_heard_or_watched(task: str) -> None:
    assert guesses_fail(Workshop(), task) == []


@pytest.mark.parametrize("task", TASKS)
def test_twins_differ_in_what_is_heard_or_watched_alone(task: str) -> None:
    suite = Workshop()
    assert only_media_differ(suite.draft(task, 0), twin(suite, task, 0)) == []


@pytest.mark.parametrize(("numbers", "told"), [(1, ["a guess solves 100.0% of its twins"]), (60, [])])
def test_a_guess_is_weighed(numbers: int, told: list[str]) -> None:
    assert guesses_fail(OneTask(numbers), "beeps") == told


def test_a_guess_of_one_in_six_is_too_good() -> None:
    assert len(guesses_fail(OneTask(6), "beeps")) == 1


def test_a_twin_asks_for_another_solution() -> None:
    suite = OneTask(2)
    assert solution(twin(suite, "beeps", 0)) != solution(suite.draft("beeps", 0))


def test_a_task_without_a_twin_has_equal_media() -> None:
    suite = OneTask(1)
    assert only_media_differ(suite.draft("beeps", 0), twin(suite, "beeps", 0)) == ["the media are equal"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"instruction": "Count the 3 beeps."}, "instructions differ"),
        ({"files": {"hint.txt": b"3"}}, "files differ"),
        ({"open": (("mpv", "3.wav"),)}, "open programs differ"),
        ({"pages": {"": "3"}}, "pages differ"),
        ({"media": {"3.wav": partial(beeps, 3)}}, "names of media differ"),
        ({"media": {"a.wav": lambda: tones([(500.0, 0.3)], 6.0)}}, "a.wav tells its twin apart"),
    ],
)
def test_what_gives_a_twin_away_is_found(change: dict[str, object], told: str) -> None:
    draft = OneTask(60).draft("beeps", 0)
    assert only_media_differ(draft, replace(draft, **change)) == [told]


def test_a_speech_has_its_length_whatever_it_says() -> None:
    assert len(speech("en-a:the code is 4711", seconds=6.0)) == len(speech("en-b:7", seconds=6.0))
