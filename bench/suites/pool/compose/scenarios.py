"""Scenarios of graphs, and whether they need the network, by a table in a file (OmniBench A.5)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from omnipilot.bench.suites.pool.compose.subtask_types import SubtaskType
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.envs import ConfigError

SHIPPED = Path(__file__).parent / "presets" / "scenarios.toml"


@dataclass(frozen=True, slots=True)
class Scenarios:
    """The table.

    Attributes:
        base: category → scenario of graphs that stay in it; a category without one has its own name.
        combined: set of categories → scenario. others: of all other graphs. combinations: how many combinations have a
            name at most. network: applications that need what other people or servers send.
    """

    base: Mapping[str, str]
    combined: Mapping[frozenset[str], str] = field(default_factory=dict)
    others: str = "across many applications"
    combinations: int = 7
    network: frozenset[str] = frozenset()

    def scenario_of(self, categories: Iterable[str]) -> str:
        """The scenario of a graph that needs applications of these categories."""
        chosen = frozenset(categories)
        if len(chosen) == 1:
            (only,) = chosen
            return self.base.get(only, only)
        return self.combined.get(chosen, self.others)


def read_scenarios(path: Path = SHIPPED) -> Scenarios:
    """The table of a file; see `presets/scenarios.toml` for its form.

    Raises:
        ConfigError: it cannot be read, or holds something else.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a table of scenarios: {error}") from None
    base, combined = table.get("base", {}), table.get("combined", {})
    named = [*base.values(), *combined.values()] if isinstance(base, dict) and isinstance(combined, dict) else [None]
    apps, most, others = table.get("network", []), table.get("combinations", 7), table.get("others", "others")
    if not (
        all(isinstance(name, str) for name in (*named, others))
        and isinstance(apps, list)
        and all(isinstance(app, str) for app in apps)
        and isinstance(most, int)
        and all("+" in categories for categories in combined)
    ):
        raise ConfigError(
            f"{path} is no table of scenarios: it has others, combinations, network = [applications], [base] with "
            'category = "scenario", and [combined] with "category+category" = "scenario"'
        )
    return Scenarios(
        base,
        {frozenset(categories.split("+")): name for categories, name in combined.items()},
        others,
        most,
        frozenset(apps),
    )


def with_scenarios(
    graphs: Iterable[GraphRecord], subtasks: Mapping[str, SubtaskType], table: Scenarios
) -> list[GraphRecord]:
    """The graphs with their scenarios and whether they need the network.

    Combinations that the table leaves open are the most frequent pairs of categories of graphs with exactly two.
    """
    graphs = list(graphs)
    categories = [frozenset(subtasks[id].category for id in graph.subtasks) for graph in graphs]
    pairs = Counter(chosen for chosen in categories if len(chosen) == 2 and chosen not in table.combined)
    open_ones = max(0, table.combinations - len(table.combined))
    frequent = sorted(pairs, key=lambda pair: (-pairs[pair], sorted(pair)))[:open_ones]
    named = {pair: " with ".join(table.base.get(one, one) for one in sorted(pair)) for pair in frequent}
    table = replace(table, combined={**table.combined, **named})
    return [
        replace(
            graph,
            scenario=table.scenario_of(chosen),
            network=any(subtasks[id].app.casefold() in table.network for id in graph.subtasks),
        )
        for graph, chosen in zip(graphs, categories, strict=True)
    ]
