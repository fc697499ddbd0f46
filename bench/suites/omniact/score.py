"""`omnipilot score omniact`: sequence score, action score and the three penalties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, cast

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.predictions import load_predictions
from omnipilot.bench.scoring.run_predictions import load_run_predictions
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.scoring.steps.rows import REPLIES, Replies, TrueStep, replies
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.suites.omniact.data import CATEGORIES, GET, SPLITS, SYSTEMS, ScriptTask, Split, load
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, SampleScore, Variant, score_sample
from omnipilot.bench.suites.omniact.metrics.script_lines import predicted_lines
from omnipilot.bench.suites.omniact.printed import FIGURES as COLUMNS
from omnipilot.bench.suites.omniact.printed import PRINTED, beside_printed
from omnipilot.bench.suites.omniact.suite import SUITES, predicted_script
from omnipilot.bench.suites.omniact.unpack import GROUPS, unpack
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError
from omnipilot.envs.recorded import Prediction

SCRIPTS = ("script", "final_script", "gpt_output", *REPLIES)
"""Fields that hold a predicted script; the second and third are those of UGround's files."""
Count: TypeAlias = Callable[[SampleScore], float]
IDEAL: Count = lambda one: one.weight  # noqa: E731
KEPT: Count = lambda one: one.weight if one.matched else 0.0  # noqa: E731
FIGURES: tuple[tuple[str, Count], ...] = (
    ("Action score", lambda one: one.weight * one.action),
    ("Sequence score", KEPT),
    ("Click penalty", lambda one: one.weight * one.click),
    ("Press penalty", lambda one: one.weight * one.press),
    ("Write penalty", lambda one: one.weight * one.write),
)
"""Each is a sum over the ideal score; the paper's action score alone is over what the predictions scored (eq. 6)."""
SHORT = {
    "Action score": "AS",
    "Sequence score": "SS",
    "Click penalty": "Mp",
    "Press penalty": "Kp",
    "Write penalty": "Wp",
}
"""The paper's abbreviations (table 4)."""
NOTES = {
    "release": "release: the public descendant of the released evaluator in waynchi/gui-agent",
    "uground": "uground: the other public descendant; predictions keep their capitals, and those never match",
    "paper": "paper: equations 1 to 6 as printed; its action score divides by what these predictions scored, so that "
    "it cannot be compared between models",
    "fixed": "fixed: names in any case, all five mouse functions, keys parsed",
}


@dataclass(frozen=True, slots=True)
class OmniActScore:
    """Scores files of scripts, or runs of the suite `omniact`.

    Args:
        split: whose tasks; None for the run's, and "test" for a file.

    Raises:
        ConfigError: there is no such split.
    """

    split: Split | None = None
    name: str = field(default="omniact", init=False)
    variants: tuple[str, ...] = field(default=("release", "paper", "fixed", "uground"), init=False)
    format: str = field(default="a JSON object of scripts by task id, or JSON or JSONL rows {id, script}", init=False)

    def __post_init__(self) -> None:
        split_known(self.split)

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score predictions.

        Raises:
            ConfigError: data or predictions are not there, or are no such thing.
        """
        source = unpack(Source.open(data, GET))
        run = load_run_predictions(predictions, SUITES) if predictions.is_dir() else None
        if run:
            run.of(data)
        split = run.split(self.split) if run else self.split or "test"
        loaded = load(source, cast(Split, split))
        items = [item for item in loaded.items if run is None or run.wanted(item.id)]
        void: frozenset[str] = frozenset()
        if run:
            done = load_predictions(predictions)
            void, found = done.void, _of_run(items, done.tasks)
        else:
            found = replies(predictions, [TrueStep(item.id, item.script, item.screen) for item in items], SCRIPTS)
        missing = tuple(item.id for item in items if item.id not in found.by_key or item.id in void)
        gone = frozenset(missing)
        rules = cast(Variant, variant)
        scored, bad = [], list(loaded.bad)
        for item in items:
            try:
                scored.append(_Scored(item, found.by_key.get(item.id, ""), item.id in gone, rules))
            except ValueError as error:
                # What one variant reads as a script, another may read as none.
                bad.append(Bad(f"{split}.json", item.id, "task", str(error)))
        whole = split == "test" and len(items) == len(loaded.items)
        notes = [NOTES[variant], *found.notes, *(run.notes if run else ())]
        if run and run.tasks:
            notes.append(f"{len(items)} of {len(loaded.items)} tasks: those that the run includes")
        malformed, unjudged = sum(s.score.malformed for s in scored), sum(s.score.unjudged for s in scored)
        empty = sum(not one.void and not predicted_lines(one.script, "release") for one in scored)
        notes.append(f"format errors: {empty} predictions hold no line of pyautogui, and {malformed} actions no call")
        if items and not all(item.group for item in items):
            notes.append(
                f"the data does not say which operating system or category an app is of: write {GROUPS} beside it, "
                f'{{"APP": "macOS"}} for each, to have them apart'
            )
        if unjudged:
            notes.append(f"{unjudged} recorded actions have no box, or no text, and so no penalty")
        return Scored(
            self.name,
            variant,
            tuple(_figure(name, count, scored, variant) for name, count in FIGURES),
            (*([_printed(scored, variant)] if whole else ()), *_tables(scored, variant)),
            tuple(bad),
            missing,
            found.extra,
            tuple(notes),
            _parts(scored, variant),
            PRINTED if whole else None,
        )


def split_known(split: str | None) -> None:
    """Check that OmniACT has this split.

    Raises:
        ConfigError: it has none of this name.
    """
    if split is not None and split not in SPLITS:
        raise ConfigError(describe_unknown("split", str(split), SPLITS))


class _Scored:
    """One task's score."""

    def __init__(self, item: ScriptTask, script: str, void: bool, variant: Variant) -> None:
        self.item = item
        self.script = script
        self.void = void
        self.score = score_sample(OmniActSample(item.text, item.boxes, script, void), variant)


