"""Single-step benchmarks in the style of OS-Atlas: GUI-Odyssey, GUIAct-Web, and OmniACT's scripts line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.predictions import load_predictions
from omnipilot.bench.scoring.run_predictions import load_run_predictions
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.scoring.steps.actions import lines_of, reply_of
from omnipilot.bench.scoring.steps.figures import Unit, beside_grounding, parts_of, parts_table, step_rates, unreadable
from omnipilot.bench.scoring.steps.metrics import AnsweredStep, Variant, omniact_part
from omnipilot.bench.scoring.steps.rows import Replies, TrueStep, replies, truths
from omnipilot.bench.scoring.steps.rules import Benchmark
from omnipilot.bench.suites.omniact.data import GET as OMNIACT
from omnipilot.bench.suites.omniact.data import ScriptTask, Split, load
from omnipilot.bench.suites.omniact.score import split_known
from omnipilot.bench.suites.omniact.script import actions_of
from omnipilot.bench.suites.omniact.suite import SUITES
from omnipilot.bench.suites.omniact.unpack import unpack

ROWS = (
    "JSONL rows {{id, pred: 'actions:\\nCLICK <point>[[x,y]]</point>'}} as OS-Atlas's evaluator reads them, {ids}; "
    "rows without an id are taken in the order of the steps; places in thousandths"
)
STEP = re.compile(r"(.+)_step_\d+")
PRESSED = {"gui_odyssey": "clicks and long presses"}
GETS = {
    "gui_odyssey": "GUI-Odyssey as rows: gui_odyssey_test.jsonl in the form of eval/data of OS-Copilot/OS-Atlas",
    "guiact_web": "GUIAct's web part as rows: gui_act_web_test.jsonl in the form of eval/data of OS-Copilot/OS-Atlas",
}


@dataclass(frozen=True, slots=True)
class GuiOdyssey:
    """Scores replies to GUI-Odyssey's steps; the data is a folder with the ground-truth rows. There is no suite."""

    name: str = field(default="gui-odyssey", init=False)
    variants: tuple[str, ...] = field(default=("release",), init=False)
    format: str = field(default=ROWS.format(ids="the id that of the row of ground truth"), init=False)

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score a file of replies.

        Raises:
            ConfigError: data or predictions are not there, or are no such thing.
        """
        names = ("gui_odyssey_test.jsonl", "*odyssey*.jsonl")
        # Pictures are called EPISODE_STEP.png.
        return _rows(self.name, "gui_odyssey", names, _episode, "episodes", (data, predictions, variant))


@dataclass(frozen=True, slots=True)
class GuiActWeb:
    """Scores replies to the steps of GUIAct's web part; the data is a folder with the rows. There is no suite."""

    name: str = field(default="guiact-web", init=False)
    variants: tuple[str, ...] = field(default=("release",), init=False)
    format: str = field(default=ROWS.format(ids="the id that of the row of ground truth"), init=False)

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score a file of replies.

        Raises:
            ConfigError: data or predictions are not there, or are no such thing.
        """
        names = ("gui_act_web_test.jsonl", "*act_web*.jsonl")
        # Pictures are called uid_record_NNNNN_step_NN.png, the record being an episode.
        return _rows(self.name, "guiact_web", names, _record, "screens or episodes", (data, predictions, variant))


@dataclass(frozen=True, slots=True)
class OmniActInStyle:
    """Scores OmniACT line by line as OS-Atlas does, from files of replies or runs of the suite `omniact`.

    The data is a folder with OS-Atlas's rows (`omniact_test.jsonl`), or OmniACT itself, whose scripts are then written
    in OS-Atlas's words; those that cannot be read as calls are bad records.

    As released, actions for which a reply has no line cost it nothing, nor does a reply without the line `actions:`; in
    the variant `fixed` they are wrong.

    Args:
        split: whose tasks; None for the run's, and "test" for a file. Its rows are `omniact_SPLIT.jsonl`.

    Raises:
        ConfigError: there is no such split.
    """

    split: Split | None = None
    name: str = field(default="omniact-os-atlas", init=False)
    variants: tuple[str, ...] = field(default=("release", "fixed"), init=False)
    format: str = field(default=ROWS.format(ids="the id that of the task"), init=False)

    def __post_init__(self) -> None:
        split_known(self.split)

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score predictions.

        Raises:
            ConfigError: data or predictions are not there, or are no such thing.
        """
        source = unpack(Source.open(data, OMNIACT))
        run = load_run_predictions(predictions, SUITES) if predictions.is_dir() else None
        split = run.split(self.split) if run else self.split or "test"
        rows = f"omniact_{split}.jsonl"
        # A run's tasks are named as OmniACT names them, which those rows need not do.
        if source.find(rows) and not run:
            loaded = truths(source, source.path(rows), "omniact", _screen)
            steps, bad = loaded.items, loaded.bad
        else:
            steps, bad = _from_items(source, cast(Split, split))
        notes: list[str] = []
        if run:
            run.of(data)
            notes += run.notes
        if run and run.tasks:
            steps = tuple(step for step in steps if run.wanted(step.key))
            notes.append(f"{len(steps)} tasks: those that the run includes")
        void: frozenset[str] = frozenset()
        if run:
            done = load_predictions(predictions)
            void = done.void
            by_key = {
                task: reply_of(taken[0].actions, taken[0].problem, touch=False) if taken else ""
                for task, taken in done.tasks.items()
            }
            known = {step.key for step in steps}
            found = Replies(by_key, tuple(key for key in by_key if key not in known))
        else:
            found = replies(predictions, steps, unusable=len(bad))
        if variant == "fixed":
            notes.append("actions that a prediction lacks are wrong; the release does not count them")
        else:
            notes.append("as released, actions that a prediction lacks are not counted; in the last row they are wrong")
        return _scored(self.name, variant, "omniact", steps, found, bad, notes, "screens", void)


