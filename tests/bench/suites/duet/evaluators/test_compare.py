"""Duet's evaluators that are data judge as its judges in Python do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from omnipilot.bench.judges import note_action, read_evaluator
from omnipilot.bench.suites.duet.evaluators import compare as module
from omnipilot.bench.suites.duet.evaluators.compare import EVALUATORS, compare, main, neighbours_of, stage
from omnipilot.bench.suites.duet.kit.play import demonstration, ground_move, play
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.envs import Click
from omnipilot.envs.sim import SimWorld

TEMPLATES = book("").templates
SOME = (
    "add-contact",
    "archive-mail",
    "dismiss-alarm",
    "find-song",
    "join-network",
    "pause-tram",
    "sort-sheet",
    "total",
)
PAGE = Path(__file__).resolve().parents[5] / "docs/judges.md"


def test_every_template_has_an_evaluator_and_no_other() -> None:
    assert set(EVALUATORS) == set(TEMPLATES)


def test_they_are_data() -> None:
    assert json.loads(json.dumps(EVALUATORS)) == EVALUATORS


@pytest.mark.parametrize("id", TEMPLATES)
def test_every_evaluator_is_read_for_its_template(id: str) -> None:
    world = SimWorld()
    staged = stage(TEMPLATES[id], quiet(world.state()), 3)
    assert read_evaluator(EVALUATORS[id], staged.values, TEMPLATES[id].env).nodes


@pytest.mark.parametrize("id", SOME)
def test_both_ways_of_judging_agree(id: str) -> None:
    found = compare(TEMPLATES[id], 0, neighbours_of(TEMPLATES[id], 1))
    assert found.differences == []
    assert 0 < found.solved < found.plays


@pytest.mark.slow
@pytest.mark.parametrize("id", TEMPLATES)
def test_both_ways_agree_for_every_template(id: str) -> None:
    assert compare(TEMPLATES[id], 0, neighbours_of(TEMPLATES[id])).differences == []


@pytest.mark.parametrize(
    ("id", "old", "new"),
    [
        ("archive-mail", '"archive"', '"trash"'),
        ("add-contact", '"count", "value": 1', '"count", "value": 2'),
        ("favourite-contact", "favourite=true", "blocked=true"),
    ],
)
def test_a_wrong_evaluator_is_noticed(id: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = json.dumps(EVALUATORS[id]).replace(old, new)
    assert wrong != json.dumps(EVALUATORS[id])
    monkeypatch.setattr(module, "EVALUATORS", {id: json.loads(wrong)})
    assert compare(TEMPLATES[id], 0).differences


def test_an_evaluator_that_asks_too_little_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = EVALUATORS["delete-contact"]["checks"]
    monkeypatch.setattr(module, "EVALUATORS", {"delete-contact": {"checks": [first]}})
    assert compare(TEMPLATES["delete-contact"], 0).differences


def test_the_table_is_printed_as_it_stands_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive-mail", "--instances", "1"]) == 0
    head, *_ = capsys.readouterr().out.splitlines()
    page = PAGE.read_text(encoding="utf-8")
    assert head in page
    rows = re.findall(r"^\| all \| (\d+) \|.*\| (\d+) \|$", page, re.MULTILINE)
    assert rows == [(str(len(TEMPLATES)), "0")]


@pytest.mark.parametrize("id", ["add-contact", "find-song", "join-network", "sort-sheet"])
def test_what_a_demonstration_clicks_has_a_name(id: str) -> None:
    world = SimWorld()
    world.reset(0)
    staged = stage(TEMPLATES[id], quiet(world.state()), 3)
    world.prepare(lambda _: staged.piece.state)
    names = []
    for move in demonstration(world, [staged.piece.solution]):
        if isinstance(move.intent, Click):
            names.append(note_action(world, move.env, ground_move(world, move)).control)
        play(world, move)
    assert names and all(names)
