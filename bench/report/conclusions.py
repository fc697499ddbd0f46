"""What a comparison says, in a plain sentence that stands above its tables.

A system is called better or worse only where its difference stays significant after Holm's correction for all that it
is compared together with. Of the rest nothing is said but how large a difference would have to be to be seen. Where the
design could not have shown any difference, that comes first, with what would.

`tests/bench/report/test_conclusions_simulated.py` checks it with simulated studies whose truth is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from omnipilot.bench.experiments.ablation_results import ALL, AblationRow
from omnipilot.bench.experiments.comparison import Comparison
from omnipilot.bench.experiments.sweep_results import SweepRow
from omnipilot.bench.report.method_notes import many
from omnipilot.bench.stats.clusters import Kind
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER, Difference, PairedSample
from omnipilot.bench.stats.sign_flips import fewest

NAMED = 3
"""Of so many systems the sentence says by how much; of further ones only that."""
MOST_ROWS = 15
"""Rows besides the reference that a table on a terminal has unless all are asked for."""
WANTED = 0.2
"""The difference for which the number of tasks is named where smaller ones than that cannot be seen."""


Row = TypeVar("Row", AblationRow, SweepRow)


@dataclass(frozen=True, slots=True)
class Compared:
    """A system, or a condition of one, compared with the reference.

    Attributes:
        name: in tables. difference: it minus the reference; None without common pairs.
        adjusted: Holm's p over all that are compared together.
        how: what sets the condition apart, as "without audio"; "" for a system of its own.
    """

    name: str
    difference: Difference | None
    adjusted: float | None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a comparison says.

    Attributes:
        sentences: the most important first.
        better, worse: names of what differs from the reference for sure. untold: names of what may or may not.
    """

    sentences: tuple[str, ...]
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentences as one paragraph."""
        return " ".join(self.sentences)

    def to_json(self) -> dict[str, object]:
        """As `results.json` holds it."""
        return {
            "text": self.text,
            "better": list(self.better),
            "worse": list(self.worse),
            "untold": list(self.untold),
        }


def conclude(
    found: Sequence[Compared],
    reference: str,
    level: float = LEVEL,
    power: float = POWER,
    noun: str = "system",
    available: int | None = None,
    caveats: Sequence[str] = (),
) -> Conclusion:
    """What several systems, or conditions of one system, compared with one reference say.

    Args:
        reference: the name of what all are compared with; for conditions, of the system that is run under them.
        level: of confidence; 1 - level is the chance of any false claim. power: for which a difference counts as seen.
        noun: what is compared, in the singular. available: number of tasks that the suite has; None if not known.
        caveats: sentences to add, such as one on void episodes.
    """
    told = [one for one in found if one.difference is not None]
    if not told:
        return Conclusion(("Nothing can be compared: no two runs have a task and instance in common.", *caveats))
    tested = sum(one.adjusted is not None for one in told)
    worse = _significant(told, level, -1)
    better = _significant(told, level, 1)
    names = {one.name for one in (*worse, *better)}
    rest = [one for one in told if one.name not in names]
    samples = [
        one.difference.sample for one in rest if one.difference is not None and one.difference.sample is not None
    ]
    parts = [_claim(some, reference, words, tested) for some, words in ((worse, "fewer"), (better, "more")) if some]
    sentences: list[str] = []
    if (
        rest
        and not parts
        and samples
        and not any(one.can_show(1 - (1 - level) / tested if tested else level) for one in samples)
    ):
        best = max(samples, key=lambda one: one.groups)
        groups = best.groups if best.freedom >= 1 else 1.0
        sentences += cannot_show(best.tasks, groups, best.kind, max(tested, len(told)), level, noun, available)
    elif rest:
        parts.append(_untold(rest, samples, bool(parts), 1 - (1 - level) / max(1, tested - len(names)), power, noun))
    if parts:
        sentences.insert(0, f"{'; '.join(parts)}.")
    if not names:
        sentences += _largest(told)
    if not names and parts and samples:
        sentences += _more_tasks(samples, 1 - (1 - level) / max(1, tested), power, available)
    return Conclusion(
        (*sentences, *caveats),
        tuple(one.name for one in better),
        tuple(one.name for one in worse),
        tuple(one.name for one in rest),
    )


def conclude_comparison(found: Comparison) -> Conclusion:
    """What two runs, or one run under two budgets, say about success."""
    a, b = found.names
    one, level = found.rows[0].difference, found.level
    caveats = list(void_caveat(sum(found.void), _episodes(one)))
    caveats += [
        f"Not all is finished ({'; '.join(found.incomplete)}), so this is about the {many(found.pairs, 'pair')} that "
        "both have."
    ] * bool(found.incomplete)
    if not found.one_run:
        return conclude([Compared(b, one, one.p)], a, level, found.power, caveats=caveats)
    more = one.interval.estimate
    if not more:
        first = f"{b} solves as many tasks as {a} {details(one, '')}."
        return Conclusion((first, *caveats), untold=(b,))
    first = f"{b} solves {points(more)} {'more' if more > 0 else 'fewer'} tasks than {a} {details(one, '')}."
    ends = one.interval.low or 0.0, one.interval.high or 0.0
    better, worse = (b,) * (ends[0] > 0), (b,) * (ends[1] < 0)
    return Conclusion((first, *caveats), better, worse, () if better or worse else (b,))


def conclude_sweep(
    rows: Sequence[SweepRow], level: float = LEVEL, power: float = POWER, available: int | None = None
) -> Conclusion:
    """What the cells of a sweep say, compared with its reference.

    Args:
        rows: made with this level and power. available: number of tasks that the suite has; None if not known.
    """
    reference = next(row for row in rows if row.reference)
    found = [Compared(row.run.name, row.difference, row.adjusted) for row in rows if not row.reference]
    voids = sum(row.solved.void for row in rows if row.solved is not None)
    caveats = void_caveat(voids, sum(len(row.run.episodes) for row in rows))
    return conclude(found, reference.run.name, level, power, "system", available, caveats)


def conclude_ablation(
    rows: Sequence[AblationRow],
    system: str,
    level: float = LEVEL,
    power: float = POWER,
    available: int | None = None,
) -> Conclusion:
    """What the conditions of an ablation say, over all tasks; groups of tasks are for exploring.

    Args:
        rows: made with this level and power. system: what runs under the conditions, such as "rules".
        available: number of tasks that the suite has; None if not known.
    """
    every = [row for row in rows if row.group == ALL]
    found = [
        Compared(row.condition, row.difference, row.adjusted, condition_words(row.condition))
        for row in every
        if not row.reference
    ]
    voids = sum(row.solved.void for row in every if row.solved is not None)
    caveats = void_caveat(voids, sum(row.count[1] for row in every))
    return conclude(found, system, level, power, "condition", available, caveats)


def condition_words(name: str) -> str:
    """How an agent runs under a condition: "without audio and video", "with audio only", "with the media of …"."""
    kind, _, rest = name.partition(" ")
    of = _listed(rest.split(", "))
    if kind == "no":
        return f"without {of}"
    if kind == "only":
        return f"with {of} only"
    if kind == "other":
        return "with another task’s sound and video"
    if kind in ("silence", "noise"):
        return f"under {kind}"
    return f"with the instruction as {name}"


def by_effect(rows: Sequence[Row], most: int | None = None) -> list[Row]:
    """The reference, then the others from the largest loss to the largest gain; those without a difference last.

    Args:
        most: how many to keep besides the reference, significant ones and large differences first; None for all.
    """
    first: list[Row] = [row for row in rows if row.reference]
    others: list[Row] = [row for row in rows if not row.reference]
    if most is not None and len(others) > most:
        at = {id(row): (row.adjusted is None or row.adjusted > 1 - LEVEL, -abs(_effect(row))) for row in others}
        others = sorted(others, key=lambda row: at[id(row)])[:most]
    others.sort(key=lambda row: (row.difference is None, _effect(row)))
    return first + others


def rows_left_out(rows: Sequence[Row], most: int | None) -> list[str]:
    """A note on the rows that `by_effect` leaves out; none if there are none."""
    more = 0 if most is None else sum(not row.reference for row in rows) - most
    return [f"{many(more, 'more row')} with smaller differences: --all shows them"] if more > 0 else []


def _effect(row: AblationRow | SweepRow) -> float:
    return 0.0 if row.difference is None else row.difference.interval.estimate


def cannot_show(
    tasks: int,
    groups: float,
    kind: Kind,
    comparisons: int,
    level: float = LEVEL,
    noun: str = "system",
    available: int | None = None,
) -> list[str]:
    """Sentences on a design in which no outcome could be significant, and on what would do instead.

    Args:
        tasks: their number. groups, kind: of independent clusters of them, as in `PairedSample`; below 2 where nothing
            is independent.
        comparisons: how many are corrected for together. noun: what is compared, in the singular.
        available: number of tasks that the suite has; None if not known.
    """
    needed = fewest(1 - (1 - level) / comparisons)
    these = many(tasks, "task")
    at_once = "" if comparisons == 1 else f" in {comparisons} comparisons at once"
    has = f" (the suite has {many(available, 'task')})" if available is not None and available > tasks else ""
    if groups < 2:
        sharing = " share their templates and so" if tasks > 1 else ""
        apart = " that share no template" if tasks > 1 else ""
        return [f"{these}{sharing} cannot show any difference{at_once}: it takes at least {needed}{apart}{has}."]
    sharing = "" if kind == "task" else f", which share templates and count as {groups:.3g} independent ones,"
    can = "can hardly show a" if kind == "overlap" else "cannot show any"
    p = min(1.0, comparisons * 2.0 ** (1 - math.floor(groups)))
    corrected = " after Holm’s correction" if comparisons > 1 else ""
    first = (
        f"{these}{sharing} {can} difference{at_once}: even if all of them changed alike, p would be {p:.2g}{corrected}."
    )
    cures = [f"Take at least {many(needed, 'task')} that share no template{has}"]
    most = math.floor((1 - level) * 2.0 ** (math.floor(groups) - 1) + 1e-9)
    cures += [f"or ask about at most {many(most, noun)}"] * (comparisons > 1 and most >= 1)
    return [first, f"{', '.join(cures)}; further instances of the same tasks would not help."]


def points(share: float) -> str:
    """A difference as a number of points, without its sign: "42.5 points", "1 point"."""
    number = f"{abs(100 * share):.1f}".removesuffix(".0")
    return f"{number} point{'' if number == '1' else 's'}"


def details(one: Difference, p: str) -> str:
    """In brackets: solved before and after, the interval, and the p-value as `p` has it ("" for none)."""
    interval, sample = one.interval, one.sample
    said = [] if sample is None else [_change(sample)]
    if interval.low is not None and interval.high is not None:
        ends = (f"{100 * end:+.1f}".removesuffix(".0") for end in (interval.low, interval.high))
        low, high = (end.replace("-", "−") for end in ends)
        said.append(f"{100 * interval.level:g} % interval {low} to {high}")
    return f"({'; '.join([*said, *([p] if p else [])])})"


def void_caveat(voids: int, episodes: int) -> tuple[str, ...]:
    """A sentence on void episodes; none if there are none."""
    if not voids:
        return ()
    return (
        f"{voids} of {many(episodes, 'episode')} {'is' if voids == 1 else 'are'} void and "
        f"{'counts' if voids == 1 else 'count'} as not solved: with --rerun-void they are tried again, and the "
        "conclusion may change.",
    )


def _significant(found: Sequence[Compared], level: float, sign: int) -> list[Compared]:
    """Those whose corrected p says that they differ in this direction, the largest difference first."""
    claimed = [
        one
        for one in found
        if one.difference is not None
        and one.adjusted is not None
        and one.adjusted <= 1 - level + 1e-12
        and one.difference.interval.estimate * sign > 0
    ]
    return sorted(claimed, key=lambda one: -sign * one.difference.interval.estimate if one.difference else 0.0)


def _claim(some: Sequence[Compared], reference: str, words: str, tested: int) -> str:
    """ "noop solves 50 points fewer tasks than rules (…)", or the same of several."""
    several = len(some) > 1
    first = some[0]
    assert first.difference is not None
    how = f"{points(first.difference.interval.estimate)} {words} tasks"
    if not several:
        more = details(first.difference, _p_words(first, tested))
        if first.how:
            return f"{_capital(first.how)}, {reference} solves {how} {more}"
        return f"{first.name} solves {how} than {reference} {more}"
    each = [f"{one.how or one.name} {_signed(one, tested)}" for one in some[:NAMED]]
    others = [one.how or one.name for one in some[NAMED:]]
    named = _listed([*each, *others])
    if first.how:
        return f"{reference} solves {words} tasks {named}"
    return f"{named} solve {words} tasks than {reference}"


def _signed(one: Compared, tested: int) -> str:
    """In brackets: the difference in points, and what `details` says."""
    assert one.difference is not None
    sign = "+" if one.difference.interval.estimate > 0 else "−"
    return f"({sign}{points(one.difference.interval.estimate)}; {details(one.difference, _p_words(one, tested))[1:]}"


def _untold(
    rest: Sequence[Compared],
    samples: Sequence[PairedSample],
    after: bool,
    level: float,
    power: float,
    noun: str,
) -> str:
    """That nothing can be told of these, and how large a difference would have to be."""
    if len(rest) == 1:
        of = f"nothing can be told of {rest[0].how or rest[0].name}" if after else "No difference can be told"
    else:
        of = (
            f"for the other {len(rest)} {noun}s nothing can be told"
            if after
            else f"No difference can be told for any of {len(rest)} {noun}s"
        )
    if not samples:
        return of
    seen = [one.detectable(level, power) for one in samples]
    ends = sorted({round(100 * one) for one in seen if one is not None})
    those = _tasks(max(samples, key=lambda one: one.tasks)).lower()
    if not ends or len([one for one in seen if one is None]) == len(seen):
        return f"{of}: no difference could be seen with {those}"
    smallest = f"{ends[0]}" if len(ends) == 1 else f"{ends[0]} to {ends[-1]}"
    return f"{of}: differences smaller than {smallest} points cannot be seen with {those}"


def _largest(told: Sequence[Compared]) -> list[str]:
    """A sentence on the largest difference that was seen, for the reader to know what could not be told."""
    one = max(told, key=lambda each: abs(each.difference.interval.estimate) if each.difference else 0.0)
    assert one.difference is not None
    if not one.difference.interval.estimate or one.difference.sample is None:
        return []
    p = "" if one.difference.p is None else f", p = {one.difference.p:.2g}"
    uncorrected = " without correction" if p and len(told) > 1 else ""
    what = f"{one.how or one.name}, {_change(one.difference.sample)}{p}{uncorrected}"
    return [f"The largest difference seen: {what}."]


def _more_tasks(samples: Sequence[PairedSample], level: float, power: float, available: int | None) -> list[str]:
    """How many tasks would show `WANTED`, unless these do."""
    worst = max(samples, key=lambda one: one.detectable(level, power) or math.inf)
    least = worst.detectable(level, power)
    needed = worst.tasks_needed(WANTED, level, power)
    if needed is None or needed <= worst.tasks or (least is not None and least <= WANTED):
        return []
    has = ""
    if available is not None and available > worst.tasks:
        has = f"; the suite has {available}"
    elif available is not None:
        has = "; the suite has no more, so use other suites or splits too, or more instances"
    return [f"To see one of {100 * WANTED:.0f} points takes about {needed} tasks like these{has}."]


def _tasks(sample: PairedSample) -> str:
    more = "" if sample.pairs == sample.tasks else f" ({many(sample.pairs, 'instance')})"
    return f"{many(sample.tasks, 'task')}{more}"


def _change(sample: PairedSample) -> str:
    """Episodes solved, as "32/40 → 0/40"; rates where pairs have unequal numbers of trials."""
    shown = []
    for mean, (solved, tried) in zip(sample.means, sample.counts, strict=True):
        whole = abs(solved / tried - mean) < 1e-9 and abs(solved - round(solved)) < 1e-9
        shown.append(f"{round(solved)}/{tried}" if whole else f"{100 * mean:.1f} %")
    return " → ".join(shown)


def _episodes(one: Difference) -> int:
    return 0 if one.sample is None else sum(tried for _, tried in one.sample.counts)


def _p_words(one: Compared, tested: int) -> str:
    """The p-value, and that it is corrected where more than one was tested."""
    if one.adjusted is None:
        return ""
    value = "< 0.0001" if one.adjusted < 0.0001 else f"= {one.adjusted:.2g}"
    return f"{'Holm ' if tested > 1 else ''}p {value}"


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _listed(words: Sequence[str]) -> str:
    """ "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
