"""AndroidControl's Type, Grounding and step success rate as OS-Atlas scores them, and three benchmarks in that style.

Released code is the only source: the papers that quote these columns print no rule of their own. Each success rate has
a strict counterpart: texts are compared as a whole instead of by their second word, and in OmniACT missing actions are
wrong instead of not counted.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.scoring.steps.rules import MISS, ActionMatch, Benchmark, after_header, compare, kind

Variant: TypeAlias = Literal["release", "fixed"]
"""They differ in OmniACT alone: the release counts the actions for which the prediction has a line, and none of a reply
without a header; fixed counts every right action, and one without a line is wrong."""
SPLITS = ("IDD", "app_unseen", "task_unseen", "category_unseen")


@dataclass(frozen=True, slots=True)
class AnsweredStep:
    """One step (in OmniACT, one script of several lines) and the model's reply.

    Attributes:
        truth: the right action, without the header "actions:". reply: the model's, with it.
        part: the group to report it under: AndroidControl's split, OmniACT's web or desktop.
        void: no reply came because something other than the model failed; it counts as wrong.
    """

    truth: str
    reply: str
    part: str = ""
    void: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of compared actions and the three rates, each in 0..1 and None if nothing was counted.

    Attributes:
        clicks: true clicks whose kind was matched (in GUI-Odyssey, long presses too).
        hits: CLICKs whose place is also right.
        strict_actions: the denominator of the strict success rate.
    """

    actions: int
    kinds: int
    full: int
    clicks: int
    hits: int
    strict: int
    strict_actions: int

    @property
    def type(self) -> float | None:
        """Share of actions whose kind is right."""
        return _ratio(self.kinds, self.actions)

    @property
    def grounding(self) -> float | None:
        """Share of clicks of the right kind that are in the right place; None where the release divides by zero."""
        return _ratio(self.hits, self.clicks)

    @property
    def success(self) -> float | None:
        """Step success rate."""
        return _ratio(self.full, self.actions)

    @property
    def strict_success(self) -> float | None:
        """Step success rate comparing whole texts, with every true action in the denominator."""
        return _ratio(self.strict, self.strict_actions)


@dataclass(frozen=True, slots=True)
class Report:
    """`parts` by the steps' `part`, in its order. `format_errors`: replies without an action, excluding void ones."""

    benchmark: Benchmark
    overall: Figures
    parts: dict[str, Figures]
    format_errors: int = 0
    void: int = 0
    variant: Variant = "release"


def score(
    steps: Iterable[AnsweredStep], benchmark: Benchmark = "android_control", variant: Variant = "release"
) -> Report:
    """The figures over all steps, and by part.

    Raises:
        ValueError: a right action is a click without a place.
    """
    every = list(steps)
    compared = [(step, _compared(step, benchmark, variant)) for step in every]
    names = sorted({step.part for step in every})
    parts = {
        name: _figures([pair for step, pairs in compared if step.part == name for pair in pairs], benchmark)
        for name in names
    }
    unread = sum(not step.void and not after_header(step.reply) for step in every)
    return Report(
        benchmark,
        _figures([pair for _, pairs in compared for pair in pairs], benchmark),
        parts,
        unread,
        sum(step.void for step in every),
        variant,
    )


def split_of(episode: int, splits: Mapping[str, Container[int]]) -> str:
    """The first split that lists an episode, in the order of `SPLITS` and then of `splits`; "" if none does."""
    names = dict.fromkeys((*SPLITS, *splits))
    return next((name for name in names if name in splits and episode in splits[name]), "")


def omniact_part(image: str) -> str:
    """`web` for a picture whose path contains it, else `desktop`."""
    return "web" if "/web/" in image else "desktop"


def _compared(step: AnsweredStep, benchmark: Benchmark, variant: Variant) -> list[tuple[str, ActionMatch, bool]]:
    """Kind of each right action, its match, and whether the variant counts it."""
    said = after_header(step.reply)
    if benchmark != "omniact":
        if benchmark != "android_control":
            said = said and said.strip()
        match = MISS if step.void or not said else compare(step.truth, said, benchmark)
        return [(kind(step.truth, benchmark), match, True)]
    lines = [] if step.void or said is None else said.split("\n")
    return [
        (
            kind(truth, benchmark),
            compare(truth, lines[i], benchmark) if i < len(lines) else MISS,
            i < len(lines) or step.void or variant == "fixed",
        )
        for i, truth in enumerate(step.truth.split("\n"))
    ]


def _figures(compared: Sequence[tuple[str, ActionMatch, bool]], benchmark: Benchmark) -> Figures:
    counted = [(right, match) for right, match, counts in compared if counts]
    clicks = ("CLICK", "LONG_PRESS") if benchmark == "gui_odyssey" else ("CLICK",)
    return Figures(
        actions=len(counted),
        kinds=sum(match.kind for _, match in counted),
        full=sum(match.full for _, match in counted),
        clicks=sum(match.kind and right in clicks for right, match in counted),
        hits=sum(match.full and right == "CLICK" for right, match in counted),
        strict=sum(match.strict for _, match, _ in compared),
        strict_actions=len(compared),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
