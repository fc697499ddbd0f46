"""Demonstrations for training: of what they are made, and what they never show."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training import Sample, demonstrate
from omnipilot.bench.training.demonstrations import (
    FIRST_INSTANCE,
    FIRST_MEASURED,
    SHOWN,
    Demonstration,
    granted_in,
    join_waits,
    pause_for,
    training_instances,
)
from omnipilot.envs import Click, ConfigError, Point, Wait
from omnipilot.memory import Move


@pytest.fixture(scope="module")
def suite() -> Duet:
    return Duet("all")


@pytest.mark.parametrize("instance", [0, 7, FIRST_INSTANCE - 1])
def test_instances_for_measuring_are_refused(suite: Duet, instance: int) -> None:
    with pytest.raises(ConfigError, match="kept for measuring"):
        demonstrate(suite, "send-message", instance)


def test_no_training_is_long_enough_to_reach_what_is_measured_on() -> None:
    assert training_instances(FIRST_MEASURED - FIRST_INSTANCE)[-1] == FIRST_MEASURED - 1
    for count in (0, FIRST_MEASURED - FIRST_INSTANCE + 1):
        with pytest.raises(ConfigError, match="train on 1 to 9900"):
            training_instances(count)


def test_test_tasks_are_refused(suite: Duet) -> None:
    test = next(info.id for info in suite.tasks() if info.tags["split"] == "test")
    with pytest.raises(ConfigError, match="test split"):
        demonstrate(suite, test, FIRST_INSTANCE)


@pytest.fixture(scope="module")
def mail(suite: Duet) -> list[Sample]:
    return demonstrate(suite, "mail-code-to-message", 110, slips=0.0)


def test_a_demonstration_ends_and_is_the_same_again(suite: Duet, mail: list[Sample]) -> None:
    assert mail[-1].reply == "done" and {one.template for one in mail} == {"read-code", "send-text"}
    assert demonstrate(suite, "mail-code-to-message", 110, slips=0.0) == mail


def test_a_value_is_in_no_prompt_before_it_was_on_a_screen(suite: Duet, mail: list[Sample]) -> None:
    value = suite.composed("mail-code-to-message", 110).parts[0].piece.output
    assert value is not None
    spelt = " ".join(value.value)
    shown = [spelt in one.prompt for one in mail]
    assert not shown[0] and any(shown)
    opened = next(at for at, one in enumerate(mail) if one.reply.startswith("keep"))
    assert not any(shown[: shown.index(True)]) and shown.index(True) <= opened


def test_nothing_is_typed_that_the_prompt_does_not_hold(mail: list[Sample]) -> None:
    typed = [one for one in mail if one.reply.startswith("type")]
    assert typed
    for one in typed:
        *_, word = one.reply.split()
        assert word.startswith("<r") and word in one.prompt.split()


def test_every_second_episode_is_without_the_name_of_the_application(suite: Duet) -> None:
    named = {instance: granted_in("send-message", instance) == SHOWN for instance in range(100, 140)}
    assert 10 < sum(named.values()) < 30
    told, untold = (next(at for at, one in named.items() if one is wanted) for wanted in (True, False))
    in_messages = [
        [one.prompt for one in demonstrate(suite, "send-message", at, slips=0.0) if "did open messages" in one.prompt]
        for at in (told, untold)
    ]
    assert in_messages[0] and in_messages[1]
    assert "screen phone messages" in in_messages[0][0] and "screen phone messages" not in in_messages[1][0]


def test_after_a_slip_the_way_back_is_demonstrated(suite: Duet) -> None:
    straight, slipped = (Demonstration(suite, "add-alarm", 104, slips).play() for slips in (0.0, 1.0))
    assert slipped and len(slipped) > len(straight)


@pytest.mark.parametrize(
    ("clause", "pause"),
    [
        ("wait until it rings", 5),
        ('press "Answer" within 20 seconds', 5),
        ('press "Stop" within 5 seconds after the beep', 2),
        ("stop it within 1 seconds", 1),
    ],
)
def test_pauses_leave_time_for_an_answer(clause: str, pause: int) -> None:
    assert pause_for(clause) == pause


def test_waits_in_a_row_are_one() -> None:
    click = Move("phone", Click(Point(0.5, 0.5)))
    moves = [Move("phone", Wait(1)), Move("phone", Wait(2)), click, Move("phone", Wait(3))]
    assert list(join_waits(moves)) == [Move("phone", Wait(3)), click, Move("phone", Wait(3))]
    assert list(join_waits([])) == []


def test_what_has_to_be_done_at_once_is_demonstrated(suite: Duet) -> None:
    samples = demonstrate(suite, "stop-message-at-beep", 101, slips=0.0)
    (stop,) = (one for one in samples if one.reply.startswith("click") and "heard melody : one note" in one.prompt)
    assert f"stop {stop.reply.split()[1]}" in stop.prompt


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
@pytest.mark.parametrize(
    ("task", "told", "kept"), [("ball-to-message", "stopped", "Zone"), ("blinks-to-log", "blinked", "")]
)
def test_what_moves_is_told_before_it_is_kept(suite: Duet, task: str, told: str, kept: str) -> None:
    without = demonstrate(suite, task, 100, slips=0.0)
    samples = demonstrate(suite, task, 100, slips=0.0, readers="gold:transcript+perception:motion")
    (keep,) = (one for one in samples if one.reply.startswith("keep"))
    assert f" saw {told} : " in keep.prompt and keep.reply.startswith(f"keep {kept}".strip())
    assert keep.reply.split()[-1] in keep.prompt.partition(" saw ")[2]
    before = samples[: samples.index(keep)]
    assert not any(" saw " in one.prompt for one in before) and before[-1].reply == "wait 9"
    assert not any(" saw " in one.prompt or one.reply.startswith("keep") for one in without)
