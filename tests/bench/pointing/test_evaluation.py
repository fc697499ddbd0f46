"""Pointing: hits, concurrency, tables, and a run that goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from omnipilot.bench.journal.pointing_directory import ANSWERS
from omnipilot.bench.pointing.evaluation import Passed, Pointing, PointingAnswer, Shot, Target, evaluate
from omnipilot.bench.pointing.run import from_json, point_run, to_json
from omnipilot.bench.pointing.tables import abstention_table, score_table
from omnipilot.envs import Absent, Box, ConfigError, Element, Elements, Modality, Observation, Point, Size
from omnipilot.grounders import Abstention, Grounder, Grounding
from omnipilot.memory import ModelUnavailable, Usage

SAVE = Target("one/0", Box(0.0, 0.0, 0.5, 0.5), "text", "button", "Save", "save it", "what keeps it")
BELL = Target("one/1", Box(0.6, 0.6, 0.8, 0.8), "icon", "button", "Bell", "the bell", "", True)
SEEN = Observation("phone", 0.0, Size(100, 200), elements=Elements((Element("button", "Save", SAVE.box),)))
SHOTS = (Shot("one", "phone", "light", SEEN, (SAVE, BELL)),)


class Scripted(Grounder):
    """Points at a quarter, or abstains, and notes what it was shown."""

    needs = reads = frozenset({Modality.ELEMENTS})

    def __init__(self, fails_after: int = 100) -> None:
        self.asked: list[str] = []
        self.left = fails_after
        self.threads: set[int] = set()

    def ground(self, observation: Observation, target: object) -> Grounding | Abstention:
        assert isinstance(observation.screenshot, Absent)
        if not self.left:
            raise ModelUnavailable("the server is gone")
        self.left -= 1
        self.asked.append(str(target))
        self.threads.add(threading.get_ident())
        usage = Usage(1, 100, 5, 0.25, 0.1)
        if target == "the bell":
            return Abstention("not_found", "no bell", usage)
        return Grounding(Point(0.25, 0.25), usage=usage)


def answers_of(grounder: Scripted) -> list[PointingAnswer]:
    return list(evaluate(SHOTS, grounder))


def test_every_instruction_is_asked_once_and_an_abstention_is_a_miss() -> None:
    answers = answers_of(Scripted())
    assert [(a.target, a.style, a.hit, a.reason) for a in answers] == [
        ("one/0", "basic", True, ""),
        ("one/0", "advanced", True, ""),
        ("one/1", "basic", False, "not_found"),
    ]
    assert answers[0].width == 100 and answers[0].usage.calls == 1


def test_styles_limits_and_what_is_done() -> None:
    assert [a.key for a in evaluate(SHOTS, Scripted(), styles=("advanced",))] == [("one/0", "advanced")]
    assert [a.key for a in evaluate(SHOTS, Scripted(), limit=1)] == [("one/0", "basic"), ("one/0", "advanced")]
    assert [a.key for a in evaluate(SHOTS, Scripted(), {("one/0", "basic")}, limit=1)] == [("one/0", "advanced")]


def test_several_questions_at_once_come_back_in_order() -> None:
    grounder = Scripted()
    answers = list(evaluate(SHOTS * 5, grounder, concurrency=4))
    assert [a.key for a in answers] == [a.key for a in answers_of(Scripted())] * 5
    assert 1 <= len(grounder.threads) <= 4


def test_a_point_on_the_edge_of_the_box_is_a_hit() -> None:
    answer = answers_of(Scripted())[0]
    at = [Point(0.5, 0.5), Point(0.5001, 0.5)]
    assert [from_json({**to_json(answer), "point": [p.x, p.y]}).hit for p in at] == [True, False]


def test_the_table_says_hits_of_tried_and_the_cost() -> None:
    answers = answers_of(Scripted())
    text = score_table(answers, {"centre": answers[:1]}).text()
    rows = {line.split("  ")[0]: line for line in text.splitlines()}
    assert rows["all"].split() == ["all", *["66.7", "(2/3)"] * 2, "100.0", "(1/1)"]
    assert rows["basic icon"].split() == ["basic", "icon", *["0.0", "(0/1)"] * 2, "—"]
    assert rows["same text"].split() == ["same", "text", *["0.0", "(0/1)"] * 2, "—"]
    assert rows["abstained"].split() == ["abstained", "1", "1", "·"]
    assert "3 model calls, 300 + 15 tokens, $0.7500" in text
    assert "no bell" in abstention_table(answers).text()


def test_a_run_goes_on_where_its_model_failed(tmp_path: Path) -> None:
    spec = {"grounder": {"name": "scripted"}}
    told: list[PointingAnswer] = []
    with pytest.raises(ModelUnavailable):
        point_run(tmp_path, spec, SHOTS, Scripted(fails_after=1), None, 1, ("basic", "advanced"), told.append)
    with (tmp_path / ANSWERS).open("a") as file:
        file.write('{"target": "one/')  # the power failed here
    second = Scripted()
    answers = point_run(tmp_path, spec, SHOTS, second, None, 1, ("basic", "advanced"), told.append)
    assert [a.key for a in answers] == [a.key for a in answers_of(Scripted())] and len(second.asked) == 2
    assert [json.loads(line)["hit"] for line in (tmp_path / ANSWERS).read_text().splitlines()] == [True, True, False]


def test_a_directory_of_another_run_is_refused(tmp_path: Path) -> None:
    point_run(tmp_path, {"limit": 1}, SHOTS, Scripted(), 1, 1, ("basic",), lambda a: None)
    with pytest.raises(ConfigError, match="another limit; choose another --out"):
        point_run(tmp_path, {"limit": 2}, SHOTS, Scripted(), 2, 1, ("basic",), lambda a: None)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("")
    with pytest.raises(ConfigError, match="not empty"):
        point_run(other, {}, SHOTS, Scripted(), 1, 1, ("basic",), lambda a: None)


def test_screens_that_passed_are_kept_without_their_pictures() -> None:
    class Suite(Pointing):
        name: str = "toy"
        version: str = "1"

        def shots(self) -> Iterator[Shot]:
            return iter(SHOTS)

    assert Suite().scored([]) is None
    passed = Passed(Suite())
    assert list(passed.shots()) == list(SHOTS)
    assert [shot.targets for shot in passed.kept] == [SHOTS[0].targets]
    assert all(isinstance(shot.observation.screenshot, Absent) for shot in passed.kept)
