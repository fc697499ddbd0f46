"""The policies `keyframes` and those of the last turns."""

from __future__ import annotations

from functools import partial

from omnipilot.envs import Image, Observation, Size
from omnipilot.memory import Budget, Role, Turn, Usage, check_memory
from omnipilot.memory.episodic.policies import KeyframesMemory

SIZE = Size(64, 64)


def screen(shade: int, turn: int) -> Turn:
    shot = Image.raw(SIZE, bytes([shade]) * (SIZE.pixels * 3), "phone", float(turn))
    seen = Observation("phone", float(turn), SIZE, shot)
    return Turn(turn, {"phone": seen}, f"thought {turn}", (), (), Usage())


def test_it_keeps_the_contract_of_memories() -> None:
    check_memory(KeyframesMemory)
    check_memory(partial(KeyframesMemory, images=1, turns=1, order="omnigui"))


def test_screens_that_differ_most_are_recalled_with_the_last_one() -> None:
    memory = KeyframesMemory(images=3)
    for turn, shade in enumerate([10, 12, 200, 198, 11, 90, 11]):
        memory.record(screen(shade, turn))
    recalled = memory.recall("whatever", memory.budget, Role("planner"), ("phone",))
    shots = [one for one in recalled if isinstance(one.part, Image)]
    assert [one.part.rgb[0] for one in shots if isinstance(one.part, Image)] == [200, 90, 11]
    assert "differs from the screens shown by 74%" in shots[0].why
    assert "the last screen before this" in shots[-1].why
    assert [one.part for one in recalled if isinstance(one.part, str)] == ["thought 5", "thought 6"]


def test_the_same_screen_is_shown_once() -> None:
    memory = KeyframesMemory(images=4)
    for turn in range(6):
        memory.record(screen(50, turn))
    recalled = memory.recall("", Budget(), Role("planner"), ("phone",))
    assert sum(isinstance(one.part, Image) for one in recalled) == 1
