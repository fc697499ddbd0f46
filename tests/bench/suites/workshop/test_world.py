from __future__ import annotations

from dataclasses import replace

from omnipilot.bench.suites.workshop.world import find_opened
from omnipilot.envs.desktop.state import WindowState

EDITOR = WindowState("list.txt - Mousepad", "Mousepad", 7, (0, 0, 400, 300), active=True)
TERMINAL = WindowState("Terminal - ", "Xfce4-terminal", 9, (0, 0, 600, 400))


def test_a_program_with_a_file_has_opened_the_window_that_shows_it() -> None:
    assert find_opened([TERMINAL, EDITOR], [EDITOR], "list") == [EDITOR]
    assert find_opened([TERMINAL], [], "list") == []


def test_a_program_without_a_file_has_opened_what_was_not_there_whether_it_is_in_front_or_behind() -> None:
    assert find_opened([TERMINAL, EDITOR], [EDITOR], "") == [TERMINAL]
    assert find_opened([EDITOR, TERMINAL], [EDITOR], "") == [TERMINAL]
    assert find_opened([EDITOR], [EDITOR], "") == []


def test_a_window_with_another_title_is_not_a_new_one() -> None:
    assert find_opened([replace(EDITOR, title="*list.txt - Mousepad", active=False)], [EDITOR], "") == []


def test_a_second_window_of_one_program_is_a_new_one() -> None:
    second = replace(TERMINAL, title="Terminal - 2")
    assert find_opened([TERMINAL, second], [TERMINAL], "") == [second]
