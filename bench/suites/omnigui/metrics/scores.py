"""OmniGUI's metrics (OmniGUI, §3.4): type match, exact match, success rate and goal progress, teacher-forced.

`release` follows the released evaluator, `paper` the paper's words. They differ in:

| | paper | release |
|---|---|---|
| INPUT | the very text | one text contains the other, in any case |
| NONE, DOUBLE_TAP | NONE by its kind, DOUBLE_TAP like TAP | never an exact match |
| swipe without an end | no match, where the truth has an end | by its start alone |
| goal progress | exact matches / steps | length of the correct prefix / steps |
| a list of rectangles | any of them | lift: the first; touch: one is none for a TAP, two raise for any action |
| a bare "swipe" in the reply | by its two places | a TAP, or unreadable |

Where the release raises, the step is scored with any of the rectangles, and flagged. A point instead of a rectangle is
matched within 140 thousandths in both; the paper knows rectangles only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omnigui.metrics.actions import BARE, PRESSES, SWIPES, UNMATCHED, Primitive
from omnipilot.bench.suites.omnigui.metrics.fields import Pair
from omnipilot.bench.suites.omnigui.metrics.reply import OmniGuiPrediction, Variant, read_reply
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField

Coordinates: TypeAlias = Literal["normalized", "pixel", "auto"]
"""How a reply counts: thousandths, as in every released task; pixels; or pixels where a number is above 1000."""


@dataclass(frozen=True, slots=True)
class ScoredStep:
    """One step of an episode: the truth and the model's reply.

    Attributes:
        episode, step: its id and the step's place in it. action: the right one.
        reply: None if the model gave none, which is a format miss.
        touch, lift: touch-down and lift-off places. text: the typed text. size: of the screenshot in pixels.
        subset: part of the episode's identity. void: no reply came because something other than the model failed.
        level, dimension, app: labels to report by.
    """

    episode: str
    step: int
    action: Primitive
    reply: str | None
    touch: TargetField | None = None
    lift: TargetField | None = None
    text: str = ""
    size: tuple[int, int] = (1080, 2400)
    subset: str = "unknown"
    void: bool = False
    level: str = ""
    dimension: str = ""
    app: str = ""


@dataclass(frozen=True, slots=True)
class StepScore:
    """The score of one step. `flagged`: the release raises an error on this step's data."""

    step: ScoredStep
    type_match: bool
    exact_match: bool
    readable: bool
    flagged: bool


@dataclass(frozen=True, slots=True)
class EpisodeReport:
    """The four metrics in 0..1; None without a step.

    Attributes:
        format_errors: steps with unreadable replies, excluding void ones. flagged: see `StepScore`.
        unmatchable: steps of NONE and DOUBLE_TAP, which the release never matches.
        void: steps without a reply through no fault of the model; they count as wrong.
    """

    variant: Variant
    steps: int
    episodes: int
    type_match: float | None
    exact_match: float | None
    success_rate: float | None
    goal_progress: float | None
    format_errors: int = 0
    flagged: int = 0
    unmatchable: int = 0
    void: int = 0


def score(
    steps: Iterable[ScoredStep], variant: Variant = "release", coordinates: Coordinates = "normalized"
) -> EpisodeReport:
    """The metrics over many steps; each episode's steps are sorted first."""
    return report([score_step(step, variant, coordinates) for step in steps], variant)


def score_step(step: ScoredStep, variant: Variant = "release", coordinates: Coordinates = "normalized") -> StepScore:
    """One step: type match, and exact match where the type matches (OmniGUI, §3.4)."""
    touch = step.touch
    flagged = touch is not None and touch.listed and len(touch.rectangles) > 1
    said = None if step.void or step.reply is None else read_reply(step.reply, variant)
    same = said is not None and said.action == step.action
    exact = said is not None and same and _exact(step, said, variant, coordinates)
    return StepScore(step, same, exact, said is not None, flagged)


def lacks_target(step: ScoredStep, variant: Variant) -> bool:
    """Whether the data lacks what exact match needs: the place of a touch, or in the release a text."""
    if step.action == Primitive.INPUT:
        return variant == "release" and not step.text
    if step.action in UNMATCHED and variant == "release":
        return False  # never an exact match, whatever the data says
    return step.touch is None and step.action in PRESSES | SWIPES | {Primitive.DOUBLE_TAP}


def _exact(step: ScoredStep, said: OmniGuiPrediction, variant: Variant, coordinates: Coordinates) -> bool:
    if step.action in BARE:
        return True
    if step.action == Primitive.INPUT:
        return _same_text(step.text, said.text, variant)
    if step.action in UNMATCHED and variant == "release":
        return False
    if step.action == Primitive.NONE:
        return True
    at, to = (_thousandths(place, step.size, coordinates) for place in (said.at, said.to))
    if step.touch is None or at is None:
        return False
    if step.action in SWIPES:
        if not step.touch.matches(at, step.size):
            return False
        # A place of (-1, -1) is missing and yet given: with it, the release asks for both ends.
        if step.lift is None or (said.to is None and variant == "release"):
            return True
        return to is not None and step.lift.matches(to, step.size, first_only=variant == "release")
    if variant == "release" and step.action in PRESSES and step.touch.listed and len(step.touch.rectangles) == 1:
        return False
    return step.touch.matches(at, step.size)


def _same_text(truth: str, said: str | None, variant: Variant) -> bool:
    if variant == "paper":
        return said == truth
    if not said or not truth:
        return False
    said, truth = said.lower().strip(), truth.lower().strip()
    return said in truth or truth in said


def _thousandths(place: Pair | None, size: tuple[int, int], coordinates: Coordinates) -> Pair | None:
    if place is None or place == (-1, -1):
        return None
    if coordinates == "pixel" or (coordinates == "auto" and max(place) > 1000):
        return int(place[0] / size[0] * 1000), int(place[1] / size[1] * 1000)
    return place


def report(scores: Sequence[StepScore], variant: Variant) -> EpisodeReport:
    """The metrics of scored steps; an episode is identified by its subset and id."""
    episodes: dict[tuple[str, str], list[StepScore]] = {}
    for one in scores:
        episodes.setdefault((one.step.subset, one.step.episode), []).append(one)
    for steps in episodes.values():
        steps.sort(key=lambda one: one.step.step)
    progress = [_progress([one.exact_match for one in steps], variant) for steps in episodes.values()]
    return EpisodeReport(
        variant,
        len(scores),
        len(episodes),
        _share([one.type_match for one in scores]),
        _share([one.exact_match for one in scores]),
        _share([all(one.exact_match for one in steps) for steps in episodes.values()]),
        math.fsum(progress) / len(progress) if progress else None,
        format_errors=sum(not one.readable and not one.step.void for one in scores),
        flagged=sum(one.flagged for one in scores),
        unmatchable=sum(one.step.action in UNMATCHED for one in scores),
        void=sum(one.step.void for one in scores),
    )


def _progress(exact: Sequence[bool], variant: Variant) -> float:
    """Goal progress of one episode: its correct prefix, or in the paper all correct steps, over the number of steps."""
    right = sum(exact) if variant == "paper" or all(exact) else list(exact).index(False)
    return right / len(exact)


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
