"""What is written on a screen: what is drawn, that nothing covers or cuts off, in reading order."""

from __future__ import annotations

from omnipilot.envs import OpenApp, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.render.written_texts import written_texts

SIZE = Size(200, 100)


def text(x: int, y: int, words: str, width: int | None = None) -> tuple[object, ...]:
    return ("text", x, y, words, 0, 14, "regular", width)


def read(*ops: tuple[object, ...]) -> list[str]:
    return [element.name for element in written_texts(ops, SIZE)]


def test_texts_are_read_from_top_to_bottom_and_from_left_to_right() -> None:
    assert read(text(100, 11, "two"), text(5, 50, "three"), text(5, 10, "one")) == ["one", "two", "three"]
    placed = written_texts([text(100, 50, "here")], SIZE).items[0]
    assert placed.role == "text" and placed.box.left == 0.5 and 0.5 < placed.box.top < placed.box.bottom < 0.75


def test_what_is_covered_cut_off_or_blank_is_not_read() -> None:
    assert read(text(5, 10, "under"), ("rect", 0, 0, 100, 60, 0), text(5, 10, "over")) == ["over"]
    assert read(("clip", 0, 0, 20, 100), text(5, 10, "a long line"), ("unclip",), text(5, 50, "free")) == ["free"]
    assert read(text(5, 10, "  "), text(190, 10, "beyond the edge")) == []


def test_a_shortened_text_reads_as_it_is_drawn() -> None:
    assert read(text(5, 10, "a very long line indeed", 60))[0].endswith("…")


def test_names_that_are_drawn_nowhere_are_not_written() -> None:
    world = SimWorld()
    world.reset(0)
    env = world.envs["desktop"]
    env.act(OpenApp("Mail"))
    world.wait(1.0)
    written = {element.name for element in env.written_texts()}
    named = {element.name for element in env.ui_tree()}
    assert {"Compose", "Inbox", "Train times"} <= written
    assert "Minimize" not in written and named - written, "icons have names that nobody can read"
