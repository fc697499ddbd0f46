"""What the small planner is told of what memory recalls."""

from __future__ import annotations

from omnipilot.memory import Recalled
from omnipilot.memory.base import ANCHOR, TEXTS, TRANSCRIPT
from omnipilot.planners.mini.recollection import choose_lines, recalled_before, split_lines

CLAUSE = "Type the code that the desktop spoke for the red door as its text."


def recalled(part: str, source: str = TRANSCRIPT, turn: int = -5, time: float = 1.0) -> Recalled:
    return Recalled(part, source, "desktop", time, turn)


def texts(*items: Recalled) -> list[str]:
    return [line.text for item in items for line in split_lines(item)]


def test_an_anchor_is_told_by_what_it_is_about_and_its_value() -> None:
    door = recalled('@code-2 = "8109" (yellow the code; heard; at 7.4 s)', ANCHOR)
    price = recalled('@price-4 = "€60.27" (Desk lamp, white; Browser; at 22.3 s; 6 sightings)', ANCHOR)
    assert texts(door, price) == ['yellow the code: "8109"', 'Desk lamp, white price: "€60.27"']
    (line,) = split_lines(door)
    assert line.values == {"8109"}


def test_a_transcript_is_told_without_times_and_voices() -> None:
    heard = recalled("1.4 s to 4.7 s, speech (voice en-a): yellow the code is 8109")
    assert texts(heard) == ["speech: yellow the code is 8109"]


def test_a_short_text_of_a_screen_stands_behind_the_one_before_it() -> None:
    assert texts(recalled("Kettle | €33.50 | The key box opens with 5990.", "text")) == [
        '"Kettle"',
        "Kettle €33.50",
        "The key box opens with 5990.",
    ]


def test_labels_of_the_episodes_own_screens_are_left_out() -> None:
    assert texts(recalled("Back | Home | The key box opens with 5990.", TEXTS, turn=2)) == [
        "The key box opens with 5990."
    ]


def test_what_the_present_turn_tells_and_its_own_moves_are_left_out() -> None:
    past, own = recalled("a"), recalled("type text", "action", turn=1)
    before = recalled("type text", "action", turn=-1)
    assert recalled_before([past, recalled("b", turn=3), own, before], 3) == [past, before]


def test_lines_that_share_rare_words_with_the_clause_are_chosen() -> None:
    items = [
        recalled(f"1.0 s to 2.0 s, speech: {color} the code is {code}", time=time)
        for time, (color, code) in enumerate([("red", 1111), ("green", 2222), ("blue", 3333), ("yellow", 4444)])
    ]
    chosen = choose_lines(items, CLAUSE, 1)
    assert [line.text for line in chosen] == ["speech: red the code is 1111"]
    assert not choose_lines(items, "Go on.", 6) and not choose_lines(items, CLAUSE, 0)


def test_of_equal_lines_the_newest_are_chosen_and_shown_last() -> None:
    items = [recalled(f"1.0 s to 2.0 s, speech: red the code is {code}", time=code) for code in (3333, 1111, 2222)]
    assert [line.text[-4:] for line in choose_lines(items, CLAUSE, 2)] == ["2222", "3333"]


def test_a_value_is_told_once() -> None:
    items = [
        recalled('@code-1 = "1111" (red the code; heard; at 7.4 s)', ANCHOR, time=7.4),
        recalled("1.0 s to 2.0 s, speech: red the code is 1111", time=7.0),
    ]
    assert len(choose_lines(items, CLAUSE, 6)) == 1
