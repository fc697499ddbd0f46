"""Figures and the table of MMBench-GUI level 1: the metric's scores, with intervals over screens."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.scoring.score import Figure, Item
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.ratio import mean_of, ratio_of
from omnipilot.bench.suites.mmbench_gui.level1 import metrics as metric
from omnipilot.bench.suites.mmbench_gui.level1.data import LEVELS, PLATFORMS
from omnipilot.bench.suites.mmbench_gui.level1.metrics import Answered, option_of
from omnipilot.bench.tables import Table

POOLED = "all levels"
UNREAD = "unparsed"
WORDS = {
    "os_windows": "windows",
    "os_mac": "macos",
    "os_linux": "linux",
    "os_ios": "ios",
    "os_android": "android",
    "os_web": "web",
}
"""Platforms in the names of figures, as the paper writes them."""
RESAMPLES = 2_000
"""Of ratios, of which a table has many."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a variant; see `mmbench_understanding.report`. words: explanation for the reader.

    Attributes:
        formula: "paper" or "fixed"; the "release" differs from the latter in that an empty cell makes a level NaN.
    """

    scoring: metric.Scoring
    formula: metric.Variant
    parser: metric.Parser
    words: str


@dataclass(frozen=True, slots=True)
class QuestionUnit:
    """A question, the reply to it, the screen that it shares with others, and its own id."""

    answered: Answered
    screen: str
    key: str


def figures(units: Sequence[QuestionUnit], rules: Rules) -> tuple[Figure, ...]:
    """The score of each level, of all levels together if there are several, and the share of unreadable replies."""
    found = _report(units, rules)
    made = [
        _figure(level, [unit for unit in units if unit.answered.difficulty == level], rules, found.levels[level].score)
        for level in LEVELS
        if level in found.levels
    ]
    if len(made) > 1:
        counts = [(found.levels[figure.name].score, figure.of) for figure in made]
        made.append(_figure(POOLED, units, rules, math.fsum(score * of for score, of in counts) / len(units)))
    return (*made, _unread(units, rules))


def platform_figures(units: Sequence[QuestionUnit], rules: Rules) -> tuple[Figure, ...]:
    """The score of each platform at each level, as "windows easy": the cells of the paper's table 1."""
    found = []
    for level in LEVELS:
        for platform in PLATFORMS:
            own = [u for u in units if (u.answered.platform, u.answered.difficulty) == (platform, level)]
            if own:
                score = next(iter(_report(own, rules).levels.values())).score
                found.append(_figure(f"{WORDS[platform]} {level}", own, rules, score))
    return tuple(found)


def by_platform(units: Sequence[QuestionUnit], rules: Rules) -> Table:
    """Score with interval, right answers out of questions, and unreadable replies, by platform and level."""
    levels = [level for level in LEVELS if any(unit.answered.difficulty == level for unit in units)]
    rows = []
    for platform in PLATFORMS:
        own = [unit for unit in units if unit.answered.platform == platform]
        if own:
            cells = ([unit for unit in own if unit.answered.difficulty == level] for level in levels)
            rows.append((platform, *(text for cell in cells for text in _cell(cell, rules))))
    columns = ("platform", *(name for level in levels for name in (f"{level} %", "right", UNREAD)))
    return Table(columns, tuple(rows), (f"right: of the questions; {UNREAD}: replies in which no option was found",))


def empty_cells(units: Sequence[QuestionUnit]) -> list[str]:
    """Platforms without questions at a level although they have some at another: `os_mac at medium`."""
    there = {(unit.answered.platform, unit.answered.difficulty) for unit in units}
    platforms, levels = {platform for platform, _ in there}, {level for _, level in there}
    return [
        f"{platform} at {level}"
        for platform in PLATFORMS
        if platform in platforms
        for level in LEVELS
        if level in levels and (platform, level) not in there
    ]


def by_chance(units: Sequence[QuestionUnit], rules: Rules) -> float:
    """The expected score of guessing among the options, as a fraction."""
    parts, wholes = _weights(units, rules)
    return math.fsum(part / unit.answered.options for part, unit in zip(parts, units, strict=True)) / math.fsum(wholes)


def _report(units: Sequence[QuestionUnit], rules: Rules) -> metric.QuestionReport:
    return metric.report([unit.answered for unit in units], rules.scoring, rules.formula, rules.parser)


def _figure(name: str, units: Sequence[QuestionUnit], rules: Rules, score: float) -> Figure:
    void = sum(unit.answered.void for unit in units)
    valid = [unit for unit in units if not unit.answered.void]
    interval = _interval(units, rules)
    if interval is not None:
        # The same number; the metric's is the one that counts, to the last bit.
        assert math.isclose(interval.estimate, score, abs_tol=1e-9)
        interval = replace(interval, estimate=score)
    return Figure(
        name,
        interval,
        len(units),
        "questions",
        void,
        _interval(valid, rules) if void and valid else None,
        items=tuple(_items(units, rules)),
        noun="screens",
    )


def _items(units: Sequence[QuestionUnit], rules: Rules) -> Iterator[Item]:
    """What each question adds to the score, which is the sum of parts over that of wholes."""
    for unit, part, whole in zip(units, *_weights(units, rules), strict=True):
        yield Item(unit.key, unit.screen, part * unit.answered.hit(rules.parser), whole)


def _interval(units: Sequence[QuestionUnit], rules: Rules) -> Interval | None:
    hits = [float(unit.answered.hit(rules.parser)) for unit in units]
    screens = [unit.screen for unit in units]
    parts, wholes = _weights(units, rules)
    reached = [hit * part for hit, part in zip(hits, parts, strict=True)]
    if rules.scoring == "normal" or rules.formula == "paper":
        return mean_of(reached, screens, "screens")
    return ratio_of(reached, wholes, screens, "screens", resamples=RESAMPLES)


def _weights(units: Sequence[QuestionUnit], rules: Rules) -> tuple[list[float], list[float]]:
    """The weight of a right answer to each question, and each question's contribution to the denominator.

    Dividing a platform's weights by their mean makes the platforms count by questions, as the level's score does.
    """
    if rules.scoring == "normal":
        return [1.0] * len(units), [1.0] * len(units)
    weights = [unit.answered.weight for unit in units]
    if rules.formula == "paper":
        return weights, [1.0] * len(units)
    cells: Mapping[tuple[str, str], list[float]] = defaultdict(list)
    for unit in units:
        cells[unit.answered.difficulty, unit.answered.platform].append(unit.answered.weight)
    mean = {cell: math.fsum(found) / len(found) for cell, found in cells.items()}
    scaled = [unit.answered.weight / mean[unit.answered.difficulty, unit.answered.platform] for unit in units]
    return scaled, scaled


def _unread(units: Sequence[QuestionUnit], rules: Rules) -> Figure:
    asked = [unit for unit in units if not unit.answered.void]
    values = [float(option_of(unit.answered.reply, rules.parser) is None) for unit in asked]
    interval = mean_of(values, [unit.screen for unit in asked], "screens") if asked else None
    items = tuple(Item(unit.key, unit.screen, value) for unit, value in zip(asked, values, strict=True))
    return Figure(UNREAD, interval, len(asked), "replies", items=items, better="lower", noun="screens")


def _cell(units: Sequence[QuestionUnit], rules: Rules) -> tuple[str, str, str]:
    if not units:
        return "—", "", ""
    cell = next(iter(_report(units, rules).levels.values()))
    (counts,) = cell.cells.values()
    interval = _interval(units, rules)
    score = "—" if interval is None else interval.text()
    return score, f"{counts.hits}/{counts.questions}", str(counts.unparsed or "·")