def _rows(
    name: str,
    benchmark: Benchmark,
    names: Sequence[str],
    cluster: Callable[[str], str],
    noun: str,
    given: tuple[str, Path, str],
) -> Scored:
    data, predictions, variant = given
    source = Source.open(data, GETS[benchmark])
    if predictions.is_dir():
        load_run_predictions(predictions, ())
    loaded = truths(source, source.path(*names), benchmark, cluster)
    found = replies(predictions, loaded.items, unusable=len(loaded.bad))
    return _scored(name, variant, benchmark, loaded.items, found, loaded.bad, [], noun, frozenset())


def _scored(
    name: str,
    variant: str,
    benchmark: Benchmark,
    steps: Sequence[TrueStep],
    found: Replies,
    bad: tuple[Bad, ...],
    notes: Sequence[str],
    noun: str,
    void: frozenset[str],
) -> Scored:
    missing = tuple(step.key for step in steps if step.key not in found.by_key or step.key in void)
    gone = frozenset(missing)
    omniact = benchmark == "omniact"
    units = [
        Unit.of(
            AnsweredStep(
                s.truth, found.by_key.get(s.key, ""), s.cluster.split("/")[0] if omniact else "", s.key in gone
            ),
            s.key,
            s.cluster,
            benchmark,
            cast(Variant, variant),
        )
        for s in steps
    ]
    table = parts_table(units, noun, "part", ("web", "desktop"))
    words = ("actions" if omniact else "steps", PRESSED.get(benchmark, "clicks"))
    return Scored(
        name,
        variant,
        step_rates(units, noun, *words),
        (table,) if table else (),
        bad,
        missing,
        found.extra,
        (*notes, *found.notes, unreadable(units), *beside_grounding(units)),
        parts_of(units, noun, *words, order=("web", "desktop")),
    )


def _from_items(source: Source, split: Split) -> tuple[tuple[TrueStep, ...], tuple[Bad, ...]]:
    """OmniACT's own tasks, with their scripts in OS-Atlas's notation."""
    loaded = load(source, split)
    steps, bad = [], list(loaded.bad)
    for item in loaded.items:
        truth = truth_of(item)
        if truth is None or "[[]]" in truth:
            reason = f"its script cannot be written in OS-Atlas's words: {item.script!r:.120}"
            bad.append(Bad(f"{split}.json", item.id, "task", reason))
        else:
            steps.append(TrueStep(item.id, truth, item.screen))
    return tuple(steps), tuple(bad)


def truth_of(item: ScriptTask) -> str | None:
    """A recorded script in OS-Atlas's notation, one action per line; None if it is not readable as calls."""
    actions = actions_of(item.script, item.size)
    return "\n".join(line for action in actions for line in lines_of(action, touch=False)) if actions else None


def _screen(image: str) -> str:
    """web/asics/screen1 of …/data/web/asics/screen1.png."""
    path = Path(image)
    return f"{omniact_part(image)}/{path.parent.name}/{path.stem}"


def _episode(image: str) -> str:
    return Path(image).stem.rpartition("_")[0] or image


def _record(image: str) -> str:
    """The episode's picture name without the step number; any other picture is its own episode."""
    found = STEP.fullmatch(Path(image).stem)
    return found[1] if found else image
