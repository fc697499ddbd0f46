from __future__ import annotations

import pytest

from omnipilot.envs.desktop.state import DesktopState, WindowState
from omnipilot.envs.desktop.state.record import cell_position


@pytest.mark.parametrize(("name", "position"), [("A1", (0, 0)), ("B12", (11, 1)), ("Z3", (2, 25)), ("AA1", (0, 26))])
def test_cells_are_found_by_name(name: str, position: tuple[int, int]) -> None:
    assert cell_position(name) == position


@pytest.mark.parametrize("name", ["", "A", "1", "a1", "A0", "A-1", "Ä1"])
def test_what_names_no_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        cell_position(name)


def test_a_state_tells_what_is_asked() -> None:
    window = WindowState("x - Mousepad", "Mousepad", 3, (0, 0, 10, 10), active=True)
    state = DesktopState(
        (window,),
        (("/usr/bin/mpv", "--pause"),),
        files={"Documents/a.txt": b"caf\xc3\xa9\n", "Documents/b/c": b"", "d": b""},
        sheets={"s.gnumeric": (("a", "b"), ("1",))},
    )
    assert state.front is window and DesktopState().front is None
    assert state.text("Documents/a.txt") == "café\n" and state.text("none") is None
    assert state.below("Documents") == ("Documents/a.txt", "Documents/b/c")
    assert [state.cell("s.gnumeric", name) for name in ("B1", "A2", "B2", "C9")] == ["b", "1", "", ""]
    assert state.cell("none", "A1") is None
    assert state.runs("mpv") and not state.runs("mp")
