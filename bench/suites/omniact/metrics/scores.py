"""OmniACT's sequence score, action score and three penalties (OmniACT, §4, eq. 1-6).

`paper` follows the equations as printed, `release` and `uground` the two public descendants of the released code,
`fixed` what the equations seem to mean. They differ in:

| | paper | release, uground | fixed |
|---|---|---|---|
| scripts | read as Python | read line by line | read as Python |
| names | exact | gold in lower case; `release` lowers the prediction too | in any case |
| click penalty | the five mouse functions | `click` only: the others lost their capitals | the five |
| its mu | 1 / diagonal of the box | diagonal | diagonal |
| keys | set, in any case | set of pieces, spaces count | set, in any case |
| write penalty | full below two actions, else 1 - BLEU | 1 - BLEU | 1 - BLEU, 0 where the texts are equal |
| action score over | what the predictions scored (eq. 6) | what was to be scored | what was to be scored |

Only the second denominator makes the table of the paper add up (action = sequence - penalties) and models comparable.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omniact.metrics.bleu import bleu2
from omnipilot.bench.suites.omniact.metrics.script_actions import KEYS, MOUSE, UNREADABLE, Act, read_calls
from omnipilot.bench.suites.omniact.metrics.script_lines import gold_lines, predicted_lines, read_gold, read_predicted

Variant: TypeAlias = Literal["paper", "release", "uground", "fixed"]
PixelBox: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the screenshot."""
BETA_1, BETA_2 = 0.1, 1.0


@dataclass(frozen=True, slots=True)
class OmniActSample:
    """A task and its prediction.

    Attributes:
        task: the text of its task file: "Task: …", "Output Script:", then the gold script.
        boxes: of its box file; the gold places are exact centres of some of them.
        prediction: the model's reply. void: no reply came because something other than the model failed.
    """

    task: str
    boxes: tuple[PixelBox, ...]
    prediction: str
    void: bool = False


@dataclass(frozen=True, slots=True)
class SampleScore:
    """One sample's score.

    Attributes:
        weight: SeqScore of a match, 0.1 + (s - 1) (eq. 1). matched: whether the sequence of functions is the gold one.
        click, press, write: each penalty's sum over the actions, divided by s; 0 where the sequence does not match.
        malformed: predicted actions that could not be read; each has its full penalty.
        unjudged: gold actions without a box or a text, which have no penalty, or unreadable, which nothing matches.
    """

    weight: float
    matched: bool
    click: float = 0.0
    press: float = 0.0
    write: float = 0.0
    malformed: int = 0
    unjudged: int = 0

    @property
    def action(self) -> float:
        """SeqScore minus the penalties, as a share of SeqScore; never below 0."""
        return max(1 - self.click - self.press - self.write, 0.0) if self.matched else 0.0


@dataclass(frozen=True, slots=True)
class ScriptReport:
    """Scores in 0..1 over `samples`; the penalties are shares of the ideal score, as in Table 4.

    `action` is None where eq. 6 divides by zero: in the paper's variant, when no sequence matched.
    """

    variant: Variant
    samples: int
    sequence: float
    click: float
    press: float
    write: float
    action: float | None
    malformed: int = 0
    unjudged: int = 0
    void: int = 0


def score(samples: Sequence[OmniActSample], variant: Variant = "release") -> ScriptReport | None:
    """The scores of many samples; None without any. A void sample counts as a sequence that does not match."""
    if not samples:
        return None
    scores = [score_sample(sample, variant) for sample in samples]
    ideal = math.fsum(one.weight for one in scores)
    matched = math.fsum(one.weight for one in scores if one.matched)
    kept = math.fsum(one.weight * one.action for one in scores)
    over = matched if variant == "paper" else ideal
    return ScriptReport(
        variant,
        len(samples),
        sequence=matched / ideal,
        click=math.fsum(one.weight * one.click for one in scores) / ideal,
        press=math.fsum(one.weight * one.press for one in scores) / ideal,
        write=math.fsum(one.weight * one.write for one in scores) / ideal,
        action=kept / over if over else None,
        malformed=sum(one.malformed for one in scores),
        unjudged=sum(one.unjudged for one in scores),
        void=sum(sample.void for sample in samples),
    )


