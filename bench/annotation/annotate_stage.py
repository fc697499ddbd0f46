"""What `omnipilot annotate` does: a page, a model's first answers, a check, or what the labels come to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from omnipilot.bench.annotation.annotate_page import AnnotationPage
from omnipilot.bench.annotation.answers import AnswerFile
from omnipilot.bench.annotation.levels import (
    CRITICAL,
    LEVELS,
    PAPER_SHARES,
    RaterLevels,
    agreed_levels,
    disputed_episodes,
    level_kappa,
    rater_levels,
    second_rater_sample,
)
from omnipilot.bench.annotation.recordings import CapturedEpisode, RecordingFolder, read_recording
from omnipilot.bench.stage_model import StageModel
from omnipilot.bench.stats.intervals import wilson
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

FORMATS = ("table", "json")
FAULTY = 1
"""Exit status of a recording in which something is wrong."""


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    """The options of `annotate`.

    Raises:
        ConfigError: they do not fit together.
    """

    recording: Path
    rater: str = ""
    second: int = 0
    third: bool = False
    seed: int = 0
    check: bool = False
    format: str = "table"
    port: int = 0

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ConfigError(f"unknown format {self.format!r}; choose from {', '.join(FORMATS)}")
        if (self.second or self.third) and not self.rater:
            raise ConfigError("--second and --third say what a rater labels: name one with --rater NAME")
        if self.second and self.third:
            raise ConfigError("a rater is the second or the third: leave out --second or --third")


def annotate_command(options: AnnotateOptions, model: StageModel | None = None) -> None:
    """Do what the options of `annotate` say.

    Raises:
        ConfigError: there is no recording, or nothing to be labelled or told.
        typer.Exit: with `FAULTY`, of a check that found something.
    """
    recording = read_recording(options.recording)
    if options.check:
        _check(recording)
    elif model is not None:
        from omnipilot.bench.annotation.model_rater import rate_first_pass

        count = rate_first_pass(recording, model)
        typer.echo(f"{count} first answers; {model.describe_usage()}")
        _tell(recording, options.format)
    elif options.rater:
        episodes = _to_label(recording, options)
        with AnnotationPage(recording, episodes, options.rater, options.port) as page:
            typer.echo(f"{len(episodes)} episodes to label at {page.url} until Ctrl-C")
            try:
                page.wait()
            except KeyboardInterrupt:
                typer.echo(f"the answers are in {page.answers.path}")
    else:
        _tell(recording, options.format)


def _check(recording: RecordingFolder) -> None:
    from omnipilot.bench.annotation.checks import check_recording

    found = check_recording(recording)
    for problem in found.problems:
        typer.echo(problem)
    for note in found.notes:
        typer.echo(f"note: {note}")
    steps = sum(len(one.steps) for one in recording.episodes)
    typer.echo(f"{len(recording.episodes)} episodes, {steps} steps: {len(found.problems) or 'nothing'} wrong")
    if found.problems:
        raise typer.Exit(FAULTY)


def _to_label(recording: RecordingFolder, options: AnnotateOptions) -> list[CapturedEpisode]:
    if options.third:
        levels = rater_levels(recording.episodes, AnswerFile(recording.folder).read())
        if not (found := disputed_episodes(recording.episodes, levels, options.rater)):
            raise ConfigError("two raters agree on every episode that both labelled: there is nothing for a third")
        return found
    if options.second:
        return second_rater_sample(recording.episodes, options.second, options.seed)
    return list(recording.episodes)


def _tell(recording: RecordingFolder, form: str) -> None:
    levels = rater_levels(recording.episodes, AnswerFile(recording.folder).read())
    if not any(one.first for one in levels.values()):
        raise ConfigError(
            f"nobody has labelled an episode of {recording.folder} yet; --rater NAME opens the page, --model "
            "PROVIDER/NAME has a model give first answers, --check checks the recording"
        )
    agreed = agreed_levels(recording.episodes, levels)
    if form == "json":
        typer.echo(json.dumps(labels_json(recording.episodes, levels, agreed), ensure_ascii=False, indent=1))
        return
    if agreed:
        typer.echo(levels_table(agreed, recording.episodes).text())
        typer.echo()
    for line in _agreement_lines(recording.episodes, levels, agreed):
        typer.echo(line)


def labels_json(
    episodes: Sequence[CapturedEpisode], levels: Mapping[str, RaterLevels], agreed: Mapping[str, str]
) -> dict[str, Any]:
    """What the answers come to, as JSON values: `episodes` with their levels by rater, and the agreed one."""
    kappa = level_kappa(levels)
    return {
        "episodes": [
            {
                "episode": one.id,
                "level": agreed.get(one.id),
                "claimed": one.level,
                "proved": one.proved,
                "steps": {rater: said.steps[one.id] for rater, said in levels.items() if one.id in said.steps},
                "undecided": {rater: said.first[one.id] for rater, said in levels.items() if one.id in said.first},
            }
            for one in episodes
        ],
        "kappa": None if kappa is None or kappa[0] != kappa[0] else kappa[0],
        "common": 0 if kappa is None else kappa[1],
    }


def levels_table(agreed: Mapping[str, str], episodes: Sequence[CapturedEpisode]) -> Table:
    """Shares of episodes by level, with 95 % intervals and the paper's; and against each claimed level."""
    claimed = {one.id: one.level for one in episodes}
    counts = Counter(agreed.values())
    rows = []
    for level in LEVELS:
        low, high = wilson(counts[level], len(agreed))
        same = sum(claimed[id] == level for id, said in agreed.items() if said == level)
        share = f"{100 * counts[level] / len(agreed):.1f} % ({100 * low:.0f}–{100 * high:.0f})"
        rows.append((level, str(counts[level]), share, f"{100 * PAPER_SHARES[level]:.1f} %", str(same)))
    return Table(("level", "episodes", "share (95 %)", "OmniGUI", "as claimed"), tuple(rows))


