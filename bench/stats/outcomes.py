"""The figures of a run's episodes, as outcomes that statistics are computed from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.stats.summary import EpisodeOutcome
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
"""CRAB's figures of one episode (§4.3): success, completion, completion per action and per token."""


def outcomes(episodes: Sequence[Episode], figure: str = "SR") -> list[EpisodeOutcome]:
    """One outcome for each episode that was judged, 0 for void ones. Templates come from the tag `template` of a task.

    Args:
        figure: a name in `FIGURES`.
    """
    of = FIGURES[figure]
    return [
        EpisodeOutcome(
            episode.task,
            episode.instance,
            episode.trial,
            0.0 if episode.void else of(episode),
            episode.void,
            values_of(episode.tags, "template"),
            math.inf if figure == "CE" else 1.0,
        )
        for episode in judged_episodes(episodes)
    ]


def says_anything(episodes: Sequence[Episode], figure: str) -> bool:
    """Whether the figure is meaningful: EE needs an action in some episode, CE a token."""
    if figure == "EE":
        return any(episode.actions for episode in episodes)
    return figure != "CE" or any(episode.tokens for episode in episodes)
