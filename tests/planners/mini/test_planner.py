"""The planner `mini`: it puts a question several times, and follows what is replied most often."""

from __future__ import annotations

import re

import pytest

from omnipilot.envs import Box, Click, ConfigError, Context, Element, Elements, Observation, Ref, Size
from omnipilot.memory import MOTION, TRANSCRIPT, Move, Recalled
from omnipilot.planners import Brief, Request, Verbs
from omnipilot.planners.mini import MiniPlanner
from omnipilot.planners.mini.planner import FIRSTS, take_in
from omnipilot.planners.mini.session import MiniSession

BOX = Box(0.1, 0.1, 0.2, 0.2)
ITEMS = tuple(Element("button", name, BOX, id=name) for name in ("Save", "Back", "Menu"))
SEEN = Observation("phone", 1.0, Size(400, 900), elements=Elements(ITEMS), context=Context("Notes"))


class Replies:
    """In place of the network: clicks on what stands at an index, one for each time that it is asked."""

    def __init__(self, *indices: int) -> None:
        self.indices = list(indices)
        self.asked: list[str] = []

    def reply(self, prompt: str) -> tuple[str, int, int]:
        self.asked.append(prompt)
        numbers = [*re.findall(r"<r\d+>", prompt), "<r159>"]
        return f"click {numbers[self.indices.pop(0)]}", 10, 3


BRIEF = Brief("Press the button.", {"phone": Verbs("phone", frozenset({"click"}))})


def begun(monkeypatch: pytest.MonkeyPatch, votes: int, replies: Replies) -> MiniPlanner:
    planner = MiniPlanner(votes=votes)
    monkeypatch.setattr(planner, "_network", lambda: replies)
    planner.begin(BRIEF)
    return planner


def decide(monkeypatch: pytest.MonkeyPatch, votes: int, replies: Replies) -> Move:
    decision = begun(monkeypatch, votes, replies).plan(Request(BRIEF, 0, {"phone": SEEN}))
    assert decision.usage.calls == len(replies.asked)
    (move,) = decision.moves
    return move


@pytest.mark.parametrize(
    ("given", "asked", "chosen"),
    [
        ((0, 0, 0, 1, 1), 3, "Save"),
        ((1, 0, 0, 2, 0), 5, "Save"),
        ((1, 0, 0, 1, 2), 5, "Back"),  # as often as another: what was said first
        ((2, 1, 0, 1, 1), 5, "Back"),
        ((3, 3, 3, 3, 1), 5, "Back"),  # the others mean nothing
    ],
)
def test_the_most_frequent_reply_counts(
    monkeypatch: pytest.MonkeyPatch, given: tuple[int, ...], asked: int, chosen: str
) -> None:
    replies = Replies(*given)
    assert decide(monkeypatch, 5, replies) == Move("phone", Click(Ref(chosen)))
    assert len(replies.asked) == asked
    firsts = [int(re.findall(r"<r(\d+)>", prompt)[0]) for prompt in replies.asked]
    assert firsts == list(FIRSTS[:asked])


def test_one_vote_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = Replies(2, 0)
    assert decide(monkeypatch, 1, replies) == Move("phone", Click(Ref("Menu"))) and len(replies.asked) == 1


@pytest.mark.parametrize("votes", [0, len(FIRSTS) + 1])
def test_votes_out_of_range_are_refused(votes: int) -> None:
    with pytest.raises(ConfigError, match=f"choose 1 to {len(FIRSTS)}"):
        MiniPlanner(votes=votes)


def test_an_unknown_way_to_name_places_is_refused() -> None:
    with pytest.raises(ConfigError, match="choose from ids, described"):
        MiniPlanner(places="words")


def test_what_has_changed_nothing_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    planner = begun(monkeypatch, 5, Replies(0, 0, 0, *(0, 0, 0, 1, 0), *(0, 0, 0)))
    moves = [planner.plan(Request(BRIEF, turn, {"phone": SEEN})).moves[0] for turn in range(3)]
    assert moves == [Move("phone", Click(Ref(name))) for name in ("Save", "Back", "Save")]


def test_what_all_say_again_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    planner = begun(monkeypatch, 1, Replies(0, 0))
    moves = [planner.plan(Request(BRIEF, turn, {"phone": SEEN})).moves[0] for turn in range(2)]
    assert moves == [Move("phone", Click(Ref("Save")))] * 2


def test_what_readers_saw_move_in_this_turn_is_told_where_the_weights_know_it() -> None:
    told = (
        Recalled("3.0 s to 4.0 s, digits: 4711", TRANSCRIPT, "phone", 4.0, 2),
        Recalled('blinked: 5 times\nnumber: up to "27"', MOTION, "phone", 4.0, 2),
        Recalled("blinked: 2 times", MOTION, "phone", 1.0, 1),
    )
    for most, words in ((6, " saw blinked : 5 times <r1> saw number : up to 2 7 <r2>"), (0, "")):
        session = MiniSession.begin("Count the blinks.", most_saw=most)
        take_in(session, Request(BRIEF, 2, {"phone": SEEN}, told))
        assert f"heard digits : 4 7 1 1 <r0>{words} screen phone" in session.prompt().text
