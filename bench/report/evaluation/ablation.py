"""What an ablation came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.experiments.ablation import FULL, MOVING, Condition
from omnipilot.bench.experiments.ablation_results import AblationRow
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.ablation_table import ablate_figure, ablate_table, groups_table
from omnipilot.bench.report.conclusions import conclude_ablation
from omnipilot.bench.report.evaluation.evaluation import DrawnSection, Evaluation
from omnipilot.bench.report.figures_table import further_tables
from omnipilot.bench.report.method_notes import bound_notes_of
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.run.task_selection import tasks_available
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import Modality

FIGURE = "ablate.svg"


@dataclass(frozen=True, slots=True)
class PlayedAblation:
    """An ablation that was played.

    Attributes:
        spec: of the full set, as it was asked for. out: the folder of all. asked: the conditions asked for.
        full: the run of the full set. found: the run of each other condition, or why it is impossible, by name.
        without: modalities that no environment provides. by: the tag by which tasks are grouped; "" for none.
        wanted: the conditions that say something. rows: its results, see `omnipilot.bench.experiments`.
    """

    spec: RunSpec
    out: Path
    asked: Sequence[Condition]
    full: Run
    found: Mapping[str, Run | str]
    without: frozenset[Modality]
    by: str
    wanted: Sequence[Condition]
    rows: tuple[AblationRow, ...]

    @property
    def runs(self) -> list[Run]:
        """Those that were played, the full set first."""
        return [self.full, *(run for run in self.found.values() if not isinstance(run, str))]


def evaluate_ablation(
    played: PlayedAblation,
    level: float,
    power: float,
    grouped: bool = False,
    most: int | None = None,
    groups_printed: bool = False,
) -> Evaluation:
    """What an ablation came to.

    Args:
        level, power: as for its rows. grouped: whether the figure shows the groups of tasks.
        most: conditions besides the full set that are printed; None for all.
        groups_printed: whether the table of groups is printed; the page has it in any case.
    """
    rows = played.rows
    notes, methods = _notes(played), _methods(played)
    if dropped := [one.name for one in played.asked if one not in played.wanted]:
        methods.append(f"left out, as no modality is left or another condition is the same: {'; '.join(dropped)}")
    said = conclude_ablation(rows, AXES["planner"](played.spec), level, power, tasks_available(played.spec))
    table, few = (ablate_table(rows, notes, methods, level, power, count) for count in (None, most))
    groups = groups_table(rows, played.by, level)
    further = () if groups is None else (groups,)
    with_figures = [row for row in rows if row.figures]
    more = further_tables(
        [row.condition for row in with_figures], [row.figures for row in with_figures], 0, level, "condition"
    )
    figure = ablate_figure(rows, played.full.spec.label, level, grouped)
    sections = [DrawnSection("Ablation", (table, *more), said.sentences, figure, FIGURE)]
    sections += [DrawnSection(f"By {played.by}", further)] if further else []
    ran = [one for one in played.wanted if not isinstance(played.found.get(one.name), str)]
    return Evaluation(
        said,
        (few, *more, *(further if groups_printed else ())),
        tuple(sections),
        tuple(played.out / one.slug for one in ran),
        tuple(one.name for one in ran),
    )


def _methods(played: PlayedAblation) -> list[str]:
    """What the conditions are."""
    kinds = {one.kind for one in played.wanted}
    granted = played.spec.agent.modalities
    notes = [f"{FULL}: {', '.join(sorted(granted))}"]
    if "control" in kinds:
        notes.append(
            "silence, noise, other: the full set, with audio and video replaced by others of equal length: silence and "
            "a still image, white noise and random blocks, those of another task"
        )
    if "spoken" in kinds:
        notes.append(
            "speech, both: the full set, with the instruction spoken before the first turn, without its text or beside "
            "it; with a level, also spoken over what the application plays, that many decibels louder"
        )
    if not set(MOVING) & (granted - played.without):
        notes.append("no controls, as the agent is granted neither audio nor video")
    return notes


def _notes(played: PlayedAblation) -> list[str]:
    """What a reader needs to know of the runs at once."""
    notes = []
    if played.without:
        notes.append(f"not ablated, as no environment of the suite provides it: {', '.join(sorted(played.without))}")
    notes += bound_notes_of(played.runs)
    notes += all_void_notes([(run.name, run.episodes) for run in played.runs])
    notes += [
        f"not finished: {run.name}, {len(run.episodes)} of {run.planned} episodes"
        for run in played.runs
        if len(run.episodes) < run.planned
    ]
    return notes
