"""Levels of dependence on sound and film, derived from the two-pass question by rule (OmniGUI, §3.2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from omnipilot.bench.annotation.answers import (
    MEDIA_CHANNELS,
    AnnotatorAnswer,
    EpisodeAnswer,
    StepAnswer,
    StepCorrection,
)
from omnipilot.bench.annotation.recordings import CapturedEpisode, CapturedStep, with_correction
from omnipilot.bench.stats.agreement import cohen_kappa

CRITICAL, SUPPORTIVE, PRESENT = "AV-critical", "AV-supportive", "AV-present"
LEVELS = (CRITICAL, SUPPORTIVE, PRESENT)
"""From the one that needs sound and film most."""
PAPER_SHARES: Mapping[str, float] = {CRITICAL: 0.298, SUPPORTIVE: 0.324, PRESENT: 0.378}
"""Of OmniGUI's 709 episodes, as printed (§3.2)."""


def step_level(first: StepAnswer, second: StepAnswer) -> str:
    """The level of a step by the two passes of one rater.

    Critical: undecided before, and decided by sound or motion after. That another action is named after than before
    means that it had not been decided. Supportive: sound or motion raise the certainty in another way, or are named
    beside the screen. Else present.
    """
    if not MEDIA_CHANNELS & set(second.by):
        return PRESENT
    changed = bool(first.which) and bool(second.which) and _plain(first.which) != _plain(second.which)
    if second.decided == "yes" and (first.decided == "no" or changed):
        return CRITICAL
    return SUPPORTIVE


def episode_level(steps: Iterable[str]) -> str:
    """Critical if any step is, else supportive if any is, else present."""
    found = set(steps)
    return next((level for level in LEVELS if level in found), PRESENT)


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())


@dataclass(frozen=True, slots=True)
class RaterLevels:
    """What one rater's answers come to.

    Attributes:
        steps: levels by episode, in order, of the episodes that the rater finished. first: by episode whose first pass
            is complete, whether some step was undecided ("no") in it.
    """

    steps: Mapping[str, tuple[str, ...]]
    first: Mapping[str, bool]

    def level(self, episode: str) -> str:
        """Of an episode that the rater finished."""
        return episode_level(self.steps[episode])


def rater_levels(episodes: Sequence[CapturedEpisode], answers: Iterable[AnnotatorAnswer]) -> dict[str, RaterLevels]:
    """The levels by rater, in the order in which they began; of several answers to one question the last counts."""
    given: dict[str, dict[tuple[str, int, bool], StepAnswer]] = defaultdict(dict)
    for one in answers:
        if isinstance(one, StepAnswer):
            given[one.rater][one.episode, one.step, one.media] = one
    found = {}
    for rater, said in given.items():
        steps: dict[str, tuple[str, ...]] = {}
        first: dict[str, bool] = {}
        for episode in episodes:
            passes = [
                [said.get((episode.id, number, media)) for number in range(len(episode.steps))]
                for media in (False, True)
            ]
            before = [one for one in passes[0] if one is not None]
            after = [one for one in passes[1] if one is not None]
            if len(before) == len(episode.steps):
                first[episode.id] = any(one.decided == "no" for one in before)
                if len(after) == len(before):
                    steps[episode.id] = tuple(map(step_level, before, after))
        found[rater] = RaterLevels(steps, first)
    return found


def second_rater_sample(episodes: Sequence[CapturedEpisode], count: int, seed: int) -> list[CapturedEpisode]:
    """So many episodes, drawn by the seed, in their order: those that a second rater labels, too."""
    if count >= len(episodes):
        return list(episodes)
    chosen = set(Random(seed).sample(range(len(episodes)), count))
    return [one for number, one in enumerate(episodes) if number in chosen]


def disputed_episodes(
    episodes: Sequence[CapturedEpisode], levels: Mapping[str, RaterLevels], besides: str = ""
) -> list[CapturedEpisode]:
    """The episodes whose level the raters, other than `besides`, do not agree on: a third decides."""
    return [
        one
        for one in episodes
        if len({said.level(one.id) for rater, said in levels.items() if rater != besides and one.id in said.steps}) > 1
    ]


def agreed_levels(episodes: Sequence[CapturedEpisode], levels: Mapping[str, RaterLevels]) -> dict[str, str]:
    """The level of each labelled episode: that of most raters. Without a majority it is that of the last of them, who
    was asked to decide; while two differ and no third has decided, that of the first."""
    found = {}
    for one in episodes:
        said = [rater.level(one.id) for rater in levels.values() if one.id in rater.steps]
        if said:
            (level, votes), *others = Counter(said).most_common()
            tied = bool(others) and others[0][1] == votes
            found[one.id] = said[-1] if tied and len(said) > 2 else level
    return found


def level_kappa(levels: Mapping[str, RaterLevels]) -> tuple[float, int] | None:
    """Cohen's κ between the first two raters over the episodes that both finished, and their number; None where there
    are none. The κ is NaN where both gave every episode one level."""
    raters = [one for one in levels.values() if one.steps][:2]
    if len(raters) < 2 or not (common := [id for id in raters[0].steps if id in raters[1].steps]):
        return None
    return cohen_kappa([(raters[0].level(id), raters[1].level(id)) for id in common]), len(common)


def corrected_steps(episode: CapturedEpisode, answers: Iterable[AnnotatorAnswer]) -> list[CapturedStep]:
    """The episode's steps, each with its last correction."""
    last = {one.step: one for one in answers if isinstance(one, StepCorrection) and one.episode == episode.id}
    return [
        with_correction(step, last[number].primitive, last[number].box, last[number].text) if number in last else step
        for number, step in enumerate(episode.steps)
    ]


def said_dimension(episode: str, answers: Iterable[AnnotatorAnswer]) -> str:
    """The dimension that an episode was said to have last; "" for none."""
    said = [one.dimension for one in answers if isinstance(one, EpisodeAnswer) and one.episode == episode]
    return said[-1] if said else ""
