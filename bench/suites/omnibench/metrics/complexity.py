"""OmniBench's five complexities of a task graph (§3.1, table 2) and its scores by capability (table 12).

The paper does not define width: it is the largest level by default, or the largest antichain, and a report says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omnibench.metrics.antichain import graph_antichain
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.tasks.complexity import Complexity
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
