"""A metric of a package's own: a figure of runs beside omnipilot's."""

from __future__ import annotations

from omnipilot.bench import Episode
from omnipilot.bench.scoring import metric


@metric(title="waiting", unit="actions", scale=100, better="lower")
def waiting(episode: Episode) -> tuple[float, float]:
    """Actions that only wait, of all that were carried out."""
    return episode.verbs.get("wait", 0), episode.actions
