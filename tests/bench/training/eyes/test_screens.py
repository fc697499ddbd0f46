"""Screens that the small eyes are trained on, and what is true of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training.data import write_lines
from omnipilot.bench.training.eyes.screens import (
    EyesScreen,
    collect_screens,
    read_eyes_screens,
    write_eyes_screens,
)
from omnipilot.bench.training.eyes.truth import (
    drawn_ink,
    index_of,
    learn_form,
    slots_of,
    truth_of,
    written_ink,
)
from omnipilot.envs import ConfigError, Image
from omnipilot.envs.sim.render.text import letter_middles
from omnipilot.grounders.mini.eyes.form import CELL
from omnipilot.grounders.mini.eyes.lines import brightness
from omnipilot.grounders.mini.eyes.pictures import layout_picture
from omnipilot.grounders.mini.eyes.templates import fill_template

TASK = "move-file"
Collected = list[tuple[str, Image, EyesScreen]]


@pytest.fixture(scope="module")
def collected() -> Collected:
    return collect_screens(Duet("dev"), TASK, 100)


def test_screens_differ_and_lie_within_their_size(collected: Collected) -> None:
    assert len(collected) > 5
    assert {screen.device for *_, screen in collected} == {"phone", "desktop"}
    for _, image, screen in collected:
        size = layout_picture(image).size
        assert (size.width, size.height) == screen.size
        for one in screen.elements:
            left, top, right, bottom = one.box
            assert 0 <= left <= right <= screen.size[0] and 0 <= top <= bottom <= screen.size[1]


def test_written_lines_are_where_they_are_said_to_be(collected: Collected) -> None:
    known = {letter: number for number, letter in enumerate(["", *map(chr, range(32, 127))])}
    _, image, screen = collected[-1]
    bright = brightness(layout_picture(image).array())
    read = [made for line in screen.lines if (made := written_ink(bright, line, known)) is not None]
    assert len(read) >= len(screen.lines) - 1
    assert all((letters > 0).any() for _, letters in read)


def test_names_are_made_again_from_their_templates(collected: Collected) -> None:
    screens = [screen for *_, screen in collected] * 5
    form = learn_form(screens)
    index, right, whole = index_of(form), 0, 0
    for screen in screens[: len(collected)]:
        truth, slots = truth_of(screen, index), slots_of(screen)
        if len(truth.names) != len(screen.elements):
            continue
        for number, one in enumerate(screen.elements):
            whole += 1
            if truth.names[number] >= 0:
                made = fill_template(form.names[truth.names[number]], slots.of(number))
                assert " ".join(made.split()) == " ".join(one.name.split())
                right += 1
    assert right > 0.97 * whole > 0


def test_no_two_elements_are_looked_for_at_one_place(collected: Collected) -> None:
    form = learn_form([screen for *_, screen in collected] * 5)
    index = index_of(form)
    for *_, screen in collected:
        truth = truth_of(screen, index)
        places = set(zip(truth.rows.tolist(), truth.columns.tolist(), truth.groups.tolist(), strict=True))
        assert len(places) == len(truth.rows)
        assert (truth.rows <= screen.size[1] // CELL).all()


def test_letters_stand_where_they_are_drawn() -> None:
    known = {letter: number for number, letter in enumerate(["", *"abl 1"])}
    made = drawn_ink("ball 1", 14, "regular", known)
    assert made is not None
    ink, letters = made
    assert [known["b"], known["a"], known["l"], known["l"], known[" "], known["1"]] == [n for n in letters if n]
    assert ink.shape[1] == len(letters)
    middles = [middle for _, middle in letter_middles("ball 1", 14, "regular")]
    assert middles == sorted(middles)


@pytest.mark.parametrize("instance", [0, 99])
def test_what_is_kept_for_measuring_is_refused(instance: int, tmp_path: Path, collected: Collected) -> None:
    with pytest.raises(ConfigError, match="kept for measuring"):
        write_eyes_screens(tmp_path, [instance])
    with pytest.raises(ConfigError, match="kept for measuring"):
        collect_screens(Duet("dev"), TASK, instance)
    screen = collected[0][2]
    from dataclasses import replace

    write_lines(tmp_path / "x.jsonl", [replace(screen, instance=instance)])
    with pytest.raises(ConfigError, match="kept for measuring"):
        read_eyes_screens([tmp_path / "x.jsonl"])


def test_test_tasks_are_refused() -> None:
    suite = Duet("test")
    with pytest.raises(ConfigError, match="test split"):
        collect_screens(suite, next(iter(suite.tasks())).id, 100)


def test_what_is_written_is_read_again(tmp_path: Path, collected: Collected) -> None:
    screens = [screen for *_, screen in collected]
    write_lines(tmp_path / "00100.jsonl", screens)
    assert [screen for _, screen in read_eyes_screens([tmp_path / "00100.jsonl"])] == screens
    (tmp_path / "00100.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match="jsonl:1 is no screen"):
        read_eyes_screens([tmp_path / "00100.jsonl"])
