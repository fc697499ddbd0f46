"""The grounder `detact` on what the source is told to have found."""

from __future__ import annotations

import pytest

from omnipilot.envs import Absent, Box, Element, Image, Observation, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, Grounding
from omnipilot.grounders.sources.detact.grounder import DetactGrounder

SIZE = Size(100, 100)


def placed(role: str, name: str, left: int, top: int, side: int = 10) -> Element:
    """An element of a picture."""
    return Element(role, name, Box.from_pixels(left, top, left + side, top + side, SIZE), confidence=0.97)


FOUND = (
    placed("text", "Open", 10, 10),
    placed("text", "Open", 60, 10),
    placed("text", "Save draft", 10, 40),
    placed("image", "trash", 60, 40),
    placed("color", "blue", 5, 5, 20),
    placed("color", "red", 55, 5, 20),
    placed("color", "green", 80, 80),
)


@pytest.fixture
def grounder(monkeypatch: pytest.MonkeyPatch) -> DetactGrounder:
    """One that finds `FOUND` in any picture."""
    one = DetactGrounder()
    monkeypatch.setattr(one.source, "read", lambda picture: FOUND)
    return one


def seen() -> Observation:
    """A blank screen."""
    return Observation("screen", 0.0, SIZE, screenshot=Image.raw(SIZE, bytes(30_000)))


@pytest.mark.parametrize(
    ("target", "x", "y"),
    [
        ("Save draft", 0.15, 0.45),
        ("the trash icon", 0.65, 0.45),
        ("the bin", 0.65, 0.45),
        ("the red Open button", 0.65, 0.15),
        ("the blue Open button", 0.15, 0.15),
        ("the green button", 0.85, 0.85),
    ],
)
def test_it_points_at_text_icon_and_colour(grounder: DetactGrounder, target: str, x: float, y: float) -> None:
    found = grounder.ground(seen(), target)
    assert isinstance(found, Grounding) and found.confidence == 0.97
    assert (found.point.x, found.point.y) == pytest.approx((x, y))


@pytest.mark.parametrize(
    ("target", "reason"), [("Open", "ambiguous"), ("the lamp", "not_found"), (Ref("7"), "not_found")]
)
def test_it_abstains_rather_than_guesses(grounder: DetactGrounder, target: str | Ref, reason: str) -> None:
    found = grounder.ground(seen(), target)
    assert isinstance(found, Abstention) and found.reason == reason and found.detail


def test_without_a_picture_it_has_no_view(grounder: DetactGrounder) -> None:
    found = grounder.ground(Observation("screen", 0.0, SIZE, screenshot=Absent("ablated")), "Open")
    assert isinstance(found, Abstention) and found.reason == "no_view"
