"""Tables of pointing: hits out of attempts, by platform, kind of target and style of instruction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median

from omnipilot.bench.pointing.evaluation import STYLES, PointingAnswer, Unasked
from omnipilot.bench.tables import Table
from omnipilot.memory import Usage

KINDS = ("icon", "text", "control")


def score_table(answers: Sequence[PointingAnswer], baselines: Mapping[str, Sequence[PointingAnswer]]) -> Table:
    """One column per platform, one for all, one per baseline on the same instructions; one row per slice."""
    platforms = dict.fromkeys(answer.platform for answer in answers)
    columns: dict[str, Sequence[PointingAnswer]] = {
        name: [a for a in answers if a.platform == name] for name in platforms
    }
    columns |= {"all": answers, **{f"({name})": theirs for name, theirs in baselines.items()}}
    slices = _slices(answers)
    rows = [(name, *(_share(among(theirs)) for theirs in columns.values())) for name, among in slices.items()]
    abstained = (str(sum(answer.point is None for answer in theirs) or "·") for theirs in columns.values())
    notes = (
        "hits of tried; a point in the target's box is a hit, an abstention is a miss",
        "same text: something else on the screen carries the target's text; (…): baselines on the same instructions",
        _cost(answers),
    )
    return Table(("hit %", *columns), (*rows, ("abstained", *abstained)), notes)


def _slices(answers: Sequence[PointingAnswer]) -> dict[str, Callable[[Sequence[PointingAnswer]], list[PointingAnswer]]]:
    """The rows: each style by kind of target and overall, all, and targets with a distractor of the same text."""
    slices: dict[str, Callable[[Sequence[PointingAnswer]], list[PointingAnswer]]] = {}
    for style in STYLES:
        of_style = [answer for answer in answers if answer.style == style]
        for kind in KINDS:
            if any(answer.kind == kind for answer in of_style):
                slices[f"{style} {kind}"] = partial(_among, style=style, kind=kind)
        if of_style:
            slices[style] = partial(_among, style=style)
    return slices | {"all": list, "same text": partial(_among, distractor=True)}


def _among(answers: Sequence[PointingAnswer], **wanted: object) -> list[PointingAnswer]:
    return [answer for answer in answers if all(getattr(answer, key) == value for key, value in wanted.items())]


def abstention_table(answers: Sequence[PointingAnswer]) -> Table:
    """One row per reason: how often, and its most recent detail."""
    reasons = dict.fromkeys(answer.reason for answer in answers if answer.reason)
    rows = []
    for reason in reasons:
        told = [answer for answer in answers if answer.reason == reason]
        rows.append((reason, str(len(told)), f"{told[0].text[:60]} → {told[0].detail[:80]}"))
    return Table(("abstained", "times", "for example"), tuple(rows), labels=3)


def unasked_table(unasked: Sequence[Unasked]) -> Table:
    """One row per reason: instructions skipped because their screens cannot be shown; these are void."""
    reasons = dict.fromkeys(one.reason for one in unasked)
    rows = []
    for reason in reasons:
        lost = list(dict.fromkeys(one.target for one in unasked if one.reason == reason))
        rows.append((reason, str(sum(one.reason == reason for one in unasked)), ", ".join(lost)))
    return Table(("could not be asked (void)", "times", "targets"), tuple(rows), labels=3)


def cost_table(answers: Sequence[PointingAnswer]) -> Table:
    """The cost of the answers in one line."""
    abstained = sum(answer.point is None for answer in answers)
    return Table(("asked", "abstained", "cost"), ((str(len(answers)), str(abstained), _cost(answers)),), labels=3)


def _share(tried: Sequence[PointingAnswer]) -> str:
    if not tried:
        return "—"
    hits = sum(answer.hit for answer in tried)
    return f"{100 * hits / len(tried):.1f} ({hits}/{len(tried)})"


def _cost(answers: Sequence[PointingAnswer]) -> str:
    usage = sum((answer.usage for answer in answers), Usage())
    seconds = [answer.seconds for answer in answers]
    if not seconds:
        return "nothing was asked"
    ordered = sorted(seconds)
    tail = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    price = "price unknown" if usage.cost is None else f"${usage.cost:.4f}"
    tokens = f"{usage.calls} model calls, {usage.tokens_in} + {usage.tokens_out} tokens, {price}"
    spent = tokens if usage.calls else "no model was called"
    return f"a question took {_ms(median(seconds))} (median), {_ms(tail)} (95 %); {spent}"


def _ms(seconds: float) -> str:
    """Three digits, and whole milliseconds from a hundred up."""
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.1 else f"{1000 * seconds:.3g} ms"
