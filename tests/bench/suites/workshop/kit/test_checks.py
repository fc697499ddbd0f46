from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import pytest
from PIL import Image

from omnipilot.bench.suites.workshop.kit.checks import (
    file_changed,
    in_front,
    picture_turned,
    says_names,
    sheet_is,
    title_in_front,
)
from omnipilot.bench.suites.workshop.kit.content import gnumeric, png
from omnipilot.bench.suites.workshop.world import WorkshopState
from omnipilot.bench.tasks.judges import Case, Judge
from omnipilot.envs import Capability
from omnipilot.envs.desktop.state import DesktopState, WindowState

PICTURE = png(60, 40, (90, 120, 90), (250, 240, 210))


class Still:
    """A world whose desktop is in one state."""

    capabilities = frozenset({Capability.STATE})

    def __init__(self, **desktop: object) -> None:
        self._state = WorkshopState(DesktopState(**desktop), None, ())

    def state(self) -> WorkshopState:
        return self._state


def holds(judge: Judge, answers: Sequence[str] = (), start: Still | None = None, **desktop: object) -> bool:
    world = Still(**desktop)
    return judge(Case(world, (start or world).state(), tuple(answers))).reached


def turned(way: Image.Transpose) -> bytes:
    out = io.BytesIO()
    Image.open(io.BytesIO(PICTURE)).transpose(way).save(out, "PNG")
    return out.getvalue()


def test_a_picture_must_be_turned_the_way_that_was_asked() -> None:
    judge = picture_turned("a.png", PICTURE)
    assert holds(judge, files={"a.png": turned(Image.Transpose.ROTATE_270)})
    for wrong in (PICTURE, turned(Image.Transpose.ROTATE_90), turned(Image.Transpose.ROTATE_180), b"none", b""):
        assert not holds(judge, files={"a.png": wrong})
    assert not holds(judge)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("Ada Berg, Hugo Lund", True),
        ("first ada berg, then Hugo Lund.", True),
        ("Hugo Lund, Ada Berg", False),
        ("Ada Berg", False),
        ("Ada Berg, Hugo Lund, Iris Frank", False),
        ("", False),
    ],
)
def test_an_answer_names_these_in_their_order_and_no_others(said: str, right: bool) -> None:
    judge = says_names("Ada Berg", "Hugo Lund", among=["Hugo Lund", "Iris Frank", "Ada Berg"])
    assert holds(judge, [said]) == right


def test_only_the_first_answer_counts() -> None:
    judge = says_names("Ada Berg", among=["Hugo Lund", "Ada Berg"])
    assert not holds(judge, ["Hugo Lund", "Ada Berg"])
    assert not holds(judge)


def sheet(*rows: Sequence[str]) -> Mapping[str, object]:
    return {"s.gnumeric": rows}


def test_a_sheet_shows_all_it_should_and_nothing_else() -> None:
    judge = sheet_is("s.gnumeric", [["Thing", "Price"], ["lamp", 12]])
    assert holds(judge, sheets=sheet(("Thing", "Price", ""), ("lamp", "12"), ()))
    assert not holds(judge, sheets=sheet(("Thing", "Price"), ("lamp", "13")))
    assert not holds(judge, sheets=sheet(("Thing", "Price"), ("lamp", "12"), ("", "", "7")))
    assert not holds(judge, sheets=sheet(("Thing", "Price")))
    assert not holds(judge)


def test_a_formula_stays_one() -> None:
    judge = sheet_is("s.gnumeric", [[2, 2]], formula="B1")
    shown = sheet(("2", "2"))
    assert holds(judge, sheets=shown, files={"s.gnumeric": gnumeric([[2, "=A1"]])})
    assert not holds(judge, sheets=shown, files={"s.gnumeric": gnumeric([[2, 2]])})
    assert not holds(judge, sheets=shown, files={"s.gnumeric": b"\x1f\x8bbroken"})


def test_a_file_is_written_when_it_is_there_with_something_new() -> None:
    judge, before = file_changed("a.txt"), Still(files={"a.txt": b"old"})
    assert not holds(judge, start=before, files={"a.txt": b"old"})
    assert not holds(judge, start=before, files={"a.txt": b""})
    assert holds(judge, start=before, files={"a.txt": b"new"})


def test_the_window_in_front_is_told_by_program_or_title() -> None:
    behind = WindowState("a.txt - Mousepad", "Mousepad", 1, (0, 0, 9, 9))
    front = WindowState("Save As", "Galculator", 2, (0, 0, 9, 9), True)
    assert holds(title_in_front("Save"), windows=(behind, front))
    assert holds(in_front("galculator"), windows=(behind, front))
    assert not holds(title_in_front("a.txt"), windows=(behind, front))
    assert not holds(in_front("mousepad"), windows=(behind,))
