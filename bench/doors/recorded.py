"""The episodes of a recorded run, one after the other, for writers of other formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.journal import (
    MEDIA,
    EpisodeEnded,
    EpisodeStarted,
    Run,
    RunStarted,
    StepTaken,
    TurnTaken,
    load_run,
    read,
)
from omnipilot.memory import MediaRef


@dataclass(frozen=True, slots=True)
class FinishedEpisode:
    """A finished episode that counts.

    Attributes:
        identity, version: of the run, and of the omnipilot that played it.
        turns: in order. steps: what was done in each turn, by its number.
    """

    run: Run
    identity: str
    version: str
    started: EpisodeStarted
    turns: Sequence[TurnTaken]
    steps: Mapping[int, Sequence[StepTaken]]
    ended: EpisodeEnded

    @property
    def success(self) -> bool | None:
        """Whether every sub-goal was reached; None where nobody judged it."""
        return None if self.ended.reason == "unjudged" else self.ended.reason == "success"


def played_episodes(folder: Path) -> Iterator[FinishedEpisode]:
    """The finished episodes of a run directory, in the order of their ends; of several attempts the one that counts.

    Raises:
        ConfigError: there is no run. JournalError: its journal is damaged.
    """
    run = load_run(folder)
    kept = {(episode.key, episode.attempt) for episode in run.episodes}
    identity, version = "", ""
    started: dict[tuple[str, int], EpisodeStarted] = {}
    turns: dict[tuple[str, int], list[TurnTaken]] = {}
    steps: dict[tuple[str, int], dict[int, list[StepTaken]]] = {}
    for event in read(folder):
        if isinstance(event, RunStarted):
            identity, version = event.identity, str(event.provenance.get("omnipilot", ""))
            continue
        if not isinstance(event, EpisodeStarted | TurnTaken | StepTaken | EpisodeEnded):
            continue
        found = (event.key, event.attempt)
        if found not in kept:
            continue
        if isinstance(event, EpisodeStarted):
            started[found], turns[found], steps[found] = event, [], {}
        elif isinstance(event, TurnTaken):
            turns[found].append(event)
        elif isinstance(event, StepTaken):
            steps[found].setdefault(event.turn, []).append(event)
        else:
            yield FinishedEpisode(run, identity, version, started.pop(found), turns.pop(found), steps.pop(found), event)


def screenshot_file(folder: Path, digest: str) -> Path:
    """The file of a screenshot of a run directory."""
    return folder / MEDIA / MediaRef(digest, "image").path
