"""A run's episodes as the outcomes of figures: what statistics are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.summary import Outcome
from omnipilot.bench.tasks.task import values_of

Figure = Callable[[Episode], float]


def _success(episode: Episode) -> float:
    return float(episode.success)


def _completion(episode: Episode) -> float:
    return episode.completed / episode.total if episode.total else 0.0


def _by_action(episode: Episode) -> float:
    return _completion(episode) / episode.actions if episode.actions else 0.0


def _by_token(episode: Episode) -> float:
    return _completion(episode) / episode.tokens if episode.tokens else 0.0


FIGURES: Mapping[str, Figure] = {"SR": _success, "CR": _completion, "EE": _by_action, "CE": _by_token}
"""CRAB's figures of one episode, as the paper defines them; all are means over episodes (`bench.metrics.crab`)."""


def outcomes(episodes: Sequence[Episode], figure: str = "SR") -> list[Outcome]:
    """The outcomes of episodes; void ones are 0. Templates come from the tag `template` of a task."""
    of = FIGURES[figure]
    return [
        Outcome(
            episode.task,
            episode.instance,
            episode.trial,
            0.0 if episode.void else of(episode),
            episode.void,
            values_of(episode.tags, "template"),
            math.inf if figure == "CE" else 1.0,
        )
        for episode in episodes
    ]


def says_anything(episodes: Sequence[Episode], figure: str) -> bool:
    """Whether the figure says anything: EE where an action was made, CE where a token was used."""
    if figure == "EE":
        return any(episode.actions for episode in episodes)
    return figure != "CE" or any(episode.tokens for episode in episodes)
