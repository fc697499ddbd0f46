"""A pool as data to train on: samples a step (sft), pointing (grounding), and preference pairs, split by template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.bench.suites.pool.export.dataset import Card, DatasetFolder
from omnipilot.bench.suites.pool.export.grounding import UGROUND, PointingSample, pointing_samples
from omnipilot.bench.suites.pool.export.options import ExportOptions
from omnipilot.bench.suites.pool.export.pairs import pairs_of, recorded_runs, run_of_order
from omnipilot.bench.suites.pool.export.playing import PlayedTask
from omnipilot.bench.suites.pool.export.sft import check_family, sample_json, samples_of, why_not
from omnipilot.bench.suites.pool.export.source import ExportSource, ExportTask
from omnipilot.envs import ConfigError
from omnipilot.grounders.families import get as grounder_family

ABOUT: Mapping[str, str] = {
    "id": "unique in the data set",
    "task": "id of the task in the pool",
    "instance": "of its content",
    "order": "topological order that was played, numbers of nodes",
    "templates": "of its subtasks, in reading order",
    "levels": "of its subtasks: whether sound or motion decides (AV-critical), supports, or is only present",
    "intent": "why the user wants it, where the pool says so",
}
"""Fields that the rows of all data sets have."""


def export_sft(source: ExportSource, out: Path, options: ExportOptions) -> list[str]:
    """Write one sample a step in the syntax of a family.

    Raises:
        ConfigError: no such family.
    """
    family = options.family or "ui-tars-1.5"
    check_family(family)
    folder = DatasetFolder(out)
    card = _card(
        source,
        options,
        "sft",
        f"Steps of GUI tasks, as {family} is prompted and replies",
        f"One row a step: what the planner sends to a model of the family {family}, and the reply to be learnt, which "
        "is the last message. Each reply was read back by the family's own reader to the action that was played.",
        {
            "step": "number of the step in its task",
            "env": "the device that it acts on",
            "messages": "the conversation; the last one is the target",
            "tools": "tools that the request offers, as JSON text",
        },
    )

    def rows(played: PlayedTask, about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        why = why_not(played, family, about["levels"])
        if why:
            card.left_out[f"trajectories: {why}"] += 1
            return
        reasons: Counter[str] = Counter()
        samples = samples_of(played, family, folder.pictures, options.intent, options.history, reasons)
        for number, sample in enumerate(samples):
            yield sample_json(sample, {**about, "id": f"{about['id']}/{number}"})
        card.left_out.update({f"steps: {reason}": count for reason, count in reasons.items()})

    _write(source, folder, card, rows)
    return folder.finish(card)


def export_grounding(source: ExportSource, out: Path, options: ExportOptions) -> list[str]:
    """Write pictures with the description and the place of one element each.

    Raises:
        ConfigError: no such family, or its prompt needs a file.
    """
    family = grounder_family(options.family or UGROUND)
    folder = DatasetFolder(out)
    met: set[tuple[str, str]] = set()
    card = _card(
        source,
        options,
        "grounding",
        f"Elements of screens and their places, as {family.name} is asked and answers",
        "One row an element that some step acts on. Descriptions are made by rule from role, name and position.",
        {
            "env": "the device",
            "picture": "the screen",
            "description": "words that fit this element alone",
            "role": "of the element",
            "box": "x1, y1, x2, y2 in pixels",
            "point": "its centre, as shares of the sides",
            "messages": f"question and answer of {family.name}",
        },
    )

    def rows(played: PlayedTask, about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        reasons: Counter[str] = Counter()
        for number, sample in enumerate(pointing_samples(played, family, folder.pictures, met, reasons)):
            yield {**about, "id": f"{about['id']}/{number}", **_pointing_json(sample)}
        card.left_out.update({f"elements: {reason}": count for reason, count in reasons.items()})

    _write(source, folder, card, rows)
    return folder.finish(card)


def export_pairs(source: ExportSource, out: Path, options: ExportOptions) -> list[str]:
    """Write pairs of solved runs of one task, of which the shorter is preferred.

    Raises:
        ConfigError: a run is of another suite, or of a task that the pool does not have.
    """
    folder = DatasetFolder(out)
    card = _card(
        source,
        options,
        "pairs",
        "Pairs of solved runs of GUI tasks, the shorter one preferred",
        f"One row a pair: reward = solved - {options.cost:g} * steps / limit. "
        + ("Runs are recorded ones." if options.runs else "Runs are demonstrations in different topological orders."),
        {
            "instruction": "of the task",
            "chosen, rejected": "name, steps, limit, reward, and turns with thought, moves and images",
        },
    )
    recorded = list(recorded_runs(options.runs, folder.pictures)) if options.runs else []
    known = {task.graph.id for task in source.tasks}
    if unknown := [run.task for run in recorded if run.task not in known]:
        raise ConfigError(f"the pool has no task {unknown[0]}, which a run has; name the pool that was run")

    def rows(task: ExportTask, played: list[PlayedTask], about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if options.runs:
            runs = [run for run in recorded if run.task == task.graph.id]
        else:
            runs = [run_of_order(task.id, one, folder.pictures) for one in played if one.solved]
        for number, pair in enumerate(pairs_of(runs, options.cost)):
            row = {**about, "id": f"{task.id}/{number}", **pair}
            row.pop("order")
            yield row

    for task in source.tasks:
        split = source.split_of(task)
        played = [] if options.runs else source.play(task)
        source.forget(task)
        if folder.write(split, rows(task, played, _about(source, task, ()))):
            _count(source, card, split, task)
    return folder.finish(card)


Rows: TypeAlias = Callable[[PlayedTask, Mapping[str, Any]], Iterator[dict[str, Any]]]


def _write(source: ExportSource, folder: DatasetFolder, card: Card, rows: Rows) -> None:
    """Play every order of every task and write what it gives, each to the split of its templates."""
    for task in source.tasks:
        split = source.split_of(task)
        written = 0
        for played in source.play(task):
            if not played.solved:
                card.left_out["trajectories: the demonstration does not solve the task in this order"] += 1
                continue
            written += folder.write(split, rows(played, _about(source, task, played.order)))
        source.forget(task)
        if written:
            _count(source, card, split, task)


def _about(source: ExportSource, task: ExportTask, order: tuple[int, ...]) -> dict[str, Any]:
    told = task.told
    return {
        "id": f"{task.id}/{'-'.join(map(str, order))}",
        "task": task.id,
        "instance": task.instance,
        "order": list(order),
        "templates": list(task.graph.subtasks),
        "levels": [source.subtasks[id].level for id in task.graph.subtasks],
        "intent": (told.intent if told is not None else "") or task.graph.intent,
    }


def _count(source: ExportSource, card: Card, split: str, task: ExportTask) -> None:
    card.tasks[split].add(task.id)
    card.templates[split].update(task.graph.subtasks)
    card.levels[split].update({source.subtasks[id].level for id in task.graph.subtasks})


def _card(
    source: ExportSource, options: ExportOptions, to: str, title: str, about: str, fields: Mapping[str, str]
) -> Card:
    tested = source.held_out & {id for task in source.tasks for id in task.graph.subtasks}
    command = options.command(source.folder.root, to)
    return Card(title, about, command, options.licence, options.seed, {**ABOUT, **fields}, sorted(tested))


def _pointing_json(sample: PointingSample) -> dict[str, Any]:
    return {
        "env": sample.env,
        "picture": sample.picture,
        "description": sample.description,
        "role": sample.role,
        "box": list(sample.box),
        "point": list(sample.point),
        "messages": sample.messages,
    }
