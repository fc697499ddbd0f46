"""Where the planner `rules` finds what a phrase refers to, when it has noted nothing of it itself."""

from __future__ import annotations

import pytest
from scripted import ScriptedWorld, agent, brief, element, play

from omnipilot.agents import episode
from omnipilot.memory import Recalled, Turn, Usage, WindowMemory
from omnipilot.memory.base import ANCHOR
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.planners.rules import RulesPlanner
from omnipilot.planners.rules.reading.sources import find_in_recalled


def anchor(line: str, time: float = 0.0) -> Recalled:
    return Recalled(line, ANCHOR, "phone", time, int(time))


ANCHORS = (
    anchor('@code-1 = "7394" (Door code; Messages, Ann Berg; at 3.0 s)', 3),
    anchor('@code-2 = "1120" (Locker code; Mail; at 5.0 s)', 5),
    anchor('@phone-1 = "+44 20 9844 4947" (Mark Olsen; Contacts; at 6.0 s)', 6),
    anchor('@price-2 = "€67.90" (Total; Browser, Cart; at 9.0 s; was "€51.40" at 8.0 s)', 9),
)


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("the door code", "7394"),
        ("the locker code from the mail", "1120"),
        ("the phone number of Mark Olsen", "+44 20 9844 4947"),
        ("the total of the cart (as in 12.90)", "67.90"),
        ("the name of the captain", None),
    ],
)
def test_the_anchor_that_shares_most_words_with_the_phrase_is_taken(phrase: str, value: str | None) -> None:
    assert find_in_recalled(phrase, ANCHORS) == value


def test_of_two_that_say_the_same_the_newest_counts() -> None:
    again = anchor('@code-3 = "5520" (Door code; Messages, Ann Berg; at 30.0 s)', 30)
    assert find_in_recalled("the door code", (*ANCHORS, again)) == "5520"


def test_words_of_the_world_are_looked_through_last() -> None:
    said = Recalled("12.0 s to 13.1 s, speech: the gate code is 4711", "transcript", "phone", 12, 3)
    assert find_in_recalled("the gate code", (said,)) is None
    assert find_in_recalled("the gate code", (said,), loosely=True) == "4711"


def test_its_own_thoughts_and_moves_tell_it_no_facts() -> None:
    own = [
        Recalled("Type '4711': the door code is 4711", source, "phone", 1, 0)
        for source in ("thought", "action", "outcome")
    ]
    assert find_in_recalled("the door code", own, loosely=True) is None


@pytest.mark.parametrize(("memory", "typed"), [(EpisodicMemory, ["5512"]), (WindowMemory, [])])
def test_a_fact_that_has_left_every_screen_is_typed_from_memory(memory: type, typed: list[str]) -> None:
    world = ScriptedWorld(items=(element("Code", "textbox", 2),))
    kept = memory()
    told = ScriptedWorld(items=(element("The gate code is 5512.", "text", 3),))
    past = {"pc": told.envs["pc"].observe(frozenset({"elements"}), 0.0)}  # type: ignore[arg-type]
    # The loop clears the memory as the episode begins; what came before it is played after that.
    clear = kept.clear

    def clear_and_remember() -> None:
        clear()
        kept.record(Turn(-1, past, "", (), (), Usage()))

    kept.clear = clear_and_remember
    one = agent(RulesPlanner(), memory=kept)
    play(episode(world, one, brief(world, "Type the gate code into the Code field.")))
    assert [action.text for action in world.envs["pc"].acted if action.kind == "type"] == typed
