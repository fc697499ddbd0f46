"""The properties of a `duet` task that are known before a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from omnipilot.bench.suites.duet.recipe import Recipe
from omnipilot.bench.synthesis.template import Channel, Dimension, Level, Template
from omnipilot.bench.tasks.complexity import Complexity, complexity_of
from omnipilot.bench.tasks.graph import JudgeGraph

CATEGORIES: Mapping[str, str] = {
    **dict.fromkeys(("messages", "mail", "contacts", "phone"), "communication"),
    **dict.fromkeys(("music", "gallery", "player"), "multimedia"),
    **dict.fromkeys(("editor", "sheets"), "office"),
    **dict.fromkeys(("clock", "signals"), "utility"),
    **dict.fromkeys(("files", "settings", "prefs"), "system"),
    **dict.fromkeys(("calendar", "tasks"), "planning"),
    "notes": "notes",
    "browser": "web",
    "terminal": "programming",
}
"""The category of each application, after OmniBench's twelve (appendix A.4)."""


@dataclass(frozen=True, slots=True)
class About:
    """A task as data.

    Attributes:
        intent: why the user wants it. apps: by id, in order. envs: in order.
        complexity: OmniBench's five figures. capabilities: the ones that it tests.
        dimension, level: OmniGUI's. channels: what carries what is to be found out.
        templates: ids.
    """

    id: str
    intent: str
    apps: tuple[str, ...]
    envs: tuple[str, ...]
    complexity: Complexity
    capabilities: tuple[str, ...]
    dimension: Dimension
    level: Level
    channels: tuple[Channel, ...]
    templates: tuple[str, ...]

    @property
    def devices(self) -> str:
        """ "phone", "desktop" or "both"."""
        return self.envs[0] if len(self.envs) == 1 else "both"

    def tags(self) -> dict[str, str]:
        """The tags by which tasks are grouped and selected."""
        return {
            "devices": self.devices,
            "app": "+".join(self.apps),
            "level": self.level,
            "dimension": self.dimension,
            **{name: grade.value for name, grade in self.complexity.grades().items()},
            "capability": "+".join(self.capabilities),
            "nodes": str(self.complexity.instruction),
            "template": "+".join(self.templates),
            "hangs_on": "+".join(self.channels),
        }


def about(recipe: Recipe, templates: tuple[Template, ...], graph: JudgeGraph) -> About:
    """The properties of a composed recipe; the graph has the same shape in every instance."""
    apps = tuple(dict.fromkeys(template.app for template in templates))
    complexity = complexity_of(graph, {CATEGORIES[app] for app in apps})
    channels = {template.hangs_on for template in templates}
    return About(
        recipe.id,
        recipe.intent,
        apps,
        tuple(dict.fromkeys(template.env for template in templates)),
        complexity,
        complexity.capabilities(),
        recipe.dimension or _rarest(templates),
        min((t.level for t in templates), key=get_args(Level).index),
        tuple(c for c in get_args(Channel) if c in channels and (c != "screen" or channels == {"screen"})),
        tuple(dict.fromkeys(template.id for template in templates)),
    )


def _rarest(templates: tuple[Template, ...]) -> Dimension:
    order: tuple[Dimension, ...] = get_args(Dimension)
    return min((template.dimension for template in templates), key=order.index)
