"""Levels follow from the two passes by rule; raters are compared; the file keeps every answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench.annotation.annotate_stage import proved_lines
from omnipilot.bench.annotation.answers import AnswerFile, EpisodeAnswer, StepAnswer, StepCorrection
from omnipilot.bench.annotation.levels import (
    agreed_levels,
    corrected_steps,
    disputed_episodes,
    episode_level,
    level_kappa,
    rater_levels,
    second_rater_sample,
    step_level,
)
from omnipilot.bench.annotation.recordings import CapturedEpisode, CapturedScreen, CapturedStep
from omnipilot.envs import ConfigError

STEP = CapturedStep("Tap", "TAP", "", (50.0, 50.0), (40.0, 40.0, 60.0, 60.0), (CapturedScreen("phone", (100, 200)),))


def episode(id: str, level: str = "", steps: int = 1) -> CapturedEpisode:
    return CapturedEpisode(id, "Do it", (STEP,) * steps, level=level, proved=bool(level))


def said(rater: str, id: str, level: str, step: int = 0) -> list[StepAnswer]:
    """The two answers that come to a level."""
    before, by = {
        "AV-critical": ("no", "speech"),
        "AV-supportive": ("guess", "speech"),
        "AV-present": ("yes", "screen"),
    }[level]
    return [
        StepAnswer(rater, id, step, False, before),  # type: ignore[arg-type]
        StepAnswer(rater, id, step, True, "yes", by=(by,)),
    ]


@pytest.mark.parametrize(
    ("first", "second", "level"),
    [
        ({"decided": "no"}, {"decided": "yes", "by": ("speech",)}, "AV-critical"),
        ({"decided": "no"}, {"decided": "yes", "by": ("motion", "screen")}, "AV-critical"),
        ({"decided": "guess"}, {"decided": "yes", "by": ("sound",)}, "AV-supportive"),
        ({"decided": "yes"}, {"decided": "yes", "by": ("screen", "sound")}, "AV-supportive"),
        ({"decided": "no"}, {"decided": "guess", "by": ("sound",)}, "AV-supportive"),
        ({"decided": "yes"}, {"decided": "yes", "by": ("screen",)}, "AV-present"),
        ({"decided": "no"}, {"decided": "yes", "by": ("screen",)}, "AV-present"),
        ({"decided": "no"}, {"decided": "no"}, "AV-present"),
        # Sure of one action before and of another after: it had not been decided.
        (
            {"decided": "yes", "which": "Archive"},
            {"decided": "yes", "which": "delete", "by": ("speech",)},
            "AV-critical",
        ),
        (
            {"decided": "yes", "which": "Archive"},
            {"decided": "yes", "which": " archive", "by": ("speech",)},
            "AV-supportive",
        ),
    ],
)
def test_the_level_of_a_step(first: dict[str, Any], second: dict[str, Any], level: str) -> None:
    assert step_level(StepAnswer("kim", "a", 0, False, **first), StepAnswer("kim", "a", 0, True, **second)) == level


def test_an_episode_has_the_level_of_its_neediest_step() -> None:
    assert episode_level(["AV-present", "AV-critical", "AV-supportive"]) == "AV-critical"
    assert episode_level(["AV-present", "AV-supportive"]) == "AV-supportive"
    assert episode_level(["AV-present"]) == "AV-present"


def test_raters_are_compared_and_a_third_decides() -> None:
    episodes = [episode("a"), episode("b"), episode("c", steps=2)]
    answers = said("kim", "a", "AV-critical") + said("kim", "b", "AV-present")
    answers += said("lee", "a", "AV-critical") + said("lee", "b", "AV-supportive")
    # One of two steps is no labelled episode.
    answers += said("kim", "c", "AV-critical")
    levels = rater_levels(episodes, answers)
    assert levels["kim"].steps == {"a": ("AV-critical",), "b": ("AV-present",)}
    kappa = level_kappa(levels)
    assert kappa is not None and kappa[1] == 2 and kappa[0] == pytest.approx((0.5 - 0.25) / 0.75)
    assert disputed_episodes(episodes, levels) == [episodes[1]]
    assert agreed_levels(episodes, levels) == {"a": "AV-critical", "b": "AV-present"}
    third = rater_levels(episodes, answers + said("max", "b", "AV-supportive"))
    assert agreed_levels(episodes, third)["b"] == "AV-supportive"
    all_apart = rater_levels(episodes, answers + said("max", "b", "AV-critical"))
    assert agreed_levels(episodes, all_apart)["b"] == "AV-critical"
    # Who goes on as the third is asked about the same episodes.
    assert disputed_episodes(episodes, third, besides="max") == [episodes[1]]


def test_labels_are_compared_with_what_is_proved() -> None:
    episodes = [episode("a", "AV-critical"), episode("b", "AV-present"), episode("c")]
    answers = [*said("kim", "a", "AV-critical"), *said("kim", "b", "AV-critical"), *said("kim", "c", "AV-critical")]
    answers += [StepAnswer("model", "a", 0, False, "yes"), StepAnswer("model", "b", 0, False, "guess")]
    levels = rater_levels(episodes, answers)
    lines = proved_lines(episodes, levels, agreed_levels(episodes, levels))
    assert lines[:2] == ["as proved: 1 of 2 episodes whose level is proved", "  b: AV-critical, proved AV-present"]
    assert lines[2].startswith("model, first pass:") and "in 1 of 2 episodes; 1 critical" in lines[2]


def test_the_second_rater_gets_the_same_episodes_each_time() -> None:
    episodes = [episode(str(number)) for number in range(20)]
    drawn = second_rater_sample(episodes, 5, 3)
    assert len(drawn) == 5 and drawn == second_rater_sample(episodes, 5, 3) != second_rater_sample(episodes, 5, 4)
    assert second_rater_sample(episodes, 100, 0) == episodes


def test_a_correction_changes_the_step_and_moves_its_place_into_the_box() -> None:
    one = episode("a", steps=2)
    mended = StepCorrection("kim", "a", 1, "LONG_PRESS", (0.0, 0.0, 20.0, 30.0), "x")
    first, second = corrected_steps(one, [mended, StepCorrection("kim", "b", 0, "BACK", None, "")])
    assert first == STEP
    assert (second.primitive, second.box, second.text, second.point) == ("LONG_PRESS", mended.box, "x", (10.0, 15.0))


def test_answers_are_on_the_disk_at_once_and_a_torn_line_is_left_out(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path)
    assert file.read() == []
    answers = [
        *said("kim", "a", "AV-critical"),
        StepCorrection("kim", "a", 0, "TAP", (1.0, 2.0, 3.0, 4.0), "ä"),
        EpisodeAnswer("kim", "a", "Localization"),
    ]
    for one in answers:
        file.append(one)
    assert AnswerFile(tmp_path).read() == answers
    with file.path.open("a", encoding="utf-8") as end:
        end.write('{"kind": "step", "rater": "ki')
    assert file.read() == answers
    file.append(answers[0])
    assert file.read() == [*answers, answers[0]], "what follows a torn line is whole"
    file.path.write_bytes(file.path.read_bytes().rstrip())
    file.append(answers[1])
    assert file.read() == [*answers, *answers[:2]], "a whole line without its end is kept"
    file.path.write_text('{"kind": "guess"}\n' + file.path.read_text("utf-8"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"answers\.jsonl:1 is no answer"):
        file.read()
