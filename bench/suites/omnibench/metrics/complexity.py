"""OmniBench's five complexities of a task graph (§3.1, table 2) and its scores by capability (table 12).

The paper does not define width: it is the largest level by default, or the largest antichain, and a report says which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omnibench.metrics.antichain import graph_antichain
from omnipilot.bench.suites.omnibench.metrics.execution import Execution, Variant, coverage, mean
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM, Complexity
from omnipilot.envs import ConfigError

Width: TypeAlias = Literal["level", "antichain"]
CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "Social Communication": ("Zoom Workplace", "Skype", "People", "Mail"),
    "Multimedia Playback": ("Media Player", "Spotify", "Photos", "TuneIn"),
    "Multimedia Editing": (
        "Adobe Photoshop Express",
        "Microsoft Clipchamp",
        "paint.net",
        "Openshot",
        "Handbrake",
        "Paint",
    ),
    "Office": ("Word", "PowerPoint", "Excel"),
    "Utility Tools": (
        "Calculator",
        "7-Zip",
        "PDF24",
        "Power Automate",
        "Wikipedia",
        "BreeZip",
        "Maps",
        "Calendar",
        "Zotero",
        "DeepL",
    ),
    "Programming": ("Visual Studio Code", "Cursor", "Windows PowerShell ISE"),
    "System Management": ("File Explorer", "Settings", "Control Panel", "Microsoft Store"),
    "Web Browsing": ("Google Chrome", "Microsoft Edge"),
    "Screen Capture": ("Record Screen", "Snipping Tool", "OBS Studio", "ShareX"),
    "Task Management": ("Microsoft To Do", "Todoist", "Notion"),
    "Note Management": ("Evernote", "OneNote", "Sticky Notes", "Sticky Notes (New)"),
    "Lifestyle": ("Recipe Keeper", "paisa"),
}
"""The 49 applications in 12 categories (table 11)."""
_CATEGORY_OF = {name.casefold(): category for category, names in CATEGORIES.items() for name in names}
ABBREVIATIONS: Mapping[str, str] = {
    "PP": "parallel planning",
    "LRP": "long-range planning",
    "CDDM": "cross-domain decision-making",
    "SDM": "sequential decision-making",
    "SI": "subtask identification",
    "DI": "dependency identification",
    "LSR": "long-sequence reasoning",
    "LIF": "long instruction following",
    "DSK": "domain-specific knowledge",
    "CDK": "cross-domain knowledge",
}
"""Columns of table 4; its head writes CDDK and SDK for CDDM and SDM."""


def category_of(subtask: Subtask) -> str:
    """The category of a subtask's application: the subtask's own if given, otherwise table 11's, ignoring case.

    Raises:
        ConfigError: table 11 does not have the application.
    """
    category = subtask.category or _CATEGORY_OF.get(subtask.application.casefold())
    if category is None:
        raise ConfigError(
            f"subtask {subtask.id}: {subtask.application!r} is not in OmniBench's table 11; give the subtask a category"
        )
    return category


def complexity_of(graph: TaskGraph, width: Width = "level") -> Complexity:
    """The five figures of a task (§3.1): edges, subtasks, depth, width, categories of applications.

    Raises:
        ConfigError: an application without a category.
    """
    depths = list(graph.depths().values())
    largest_level = max(depths.count(depth) for depth in depths)
    return Complexity(
        dependency=len(set(graph.edges)),
        instruction=len(graph.subtasks),
        hierarchy=max(depths),
        branch=largest_level if width == "level" else graph_antichain(graph),
        knowledge=len({category_of(subtask) for subtask in graph.subtasks}),
    )


@dataclass(frozen=True, slots=True)
class Bucket:
    """The tasks of one capability, or of one level of one complexity. coverage: their mean CR; None without tasks."""

    tasks: int
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Mean CR by capability (table 4) and by complexity and level (table 5). Buckets overlap.

    The paper's sets were filtered by hand after this selection and are not published.
    """

    variant: Variant
    width: Width
    capabilities: Mapping[str, Bucket]
    levels: Mapping[tuple[str, str], Bucket]


def breakdown(runs: Sequence[Execution], variant: Variant = "paper", width: Width = "level") -> Breakdown:
    """Scores by capability, and by complexity and level ("easy", "medium", "hard").

    Raises:
        ConfigError: an application without a category.
    """
    capabilities: dict[str, list[float]] = {name: [] for name in CAPABILITIES}
    levels: dict[tuple[str, str], list[float]] = {
        (name, level): [] for name in HARD_FROM for level in ("easy", "medium", "hard")
    }
    for run in runs:
        complexity, score = complexity_of(run.graph, width), coverage(run, variant)
        for name in complexity.capabilities():
            capabilities[name].append(score)
        for name, grade in complexity.grades().items():
            levels[name, grade.value].append(score)
    return Breakdown(
        variant,
        width,
        {name: Bucket(len(scores), mean(scores)) for name, scores in capabilities.items()},
        {key: Bucket(len(scores), mean(scores)) for key, scores in levels.items()},
    )
