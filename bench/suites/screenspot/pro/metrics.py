"""ScreenSpot-Pro: the released evaluator's five groupings, and the table usually printed.

Its boxes are left, top, right, bottom in pixels, compared with the point in shares of the screenshot's sides: in pixels
a point on an edge may fall on the other side of it. An item without a target (`negative`) is right when the model says
that there is none. Accuracies count unreadable replies as wrong, and are 0 where there is no item, as released.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.screenspot.metrics import Share, inside, shares

Grade: TypeAlias = Literal["correct", "wrong", "wrong_format"]
GROUPS = ("Dev", "Creative", "CAD", "Scientific", "Office", "OS")
GROUPINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "fine_grained": (
        ("plat", "platform"),
        ("app", "application"),
        ("inst_style", "instruction_style"),
        ("gt_type", "gt_type"),
    ),
    "seeclick_style": (("plat", "platform"), ("inst_style", "instruction_style"), ("gt_type", "gt_type")),
    "leaderboard_simple_style": (("group", "group"),),
    "leaderboard_detailed_style": (("app", "application"),),
}
"""The released report's groupings: for each the words of its keys, and the item's attributes."""


@dataclass(frozen=True, slots=True)
class JudgedProSpot:
    """A target, or its absence, and the prediction.

    Attributes:
        box: left, top, right, bottom in pixels of a screenshot of `size`; None for a negative item.
        point: in 0..1 of the sides; None if the reply was unreadable.
        result: for a negative item, whether the model claims a target ("positive") or not; None if unreadable.
        void: no reply came because something other than the model failed; it counts as wrong.
    """

    platform: str
    application: str
    group: str
    ui_type: str
    box: tuple[float, float, float, float] | None
    size: tuple[int, int]
    point: Share | None = None
    result: Literal["positive", "negative"] | None = None
    instruction_style: str = "instruction"
    gt_type: Literal["positive", "negative"] = "positive"
    void: bool = False


@dataclass(frozen=True, slots=True)
class GroupCell:
    """Counts and accuracies in 0..1, under the released report's names; 0 without items."""

    num_correct_action: int
    num_total: int
    wrong_format_num: int
    action_acc: float
    text_acc: float
    icon_acc: float


@dataclass(frozen=True, slots=True)
class GroupReport:
    """`groupings`: from the grouping's name to its cells by key ("plat:linux app:gimp …"), in the keys' order."""

    groupings: dict[str, dict[str, GroupCell]]
    overall: GroupCell
    void: int = 0
    variant: Literal["release"] = "release"

    def table(self) -> dict[str, tuple[float, float, float]]:
        """Text, icon and average accuracy of each group and of all items ("overall"), as papers print them.

        Overall is over the items, not over the groups.
        """
        cells = self.groupings["leaderboard_simple_style"]
        known = [f"group:{group}" for group in GROUPS if f"group:{group}" in cells]
        rows = {key.removeprefix("group:"): cells[key] for key in [*known, *(key for key in cells if key not in known)]}
        return {name: (c.text_acc, c.icon_acc, c.action_acc) for name, c in {**rows, "overall": self.overall}.items()}


def verdict(item: JudgedProSpot) -> Grade:
    """One item's verdict; a void item is wrong.

    Raises:
        ValueError: a positive item has no box.
    """
    if item.void:
        return "wrong"
    if item.gt_type == "negative":
        return "wrong_format" if item.result is None else "correct" if item.result == "negative" else "wrong"
    if item.box is None:
        raise ValueError(
            f"a positive item of {item.application} has no box; if its target is absent, set gt_type='negative'"
        )
    if item.point is None:
        return "wrong_format"
    return "correct" if inside(item.point, shares(item.box, item.size)) else "wrong"


def score(items: Iterable[JudgedProSpot]) -> GroupReport:
    """All groupings of the released report."""
    judged = [(item, verdict(item)) for item in items]
    groupings: dict[str, dict[str, GroupCell]] = {}
    for name, words in GROUPINGS.items():
        parts: dict[str, list[tuple[JudgedProSpot, Grade]]] = {}
        for pair in judged:
            key = " ".join(f"{word}:{getattr(pair[0], attribute)}" for word, attribute in words)
            parts.setdefault(key, []).append(pair)
        groupings[name] = {key: _cell(parts[key]) for key in sorted(parts)}
    return GroupReport(groupings, _cell(judged), sum(item.void for item, _ in judged))


def _cell(judged: Sequence[tuple[JudgedProSpot, Grade]]) -> GroupCell:
    kinds = [[one for item, one in judged if item.ui_type == kind] for kind in ("text", "icon")]
    every = [one for _, one in judged]
    return GroupCell(
        every.count("correct"),
        len(every),
        every.count("wrong_format"),
        *(one.count("correct") / len(one) if one else 0.0 for one in (every, *kinds)),
    )
