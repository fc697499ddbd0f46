"""Reads OmniGUI's official files, which have one record per step, and assembles episodes from them.

Reads the fields used by the released evaluator (`omni-gui/OmniGUI`, the task `agentcpm_gui`), from
`merged_sorted.json` beside the folder `benchmark` with the media. Any defect in a step makes the whole episode
unusable, since later steps build on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from omnipilot.bench.scoring.data.records import Bad, BadRecord, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.steps import StepRecord, read_step

Language: TypeAlias = Literal["own", "en"]

GET = (
    "OmniGUI is the data set OmniGUI/OmniGUI of the Hugging Face hub: "
    "hf download OmniGUI/OmniGUI --repo-type dataset --local-dir DIR, or data=hf://OmniGUI/OmniGUI. "
    "A miniature in its format: omnipilot miniature DIR omnigui"
)
ANNOTATIONS = ("merged_sorted.json", "data/merged_sorted.json", "dataset_unified.json", "data/dataset_unified.json")
EPISODES = ("episodes.jsonl", "data/episodes.jsonl")
"""A file of episodes, {ID, app, instruction_zh, instruction_en}, is asked for what the steps do not say."""
LEVEL = ("level", "dependency_level", "modality_dependency", "dependency")
DIMENSION = ("dimension", "task_dimension")
"""Names under which labels may stand; where the data has none, there is none to report by."""
ENGLISH = frozenset(
    "amazon instagram snapchat spotify x youtube tiktok duolingo googletranslate imdb ted vimeo redbulltv tasty".split()
)
"""The applications whose instructions are English, as the release lists them; all others are Chinese."""


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """One recorded episode. `id` is its name here, `episode` its `episode_id`: they differ where two subsets share
    one."""

    id: str
    episode: str
    subset: str
    app: str
    level: str
    dimension: str
    instruction: str
    steps: tuple[StepRecord, ...]

    @property
    def tags(self) -> dict[str, str]:
        """Tags to group tasks by; only properties that the data states."""
        told = {"subset": self.subset, "app": self.app, "level": self.level, "dimension": self.dimension}
        return {name: value for name, value in told.items() if value}


def load(source: Source, language: Language = "own", files: bool = True) -> Loaded[EpisodeRecord]:
    """All episodes, in file order.

    Args:
        language: of the instruction: the application's own, or English.
        files: check the media too; a missing one makes its episode bad.

    Raises:
        ConfigError: the file with the steps is missing or unreadable.
    """
    path = source.path(*ANNOTATIONS)
    rows = read_each(source.records(path), lambda row: (row.text("episode_id"), row))
    about, bad = _about(source)
    groups: dict[tuple[str, str], list[Record]] = {}
    problems = [*bad, *rows.bad]
    for episode, row in rows.items:
        try:
            groups.setdefault((_subset(row, about.get(episode)), episode), []).append(row)
        except BadRecord as error:
            problems.append(error.bad)
    times = Counter(episode for _, episode in groups)
    found: list[EpisodeRecord] = []
    for (subset, episode), records in groups.items():
        steps, wrong = _steps(source, episode, records, files)
        try:
            if not wrong:
                id = f"{subset}-{episode}" if times[episode] > 1 else episode
                found.append(_episode(id, episode, subset, records[0], about.get(episode), language, steps))
                continue
        except BadRecord as error:
            wrong = [error.bad]
        problems += wrong
        if len(records) > 1:
            whole = f"the episode is left out, all {len(records)} steps of it"
            problems.append(Bad(records[0].file, f"episode {episode}", "", whole))
    return Loaded(tuple(found), tuple(problems))


def files_of(source: Source) -> list[Path]:
    """The annotation files, whose content determines the suite's version."""
    return [source.path(*ANNOTATIONS), *[path for name in EPISODES for path in source.find(name)]]


def _about(source: Source) -> tuple[Mapping[str, Record], tuple[Bad, ...]]:
    found: dict[str, Record] = {}
    bad: list[Bad] = []
    for name in EPISODES:
        for path in source.find(name):
            read = read_each(source.records(path), lambda row: (row.text("ID"), row), key=lambda item: item[0])
            found |= dict(read.items)
            bad += read.bad
    return found, tuple(bad)


def _subset(row: Record, about: Record | None) -> str:
    told = row.text("subset", "")
    return told if told in ("zh", "en") else "en" if _app(row, about) in ENGLISH else "zh"


def _app(row: Record, about: Record | None) -> str:
    told = about.text("app", "") if about is not None and not row.has("app") else row.text("app")
    return told.lower().replace(" ", "")


def _episode(
    id: str,
    episode: str,
    subset: str,
    row: Record,
    about: Record | None,
    language: Language,
    steps: tuple[StepRecord, ...],
) -> EpisodeRecord:
    def label(names: Sequence[str]) -> str:
        told = (one.text(name, "") for one in (row, about) if one is not None for name in names)
        return next(filter(None, told), "")

    own = ("instruction", "instruction_zh")
    wanted = ("instruction_en",) if language == "en" else ("instruction_en", *own) if subset == "en" else own
    instruction = label(wanted)
    if not instruction:
        raise row.wrong(wanted[0], f"there is no instruction in the requested language ({language})")
    return EpisodeRecord(id, episode, subset, _app(row, about), label(LEVEL), label(DIMENSION), instruction, steps)


def _steps(
    source: Source, episode: str, rows: Sequence[Record], files: bool
) -> tuple[tuple[StepRecord, ...], list[Bad]]:
    """The steps of one episode, or the reason they are unusable."""
    bad: list[Bad] = []
    steps: list[StepRecord] = []
    for at, row in enumerate(rows):
        try:
            later = rows[at + 1] if at + 1 < len(rows) else None
            steps.append(read_step(source, row, later, files))
        except BadRecord as error:
            bad.append(error.bad)
    if bad:
        return (), bad
    row = rows[0]
    numbers = [step.number for step in steps]
    try:
        if numbers != sorted(numbers):
            raise row.wrong("step_id", f"the steps of episode {episode} are in the wrong order: {numbers}")
        if numbers[0] not in (0, 1) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise row.wrong("step_id", f"episode {episode} has gaps: its steps are {numbers}")
        for one in rows:
            if (length := one.whole("episode_length")) != len(steps):
                raise one.wrong("episode_length", f"it is {length}, but episode {episode} has {len(steps)} steps")
    except BadRecord as error:
        return (), [error.bad]
    return tuple(steps), []