def _agreement_lines(
    episodes: Sequence[CapturedEpisode], levels: Mapping[str, RaterLevels], agreed: Mapping[str, str]
) -> list[str]:
    lines = []
    for rater, said in levels.items():
        halves = len(said.first) - len(said.steps)
        more = f", {halves} in the first pass alone" if halves else ""
        lines.append(f"{rater}: {len(said.steps)} episodes labelled{more}")
    kappa = level_kappa(levels)
    if kappa is None:
        lines.append("agreement needs a second rater: --rater NAME --second 100")
    elif kappa[0] != kappa[0]:
        lines.append(f"the first two raters gave all {kappa[1]} common episodes one level, so κ is not defined")
    else:
        lines.append(f"Cohen's κ {kappa[0]:.2f} over {kappa[1]} episodes that the first two raters labelled")
    if disputed := disputed_episodes(episodes, levels):
        undecided = [one for one in disputed if sum(one.id in said.steps for said in levels.values()) < 3]
        lines.append(f"{len(disputed)} episodes were labelled differently, {len(undecided)} wait for a third rater")
    lines += proved_lines(episodes, levels, agreed)
    return lines


def proved_lines(
    episodes: Sequence[CapturedEpisode], levels: Mapping[str, RaterLevels], agreed: Mapping[str, str]
) -> list[str]:
    """How far labels agree with levels that are proved: those of both passes, and first passes alone, where "no" at
    some step stands for AV-critical. None where no level is proved."""
    proved = [one for one in episodes if one.proved]
    lines = []
    if labelled := [one for one in proved if one.id in agreed]:
        same = [one for one in labelled if agreed[one.id] == one.level]
        lines.append(f"as proved: {len(same)} of {len(labelled)} episodes whose level is proved")
        lines += [f"  {one.id}: {agreed[one.id]}, proved {one.level}" for one in labelled if one not in same]
    for rater, said in levels.items():
        if rated := [one for one in proved if one.id in said.first and one.id not in said.steps]:
            same = [one for one in rated if said.first[one.id] == (one.level == CRITICAL)]
            missed = sum(one.level == CRITICAL and not said.first[one.id] for one in rated)
            lines.append(
                f"{rater}, first pass: undecided where proved critical, decided elsewhere in {len(same)} of "
                f"{len(rated)} episodes; {missed} critical ones taken for decided"
            )
    return lines