def score_sample(sample: OmniActSample, variant: Variant = "release") -> SampleScore:
    """The score of one sample.

    Raises:
        ValueError: the task's file holds no gold script.
    """
    gold, predicted = _scripts(sample, variant)
    if not gold:
        raise ValueError(
            f"no gold action in {sample.task[:80]!r}; give the text of the task file, including its script"
        )
    weight = BETA_1 + BETA_2 * (len(gold) - 1)
    names = [[_name(act, variant) for act in acts] for acts in (gold, predicted)]
    if sample.void or names[0] != names[1] or UNREADABLE in names[0]:
        unread = 0 if sample.void else names[1].count(UNREADABLE)
        return SampleScore(weight, False, malformed=unread, unjudged=names[0].count(UNREADABLE))
    penalties = {"click": 0.0, "press": 0.0, "write": 0.0}
    malformed = unjudged = 0
    for wanted, act in zip(gold, predicted, strict=True):
        kind = _kind(wanted, variant)
        if kind is None:
            continue
        box = _box(wanted, sample.boxes) if kind == "click" else None
        if (wanted.text if kind == "write" else wanted.keys if kind == "press" else box) is None:
            unjudged += 1
            continue
        if (act.text if kind == "write" else act.keys if kind == "press" else act.point) is None:
            malformed += 1
            penalties[kind] += 1 / len(gold)
            continue
        penalties[kind] += _penalty(wanted, act, box, len(gold), variant) / len(gold)
    return SampleScore(weight, True, **penalties, malformed=malformed, unjudged=unjudged)


def _scripts(sample: OmniActSample, variant: Variant) -> tuple[tuple[Act, ...], tuple[Act, ...]]:
    if variant == "release" or variant == "uground":
        predicted = predicted_lines(sample.prediction, variant)
        return (
            tuple(map(read_gold, gold_lines(sample.task, variant))),
            tuple(read_predicted(line, variant) for line in predicted),
        )
    return read_calls("\n".join(sample.task.strip().split("\n")[1:])), read_calls(sample.prediction)


def _name(act: Act, variant: Variant) -> str:
    return act.name.lower() if variant == "fixed" else act.name


def _kind(gold: Act, variant: Variant) -> Literal["click", "press", "write"] | None:
    name = gold.name.lower()
    if name == "click" or (name in MOUSE and variant in ("paper", "fixed")):
        return "click"
    return "press" if name in KEYS else "write" if name == "write" else None


def _box(gold: Act, boxes: Sequence[PixelBox]) -> PixelBox | None:
    """The box whose centre is exactly the gold place."""
    return next((b for b in boxes if gold.point == ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)), None)


def _penalty(gold: Act, act: Act, box: PixelBox | None, length: int, variant: Variant) -> float:
    """The bracket of eq. 2, 3 or 4, in 0..1."""
    if box is not None and act.point is not None:
        return click_penalty(act.point, box, inverse=variant == "paper")
    if gold.text is not None and act.text is not None:
        if variant == "paper" and length < 2:  # SeqScore > 1, which no script of one action reaches
            return 1.0
        return 0.0 if variant == "fixed" and gold.text == act.text else 1 - bleu2(gold.text, act.text)
    return float(gold.keys != act.keys)


def click_penalty(point: tuple[float, float], box: PixelBox, inverse: bool = False) -> float:
    """1 - mu / (mu + L2) (eq. 2), L2 being the distance from the point to the box in pixels, 0 inside.

    Args:
        inverse: mu is 1 / diagonal, as printed, instead of the diagonal.
    """
    left, top, right, bottom = box
    away = math.hypot(max(left - point[0], 0, point[0] - right), max(top - point[1], 0, point[1] - bottom))
    if away == 0:
        return 0.0
    diagonal = math.hypot(right - left, bottom - top)
    # With mu = 1 / diagonal, mu / (mu + L2) is 1 / (1 + L2 * diagonal).
    return 1 - (1 / (1 + away * diagonal) if inverse else diagonal / (diagonal + away))
