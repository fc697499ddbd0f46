"""Metrics that are counted from the journal: unread replies, unknown actions, cut-off calls, undetected elements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from omnipilot.agents import Proposal
from omnipilot.bench.episode.pointing import judge_pointing
from omnipilot.bench.journal.events import EpisodeStarted, Event, ModelCalled, ReplyUnread, StepTaken
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.bench.journal.tally import Tally
from omnipilot.envs import Absent, Box, Click, Element, Elements, Image, Observation, Point, Size
from omnipilot.memory import MediaStore, Move, Pointed
from omnipilot.memory.messages import Message
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.media import fit

STARTED = EpisodeStarted("t#0.0", 1, "t", 0, 0, "do it", [], [], {}, {}, 0.0)


def tally(*events: Event) -> Tally:
    found = Tally(STARTED)
    for event in events:
        found.take(event)
    return found


def step(result: str, executed: dict[str, Any] | None = None, **more: Any) -> StepTaken:
    told = StepTaken("t#0.0", 1, 0, 0, "phone", None, executed, result, "", False, None, [], 0.0, 0.0, {}, [], 0, {})
    return replace(told, **more)


def called(finish: str = "stop", dropped: tuple[str, ...] = ()) -> ModelCalled:
    return ModelCalled("t#0.0", 1, 0, 0, 0, "planner", "m", {}, "", {}, "", {}, False, list(dropped), finish)


def test_steps_are_counted_by_result_and_by_verb() -> None:
    found = tally(step("done", {"kind": "click"}), step("control", {"kind": "wait"}), step("rejected"), step("done"))
    assert found.results == {"done": 2, "control": 1, "rejected": 1} and found.verbs == {"click": 1, "wait": 1}


def test_a_reply_at_its_greatest_length_and_a_request_without_all_captures_are_cut_off() -> None:
    pictures = [Image(Size(2, 2), bytes(12), None, "phone", float(number)) for number in range(2)]
    _, notes = fit([Message("user", tuple(pictures))], LlmEndpoint("openai/gpt-4o", images=1))
    assert tally(called("stop", notes)).cut == 1
    assert tally(called(), called("length"), called("stop", ("response_format",))).cut == 1


def test_unread_replies_and_unknown_actions_are_two_things() -> None:
    found = tally(ReplyUnread("t#0.0", 1, 0, "no JSON"), ReplyUnread("t#0.0", 1, 1, "no tool", ["zoom", "pinch"]))
    assert (found.unread, found.unknown) == (2, 2)


def test_the_log_writes_what_the_action_space_has_no_word_for() -> None:
    events: list[Event] = []
    log = MessageLog("t#0.0", 1, MediaStore(), events.append, False)
    log._calls = 1
    log.unread("there is no tool zoom", ("zoom" * 40,))
    (event,) = events
    assert isinstance(event, ReplyUnread) and event.unknown == [("zoom" * 40)[:80]]


ASKED = Element("button", "Send", Box(0.4, 0.4, 0.6, 0.6), id="e1")


class Known:
    """The truth of a screen with one button."""

    def elements(self, env: str) -> Elements:
        return Elements((ASKED,))


@pytest.mark.parametrize(
    ("given", "candidates", "detected"),
    [
        (Elements((ASKED,)), None, True),
        (Elements((replace(ASKED, box=Box(0.0, 0.0, 0.1, 0.1)),)), None, False),
        (Absent("ablated"), None, None),
        (Absent("ablated"), (Box(0.35, 0.35, 0.7, 0.7),), True),
        (Absent("ablated"), (), False),
    ],
)
def test_an_element_that_lies_in_nothing_that_the_agent_was_given_was_detected_by_nobody(
    given: Any, candidates: tuple[Box, ...] | None, detected: bool | None
) -> None:
    seen = Observation("phone", 0.0, Size(100, 100), elements=given)
    move = Move("phone", Click("Send"))
    pointed = (Pointed("Send", Point(0.5, 0.5)),)
    proposal = Proposal(move, Click(Point(0.5, 0.5)), None, seen, False, pointed, candidates=candidates)
    (verdict,) = judge_pointing(proposal, Known())  # type: ignore[arg-type]
    assert verdict.detected is detected
    found = tally(step("done", pointing=[verdict.to_json()]))
    assert (found.undetected, found.looked) == (int(detected is False), int(detected is not None))
