"""Scores of OmniGUI: exact match, type match, success rate and goal progress, from predictions or a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.omnigui.data import GET, EpisodeRecord, files_of, load
from omnipilot.bench.suites.omnigui.figures import breakdown, by_primitive, figures, parts_of
from omnipilot.bench.suites.omnigui.metrics.actions import UNMATCHED
from omnipilot.bench.suites.omnigui.metrics.reply import Variant
from omnipilot.bench.suites.omnigui.metrics.scores import Coordinates, StepScore, lacks_target, score_step
from omnipilot.bench.suites.omnigui.replies import FORMAT, StepReplies, read_file, read_run, run_of
from omnipilot.bench.suites.omnigui.suite import metric_step
from omnipilot.envs import ConfigError

RULES: dict[str, tuple[Variant, Coordinates]] = {
    "release": ("release", "normalized"),
    "paper": ("paper", "normalized"),
    "release-pixel": ("release", "pixel"),
    "release-auto": ("release", "auto"),
    "paper-pixel": ("paper", "pixel"),
    "paper-auto": ("paper", "auto"),
}
WORDS: dict[Variant, str] = {
    "release": "as the released evaluator: typed text matches where one contains the other, NONE and DOUBLE_TAP never "
    "match exactly, GP is the correct prefix",
    "paper": "as the paper says: typed text matches to the letter, NONE by its kind and DOUBLE_TAP like TAP, GP is the "
    "share of correct steps",
}
COUNTED: dict[Coordinates, str] = {
    "normalized": "coordinates of replies are thousandths",
    "pixel": "coordinates of replies are pixels of the step's screenshot",
    "auto": "coordinates of replies are thousandths, or pixels where one is above 1000",
}


class OmniGuiScore:
    """`omnipilot score omnigui`."""

    name = "omnigui"
    variants = tuple(RULES)
    format = FORMAT

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """The four figures, format errors, and tables by level, dimension, app, subset and primitive.

        A run's bad records are its suite's, including those with missing media; for a file of predictions only the
        annotations are read.

        Args:
            data: "" for the location of a run's own data.

        Raises:
            ConfigError: no such variant; data or predictions cannot be read, or do not belong together.
        """
        if variant not in RULES:
            raise ConfigError(f"variant must be one of {', '.join(RULES)}, not {variant!r}")
        rules, coordinates = RULES[variant]
        is_run = predictions.is_dir()
        options = run_of(predictions).spec.suite.options if is_run else {}
        if is_run and coordinates != "normalized":
            raise ConfigError(
                f"the predictions of a run are in thousandths; score it with --variant {rules}, not {variant}"
            )
        source = Source.open(data or str(options.get("data", "")), GET)
        loaded = load(source, options.get("language", "own"), files=is_run)
        if is_run:
            found = read_run(predictions, loaded.items, source.digest(files_of(source)))
        else:
            found = read_file(predictions, loaded.items)
        episodes = [one for one in loaded.items if found.asked is None or one.id in found.asked]
        if not episodes:
            raise ConfigError(f"{source.root} has no usable episode for {predictions}")
        return _scored(episodes, found, variant, loaded.bad)


def _scored(episodes: Sequence[EpisodeRecord], found: StepReplies, variant: str, bad: tuple[Bad, ...]) -> Scored:
    rules, coordinates = RULES[variant]
    scores: list[StepScore] = []
    missing: list[str] = []
    for episode in episodes:
        for at, step in enumerate(episode.steps):
            place = episode.id, at
            reply = found.texts.get(place)
            if reply is None:
                missing.append(f"episode {episode.id} step {step.number}")
            void = reply is None or place in found.void
            scores.append(score_step(metric_step(episode, at, reply, void), rules, coordinates))
    tables = [breakdown(title, scores, rules, label) for title, label in _LABELS if any(map(label, scores))]
    notes = [f"{rules}: {WORDS[rules]}; {COUNTED[coordinates]}", *_oddities(scores, rules), *found.notes]
    notes += [
        f"the data names no {title}, so there is no table by it"
        for title, label in _LABELS
        if not any(map(label, scores))
    ]
    return Scored(
        "omnigui",
        variant,
        figures(scores, rules),
        (*tables, by_primitive(scores)),
        bad,
        tuple(missing),
        found.extra,
        tuple(notes),
        tuple(
            one for title, label in _LABELS if any(map(label, scores)) for one in parts_of(title, scores, rules, label)
        ),
    )


_LABELS: tuple[tuple[str, Callable[[StepScore], str]], ...] = (
    ("level", lambda one: one.step.level),
    ("dimension", lambda one: one.step.dimension),
    ("app", lambda one: one.step.app),
    ("subset", lambda one: one.step.subset),
)


def _oddities(scores: Sequence[StepScore], rules: Variant) -> list[str]:
    notes = []
    if flagged := sum(one.flagged for one in scores):
        notes.append(
            f"{flagged} {'step is' if flagged == 1 else 'steps are'} flagged: the touch is a list of rectangles, on "
            "which the released evaluator fails; any of them counts here"
        )
    placeless = [one.step for one in scores if lacks_target(one.step, rules)]
    if placeless:
        counts = Counter(step.action.name for step in placeless)
        kinds = " and ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        notes.append(
            f"{len(placeless)} steps can never be an exact match, for the data does not say where or what: {kinds}; "
            "they count in every denominator"
        )
    unmatched = Counter(one.step.action.name for one in scores if one.step.action in UNMATCHED)
    if unmatched and rules == "release":
        told = " and ".join(f"{count} {name}" for name, count in sorted(unmatched.items()))
        episodes = len({(one.step.subset, one.step.episode) for one in scores if one.step.action in UNMATCHED})
        notes.append(
            f"{told} can never be an exact match in this variant, nor the {episodes} episodes that have them a success"
        )
    return notes
