"""What memory recalls, as prompts show it: which lines are chosen, and that their values can be copied."""

from __future__ import annotations

from omnipilot.envs import Box, Context, Element, Elements, Observation, Ref, Size, TypeText
from omnipilot.memory import Move, Recalled
from omnipilot.planners.mini.recollection import choose_lines, recalled_before
from omnipilot.planners.mini.session import MiniSession

CLAUSE = "type the code that was last spoken for the blue door as its text"


def told(part: str, source: str, time: float, turn: int = -5) -> Recalled:
    return Recalled(part, source, "desktop", time, turn)


OLD = told("1.0 s to 3.0 s, speech (voice en-a): blue the code is 5539", "transcript", 3.0)
NEW = told('@code-6 = "8859" (blue the code; heard; at 32.1 s; was "5539" at 3.0 s)', "anchor", 32.1)
OTHER = told('@code-2 = "8109" (yellow the code; heard; at 7.4 s)', "anchor", 7.4)
SHOP = told("Start | Lamp | €20.00 | Choose a lamp", "text", 9.0)


def texts(items: list[Recalled], most: int = 6, clause: str = CLAUSE) -> list[str]:
    return [line.text for line in choose_lines(items, clause, most)]


def test_lines_that_share_most_with_the_clause_are_chosen_and_the_newest_stands_last() -> None:
    assert texts([NEW, SHOP, OTHER, OLD], 2) == ["speech: blue the code is 5539", 'blue the code: "8859"']
    assert texts([NEW, SHOP, OTHER, OLD])[1] == 'yellow the code: "8109"'


def test_what_shares_no_word_is_left_out() -> None:
    assert texts([SHOP]) == [] and texts([OLD, NEW], 0) == []


def test_of_equal_lines_the_newest_are_chosen() -> None:
    again = [told(f"speech: the code is {1000 + time}", "transcript", float(time)) for time in range(9)]
    assert texts(again, 2) == ["speech: the code is 1007", "speech: the code is 1008"]


def test_a_value_is_told_once() -> None:
    assert len(texts([OLD, told('@code-6 = "5539" (blue the code; heard)', "anchor", 3.0)])) == 1


def test_a_short_piece_of_a_screen_stands_behind_its_label() -> None:
    screen = told("Last bus | 18:45 | Back", "text", 1.0)
    assert texts([screen], 1, "type the time of the last bus") == ["Last bus 18:45"]
    assert texts([SHOP], 1, "type the price of the lamp") == ["Lamp €20.00"]


def test_the_present_turn_and_ones_own_moves_are_not_recalled() -> None:
    moves = [told('type text="a"', "action", 1.0, turn) for turn in (-1, 0)]
    now = told("2.0 s to 3.0 s, speech: now", "transcript", 3.0, 2)
    assert recalled_before([*moves, OLD, now], 2) == [moves[0], OLD]


def begun(most: int) -> MiniSession:
    session = MiniSession.begin(f"On the phone, {CLAUSE}.", most_recalled=most)
    field = Element("textbox", "Write here", Box(0.1, 0.1, 0.2, 0.2), id="body")
    seen = Observation("phone", 1.0, Size(400, 900), elements=Elements((field,)), context=Context("Notes"))
    session.look({"phone": seen}, recalled=[NEW, OTHER, OLD])
    return session


def test_a_recalled_value_can_be_typed() -> None:
    session = begun(6)
    prompt = session.prompt()
    assert "recalled speech : blue the code is 5 5 3 9 <r0> ; yellow" in prompt.text
    assert "; blue the code : 8 8 5 9 <r2> ; did" in prompt.text
    move = session.apply(f"type {prompt.references.of_element('body')} : <r2>", prompt)
    assert move == Move("phone", TypeText("8859", Ref("body")))


def test_weights_that_were_trained_without_memory_are_shown_none() -> None:
    assert "recalled" not in begun(0).prompt().text


def test_the_next_clause_has_lines_of_its_own() -> None:
    session = MiniSession.begin(
        "Type the code of the yellow door, then type the code of the blue door.", most_recalled=1
    )
    session.look({}, recalled=[NEW, OTHER])
    first = session.lines
    session.advance()
    assert [line.text for line in (*first, *session.lines)] == ['yellow the code: "8109"', 'blue the code: "8859"']
