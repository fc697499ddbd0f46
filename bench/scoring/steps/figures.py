"""Type, Grounding and step success rate with their intervals, from per-step counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.scoring.score import Figure, Item
from omnipilot.bench.scoring.steps.metrics import AnsweredStep, Figures, Variant, score
from omnipilot.bench.scoring.steps.rules import Benchmark, after_header
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.ratio import mean_of, ratio_of
from omnipilot.bench.tables import Table

RATES = (
    ("Type", "kinds", "actions"),
    ("Grounding", "hits", "clicks"),
    ("SR", "full", "actions"),
    ("SR, whole texts", "strict", "strict_actions"),
)
"""Each figure: its name, and the counts that it is the ratio of."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One step with its key, its cluster and its own counts."""

    step: AnsweredStep
    key: str
    cluster: str
    counts: Figures

    @classmethod
    def of(cls, step: AnsweredStep, key: str, cluster: str, benchmark: Benchmark, variant: Variant = "release") -> Unit:
        """Count one step."""
        return cls(step, key, cluster, score([step], benchmark, variant).overall)


def step_rates(units: Sequence[Unit], noun: str, counted: str = "steps", pressed: str = "clicks") -> tuple[Figure, ...]:
    """The four rates.

    Args:
        noun: the name of clusters, such as episodes. counted, pressed: the units in the denominators of Type and SR,
            and of Grounding.
    """
    void = sum(unit.step.void for unit in units)
    valid = [unit for unit in units if not unit.step.void]
    found = []
    for name, part, whole in RATES:
        # A void step is no click of the right type, and so in no denominator of Grounding.
        conditional = whole == "clicks"
        found.append(
            Figure(
                name,
                _rate(units, part, whole, noun),
                sum(getattr(unit.counts, whole) for unit in units),
                f"{pressed} of the right type" if conditional else counted,
                0 if conditional else void,
                _rate(valid, part, whole, noun) if void and not conditional else None,
                items=tuple(
                    Item(unit.key, unit.cluster, getattr(unit.counts, part), getattr(unit.counts, whole))
                    for unit in units
                ),
                noun=noun,
            )
        )
    return tuple(found)


def parts_of(
    units: Sequence[Unit], noun: str, counted: str = "steps", pressed: str = "clicks", order: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """The four rates of each part, as "SR app_unseen"; none if there is only one part. Arguments as for `figures`."""
    return tuple(
        replace(one, name=f"{one.name} {name or 'none'}")
        for name in _parts(units, order)
        for one in step_rates([unit for unit in units if unit.step.part == name], noun, counted, pressed)
    )


def _parts(units: Sequence[Unit], order: Sequence[str]) -> list[str]:
    """The parts in this order, others behind by name; none if there is only one."""
    names = {unit.step.part for unit in units}
    listed = [*(name for name in order if name in names), *sorted(names - set(order))]
    return listed if len(listed) > 1 else []


def parts_table(units: Sequence[Unit], noun: str, title: str, order: Sequence[str] = ()) -> Table | None:
    """The rates of each part with their denominators; None if there is only one part.

    Args:
        title: the name for a part. order: of parts; others follow by name.
    """
    rows = []
    for name in _parts(units, order):
        mine = [unit for unit in units if unit.step.part == name]
        cells = []
        for _, part, whole in RATES:
            rate = _rate(mine, part, whole, noun)
            cells += ["—" if rate is None else rate.text(), str(sum(getattr(unit.counts, whole) for unit in mine))]
        rows.append((name or "none", *cells))
    columns = (title, *(cell for name, _, _ in RATES for cell in (f"{name} %", "of")))
    return Table(columns, tuple(rows)) if rows else None


def unreadable(units: Sequence[Unit]) -> str:
    """The number of replies without an action, in words, and its effect on the figures."""
    none = sum(not unit.step.void and not after_header(unit.step.reply) for unit in units)
    share = f" ({100 * none / len(units):.1f} %)" if units else ""
    uncounted = sum(
        not unit.step.void and after_header(unit.step.reply) is None and not unit.counts.actions for unit in units
    )
    cost = f"{uncounted} of them are not counted, as released" if uncounted else "they are wrong"
    return f"format errors: {none} of {len(units)} replies{share} hold no action after a line actions:; {cost}"


def beside_grounding(units: Sequence[Unit]) -> tuple[str, ...]:
    """The effect of void steps on Grounding, in words, if there are any."""
    void = sum(unit.step.void for unit in units)
    if not void:
        return ()
    told = f"Grounding is of clicks whose type was met, so the {void} void steps are not in its denominator"
    return (f"{told}; they are wrong in the other figures",)


def _rate(units: Sequence[Unit], part: str, whole: str, noun: str) -> Interval | None:
    counted = [unit for unit in units if getattr(unit.counts, whole)]
    if not counted:
        return None
    parts = [float(getattr(unit.counts, part)) for unit in counted]
    wholes = [float(getattr(unit.counts, whole)) for unit in counted]
    clusters = [unit.cluster for unit in counted]
    if all(count == 1 for count in wholes):
        return mean_of(parts, clusters, noun)
    return ratio_of(parts, wholes, clusters, noun)