def _of_run(items: Sequence[ScriptTask], tasks: dict[str, tuple[Prediction, ...]]) -> Replies:
    by_id = {item.id: item for item in items}
    scripts = {
        task: predicted_script(by_id[task], taken[0]) if taken else "" for task, taken in tasks.items() if task in by_id
    }
    return Replies(scripts, tuple(task for task in tasks if task not in by_id))


def _figure(name: str, count: Count, scored: Sequence[_Scored], variant: str) -> Figure:
    void = sum(one.void for one in scored)
    valid = [one for one in scored if not one.void]
    unit = "tasks that match" if variant == "paper" and name == "Action score" else "tasks"
    of = sum(one.score.matched for one in scored) if unit != "tasks" else len(scored)
    without = _ratio(name, count, valid, variant) if void else None
    whole = KEPT if unit != "tasks" else IDEAL
    return Figure(
        name,
        _ratio(name, count, scored, variant),
        of,
        unit,
        void,
        without,
        digits=2,
        items=tuple(Item(one.item.id, one.item.screen, count(one.score), whole(one.score)) for one in scored),
        better="lower" if name.endswith("penalty") else "higher",
        short=SHORT[name],
        noun="screens",
    )


def _parts(scored: Sequence[_Scored], variant: str) -> tuple[Figure, ...]:
    """The figures of each part, as "AS web" or "AS macOS"; none where the tasks are of one."""
    return tuple(
        replace(_figure(name, count, among, variant), name=f"{SHORT[name]} {part}", short="")
        for part, among in _split(scored)
        for name, count in FIGURES
        if 0 < len(among) < len(scored)
    )


def _ratio(name: str, count: Count, scored: Sequence[_Scored], variant: str) -> Interval | None:
    whole = KEPT if variant == "paper" and name == "Action score" else IDEAL
    if not scored:
        return None
    parts, wholes = [count(one.score) for one in scored], [whole(one.score) for one in scored]
    return ratio_of(parts, wholes, [one.item.screen for one in scored], "screens")


def _printed(scored: Sequence[_Scored], variant: str) -> Table:
    """The figures above those that the paper prints."""
    told = {SHORT[name]: _text(_ratio(name, count, scored, variant)) for name, count in FIGURES}
    return beside_printed(tuple(told[column] for column in COLUMNS))


def _tables(scored: Sequence[_Scored], variant: str) -> tuple[Table, ...]:
    """The figures by part of the data, and by length of the recorded script."""
    lengths: dict[str, list[_Scored]] = {}
    for one in sorted(scored, key=lambda one: one.score.weight):
        lines = round(one.score.weight + 0.9)
        lengths.setdefault(f"{lines}" if lines < 5 else "5 and more", []).append(one)
    return tuple(
        Table(
            (title, "tasks", *(f"{name} %" for name, _ in FIGURES)), tuple(_row(n, some, variant) for n, some in cells)
        )
        for title, cells in (("part", _split(scored)), ("lines", list(lengths.items())))
        if len(cells) > 1
    )


def _row(name: str, scored: Sequence[_Scored], variant: str) -> tuple[str, ...]:
    found = [_ratio(figure, count, scored, variant) for figure, count in FIGURES]
    return name, str(len(scored)), *map(_text, found)


def _text(one: Interval | None) -> str:
    return "—" if one is None else one.text(2)


def _split(scored: Sequence[_Scored]) -> list[tuple[str, list[_Scored]]]:
    """The tasks by part: desktop and its operating systems, web and its categories; only what there is."""
    parts = [("desktop", "part"), *((one, "group") for one in SYSTEMS)]
    parts += [("web", "part"), *((one, "group") for one in CATEGORIES)]
    found = [(name, [one for one in scored if getattr(one.item, field) == name]) for name, field in parts]
    return [(name, among) for name, among in found if among]
