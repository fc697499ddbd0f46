"""Was it pointed right? What each move asked the grounder for, and what lies where it pointed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from omnipilot.agents import Proposal
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.envs import Absent, Element, Elements, Observation, Point
from omnipilot.envs.schema import codec
from omnipilot.envs.types.actions import Described, Ref, described_places
from omnipilot.envs.types.element_reading import element_at, lies_on, read_target
from omnipilot.grounders.marks.spoken_numbers import spoken_number
from omnipilot.memory.truth import Truth


@dataclass(frozen=True, slots=True)
class PointingVerdict:
    """The verdict on one described place.

    Attributes:
        target: the description, or "#" and an id. right: whether the point lies on what was asked for; an element that
            is on the screen but was not found is a miss; None if it cannot be told.
        asked, hit: the elements that were asked for and pointed at, as far as they are known. why: why it cannot be
            told, or that nothing was pointed at.
        detected: whether the middle of what was asked for lies in an element that the agent was given, by the system
            or by a detector; None if it cannot be told, or it was given no elements.
    """

    target: str
    right: bool | None
    asked: Element | None = None
    hit: Element | None = None
    why: str = ""
    detected: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """As in the journal: target, right, asked and hit (id, role, name, box; null if unknown), why, detected."""
        return {
            "target": self.target,
            "right": self.right,
            "asked": _element(self.asked),
            "hit": _element(self.hit),
            "why": self.why,
            "detected": self.detected,
        }


@dataclass(frozen=True, slots=True)
class TruthfulJudge:
    """Judges the pointing of an episode by the truth about it; implements `PointingJudge`."""

    truth: EpisodeTruth

    def looked(self, observation: Observation) -> None:
        """Keep the observation, for worlds in which nothing else knows the elements."""
        self.truth.looked(observation)

    def judge(self, proposal: Proposal) -> list[dict[str, Any]]:
        """The verdicts on a proposal, as the journal holds them."""
        return [verdict.to_json() for verdict in judge_pointing(proposal, self.truth)]


def judge_pointing(proposal: Proposal, truth: Truth) -> list[PointingVerdict]:
    """The verdicts on the described places of a move that was just grounded, in the order in which they were asked for.

    Whether a place can be told depends on the words and the screen, never on where it was pointed, so that the share
    of right ones is not skewed by what cannot be told. Places after one that was not found were never asked for, and
    have no verdict.
    """
    if proposal.seen is None:
        return []
    targets = described_places(proposal.move.intent)
    missed = proposal.problem is not None and proposal.problem.result == "not_found"
    elements = truth.elements(proposal.seen.env) if targets else Elements(())
    found = []
    for number, target in enumerate(targets[: len(proposal.pointed) + missed]):
        words = target if isinstance(target, str) else f"#{target.id}"
        if isinstance(elements, Absent):
            found.append(PointingVerdict(words, None, why=elements.detail or f"elements: {elements.reason}"))
            continue
        asked = _asked(elements, target, proposal)
        if number == len(proposal.pointed):
            verdict = _missed(words, asked)
        else:
            pressed = proposal.pointed[number].point.pressed(proposal.seen.size)
            verdict = _pointed(words, asked, elements, pressed)
        found.append(replace(verdict, detected=_detected(asked, proposal)))
    return found


def _asked(elements: Elements, target: Described, proposal: Proposal) -> Element | str:
    """The element that is asked for, or why it cannot be told, as for a mark's number: the grounder gave it out."""
    if proposal.marked and spoken_number(target) is not None:
        return "it is the number of a mark"
    asked = read_target(elements, target)
    listed = proposal.seen.elements if proposal.seen is not None else Absent("unasked")
    if isinstance(asked, str) or isinstance(listed, Absent):
        return asked
    id = target.id if isinstance(target, Ref) else target.removeprefix("#").strip()
    shown = listed.by_id(id) if asked.id == id else None
    if shown is not None and not (shown.name in ("", asked.name) and shown.box.contains(asked.box.center)):
        # An id means what the agent was shown under it, and a faulty list shows something else.
        return f"the agent was shown something else as {id!r}"
    return asked


def _detected(asked: Element | str, proposal: Proposal) -> bool | None:
    """Whether any of the elements and marks that the agent was given lies where the one that was asked for does."""
    given = proposal.seen.elements if proposal.seen is not None else Absent("unasked")
    boxes = [] if isinstance(given, Absent) else [one.box for one in given]
    if isinstance(asked, str) or (proposal.candidates is None and isinstance(given, Absent)):
        return None
    return any(box.contains(asked.box.center) for box in (*boxes, *(proposal.candidates or ())))


def _missed(words: str, asked: Element | str) -> PointingVerdict:
    if isinstance(asked, str):
        return PointingVerdict(words, None, why=asked)
    return PointingVerdict(words, False, asked, why="it was not found")


def _pointed(words: str, asked: Element | str, elements: Elements, point: Point) -> PointingVerdict:
    hit = element_at(elements, point)
    if isinstance(asked, str):
        return PointingVerdict(words, None, None, hit, asked)
    return PointingVerdict(words, lies_on(elements, asked, point), asked, hit)


def _element(element: Element | None) -> dict[str, Any] | None:
    if element is None:
        return None
    box = codec.box_to_json(element.box)
    return {"id": element.id, "role": element.role, "name": element.name, "box": box}
