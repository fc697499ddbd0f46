"""`omnipilot score android-control`: Type, Grounding and step success rate as OS-Atlas scores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.predictions import load_predictions
from omnipilot.bench.scoring.run_predictions import load_run_predictions
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.scoring.steps.actions import reply_of
from omnipilot.bench.scoring.steps.figures import Unit, beside_grounding, parts_of, parts_table, step_rates, unreadable
from omnipilot.bench.scoring.steps.metrics import SPLITS as PARTS
from omnipilot.bench.scoring.steps.metrics import AnsweredStep, split_of
from omnipilot.bench.scoring.steps.rows import Replies, TrueStep, replies, truths
from omnipilot.bench.suites.android_control.data import GET, SPLITS, SUBSPLITS, Split, load, numbers
from omnipilot.bench.suites.android_control.suite import SUITES, truth_of
from omnipilot.envs import ConfigError
from omnipilot.envs.types import read_text

INDEX = "ac_idx.txt"
"""The steps that OS-Atlas scores, one name a line; its repository has it (7,708 of the test's 8,444 steps)."""
TRUTHS = ("ac_test.jsonl", "android_control_test.jsonl")


@dataclass(frozen=True, slots=True)
class _Steps:
    steps: tuple[TrueStep, ...]
    parts: Mapping[str, str]
    bad: tuple[Bad, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AndroidControlScore:
    """Scores files of replies, or runs of the suite `android-control`.

    The data is what the suite reads; or a folder with OS-Atlas's own rows of ground truth (`ac_test.jsonl`) and, for
    the sub-splits, `test_subsplits.json`. Where the folder holds OS-Atlas's `ac_idx.txt`, only those steps are scored.

    Args:
        split: whose episodes; None for the run's, and "test" for a file. OS-Atlas's rows are of the test alone.

    Raises:
        ConfigError: there is no such split.
    """

    split: Split | None = None
    name: str = field(default="android-control", init=False)
    variants: tuple[str, ...] = field(default=("release",), init=False)
    format: str = field(
        default="JSONL rows {id: episode_E_screenshot_S, pred: 'actions:\\nCLICK <point>[[x,y]]</point>'}, or rows "
        "without an id in the order of the steps, or a JSON object of replies by id; places in thousandths",
        init=False,
    )

    def __post_init__(self) -> None:
        if self.split is not None and self.split not in SPLITS:
            raise ConfigError(describe_unknown("split", str(self.split), SPLITS))

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score predictions.

        Raises:
            ConfigError: data or predictions are not there, or are no such thing.
        """
        source = Source.open(data, GET)
        run = load_run_predictions(predictions, SUITES) if predictions.is_dir() else None
        options = run.options if run else {}
        split = run.split(self.split) if run else self.split or "test"
        if _listed(source) and split != "test":
            raise ConfigError(f"{source.root / _listed(source)} contains the steps of split test, not of {split}")
        known = _from_rows(source) if _listed(source) else _from_episodes(source, cast(Split, split))
        steps, notes = known.steps, (*known.notes, *(run.notes if run else ()))
        if run and not _listed(source):
            run.of(data)
        if run and run.tasks:
            steps = tuple(step for step in steps if run.wanted(step.key) or run.wanted(step.cluster))
            notes = (*notes, f"{len(steps)} of {len(known.steps)} steps: those that the run includes")
        if run:
            setting = options.get("setting", "high")
            found, void = _of_run(predictions, steps), load_predictions(predictions).void
            notes = (*notes, f"setting {setting}")
        else:
            unusable = 0 if source.find(INDEX) else len(known.bad)
            found, void = replies(predictions, steps, unusable=unusable), frozenset()
        missing = tuple(s.key for s in steps if s.key not in found.by_key or {s.key, s.cluster} & void)
        gone = frozenset(missing)
        units = [
            Unit.of(
                AnsweredStep(s.truth, found.by_key.get(s.key, ""), known.parts[s.key], s.key in gone),
                s.key,
                s.cluster,
                "android_control",
            )
            for s in steps
        ]
        table = parts_table(units, "episodes", "split", PARTS)
        return Scored(
            self.name,
            variant,
            step_rates(units, "episodes"),
            (table,) if table else (),
            known.bad,
            missing,
            # What is beside OS-Atlas's list is a step of the data all the same.
            tuple(key for key in found.extra if key not in known.parts),
            (
                *notes,
                *found.notes,
                "a click is right within 14 % of the screen; Grounding is of clicks of the right "
                "type; texts match by their second word as released, as a whole in the last row",
                unreadable(units),
                *beside_grounding(units),
            ),
            parts_of(units, "episodes", order=PARTS),
        )


def _listed(source: Source) -> str:
    return next((name for name in TRUTHS if source.find(name)), "")


def _from_rows(source: Source) -> _Steps:
    loaded = truths(source, source.path(*TRUTHS), "android_control", _cluster)
    lists = next((numbers(source, name) for name in SUBSPLITS if source.find(name)), {})
    parts = {step.key: split_of(_number(step.cluster), lists) for step in loaded.items}
    return _kept(source, loaded.items, parts, loaded.bad)


def _from_episodes(source: Source, split: Split) -> _Steps:
    loaded = load(source, split).loaded
    steps, parts = [], {}
    for episode in loaded.items:
        for number, step in enumerate(episode.steps):
            key = episode.step_key(number)
            steps.append(TrueStep(key, truth_of(step), episode.key, image=f"{key}.png"))
            parts[key] = episode.part
    return _kept(source, tuple(steps), parts, loaded.bad)


def _kept(source: Source, steps: tuple[TrueStep, ...], parts: Mapping[str, str], bad: tuple[Bad, ...]) -> _Steps:
    """Only the steps in OS-Atlas's list, if the folder has one."""
    if not source.find(INDEX):
        return _Steps(steps, parts, bad, ())
    index = frozenset(read_text(source.path(INDEX)).split())
    kept = tuple(step for step in steps if step.key in index)
    return _Steps(kept, parts, bad, (f"{len(kept)} of {len(steps)} steps: those of {INDEX}, which lists {len(index)}",))


def _of_run(folder: Path, steps: tuple[TrueStep, ...]) -> Replies:
    """A run's predictions by step: a task is an episode or one step."""
    by_key = {}
    done = load_predictions(folder)
    for task, taken in done.tasks.items():
        for number, prediction in enumerate(taken):
            key = task if "_screenshot_" in task else f"{task}_screenshot_{number}"
            by_key[key] = reply_of(prediction.actions, prediction.problem)
    # Finished and not void, but short of the recording's end: the agent used up its tokens, dollars or seconds.
    short = done.tasks.keys() - done.void
    by_key |= {step.key: "" for step in steps if step.cluster in short and step.key not in by_key}
    known = {step.key for step in steps}
    return Replies(by_key, tuple(key for key in by_key if key not in known))


def _cluster(image: str) -> str:
    """episode_140 of …/episode_140_screenshot_3.png."""
    return "_".join(Path(image).stem.split("_")[:2])


def _number(cluster: str) -> int:
    last = cluster.split("_")[-1]
    return int(last) if last.isdecimal() else -1
