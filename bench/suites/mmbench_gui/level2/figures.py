"""The figures of MMBench-GUI level 2: basic, advanced, their average, and the counts of every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, get_args

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import middle
from omnipilot.bench.pointing.score import NO_POINT, Hit, mean_of_cells, percent_of, share, shares_by_part
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.score import Figure, Scored
from omnipilot.bench.suites.mmbench_gui.level2.metrics import CellReport, Count, Grounded, Kind, Variant, judge, report
from omnipilot.bench.tables import Table
from omnipilot.envs.base import Platform

if TYPE_CHECKING:
    from omnipilot.bench.suites.mmbench_gui.level2.suite import L2Item

DEVICES: Mapping[str, Platform] = {
    **dict.fromkeys(("os_windows", "os_mac", "os_linux"), "desktop"),
    **dict.fromkeys(("os_ios", "os_android"), "phone"),
    "os_web": "browser",
}
"""Platforms in the order of the paper's tables, and what they are here."""
RULES: Mapping[Variant, str] = {
    "release": "average: the plain mean of basic and advanced",
    "paper": "average: over all instructions, each of equal weight",
    "fixed": "average: the plain mean of basic and advanced; -1 in a box is taken for 0 before it is asked whether the "
    "box is in pixels",
}
MODES = ("basic", "advanced")
WORDS = {
    "os_windows": "windows",
    "os_mac": "macos",
    "os_linux": "linux",
    "os_ios": "ios",
    "os_android": "android",
    "os_web": "web",
}
"""Platforms in the names of figures, as the paper writes them."""


def figures(spots: Sequence[L2Item], given: Mapping[str, Given], variant: str, bad: tuple[Bad, ...]) -> Scored:
    """The average first, then basic and advanced; the cells in a table in the paper's order."""
    rule: Variant = next(known for known in get_args(Variant) if known == (variant or "release"))
    tasks = [task_of(spot, given.get(spot.target.id)) for spot in spots]
    hits = [
        Hit((task.mode,), spot.screen.name, judge(task, rule) == "correct", task.void, spot.target.id)
        for spot, task in zip(spots, tasks, strict=True)
    ]
    modes = {mode: [hit for hit in hits if hit.cell == (mode,)] for mode in MODES}
    if rule == "paper":
        average = share("average", hits)
    elif all(modes.values()):
        average = mean_of_cells("average", hits)
    else:
        average = Figure("average", None, len(hits), "items")
    # As the columns of the paper's table 2: windows basic, windows advanced, macos basic, …
    among = [
        (f"{WORDS.get(task.platform, task.platform)} {mode}", hit)
        for platform in DEVICES
        for mode in MODES
        for task, hit in zip(tasks, hits, strict=True)
        if (task.platform, task.mode) == (platform, mode)
    ]
    return Scored(
        "mmbench-l2",
        rule,
        (average, *(share(mode, among) for mode, among in modes.items())),
        (table(report(tasks, rule)),),
        bad,
        tuple(spot.target.id for spot in spots if spot.target.id not in given),
        notes=(RULES[rule],),
        parts=shares_by_part([name for name, _ in among], [hit for _, hit in among]),
    )


def task_of(spot: L2Item, given: Given | None) -> Grounded:
    """A target in the form the metric expects; void without a prediction."""
    reply = "" if given is None else given.reply or ""
    if given is not None and given.numbers is not None:
        x, y = middle(given.numbers)
        # Digits enough for the parser to find the same number again.
        reply = f"({x:.25f}, {y:.25f})"
    return Grounded(
        spot.target.id, spot.platform, spot.mode, spot.kind, spot.box, *spot.size, reply, void=given is None
    )


def table(found: CellReport) -> Table:
    """One row per platform: icon, text and both for each mode, with counts."""
    rows = []
    for platform in (*(name for name in DEVICES if any(key[1] == name for key in found.cells)), "all"):
        cells: list[str] = []
        unread = 0
        for mode in MODES:
            mine: dict[Kind, list[Count]] = {"icon": [], "text": []}
            for (level, name, kind), count in found.cells.items():
                if level == mode and platform in ("all", name):
                    mine[kind].append(count)
                    unread += count.wrong_format
            cells += [_share(mine["icon"]), _share(mine["text"]), _share([*mine["icon"], *mine["text"]])]
        rows.append((platform, *cells, str(unread)))
    columns = ("hit %", *(f"{mode} {kind}".strip() for mode in MODES for kind in ("icon", "text", "")), "no point")
    return Table(columns, tuple(rows), (NO_POINT,))


def _share(counts: Sequence[Count]) -> str:
    return percent_of(sum(count.correct for count in counts), sum(count.total for count in counts))
