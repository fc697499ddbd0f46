"""Reads replies to OmniGUI's steps from the release's logs, plain files or a run directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from omnipilot.bench.scoring.data.records import BadRecord, Record
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.bench.scoring.data_runs import Played, load_played
from omnipilot.bench.scoring.row_problems import content, repetition_notes, unreadable_notes
from omnipilot.bench.suites.omnigui.data import EpisodeRecord
from omnipilot.bench.suites.omnigui.moves import reply_of
from omnipilot.envs import ConfigError

FORMAT = (
    "the release's log of samples (lmms_eval --log_samples: doc_id, filtered_resps), a file .json, .jsonl or .csv of "
    "{episode_id, step_id, prediction} (or response, or reply; subset where two share an id), or a run directory of "
    "the suite omnigui"
)
_TEXTS = ("prediction", "response", "reply", "filtered_resps", "resps")
_METRICS = ("exact_match", "type_match", "success_rate", "goal_progress", "doc")
"""Fields of a log in which the release's evaluator repeats which step it is."""
_SUITES = ("omnigui", "omnipilot.bench.suites.omnigui.suite:OmniGui", "omnipilot.bench.suites.omnigui:OmniGui")
Place: TypeAlias = tuple[str, int]
"""An episode's id, and the place of a step in it, from 0."""


@dataclass(frozen=True, slots=True)
class StepReplies:
    """Raw replies, by the step they answer.

    Attributes:
        void: steps for which the model could not be called, through no fault of its own.
        asked: ids of the requested episodes; None for all.
        extra: replies that match no step, and unreadable rows.
    """

    texts: Mapping[Place, str]
    void: frozenset[Place] = frozenset()
    asked: frozenset[str] | None = None
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class _Index:
    """Where the steps are."""

    by_number: dict[tuple[str, str], dict[str, Place]] = field(default_factory=dict)
    by_row: dict[str, Place] = field(default_factory=dict)

    @classmethod
    def of(cls, episodes: Sequence[EpisodeRecord]) -> _Index:
        index = cls()
        for episode in episodes:
            for at, step in enumerate(episode.steps):
                key = episode.episode, str(step.number)
                index.by_number.setdefault(key, {})[episode.subset] = (episode.id, at)
                index.by_row[step.row] = (episode.id, at)
        return index

    def find(self, row: Record) -> Place:
        """The step that a row answers.

        Raises:
            BadRecord: none, or one of two subsets and the row does not say which.
        """
        told = row
        if not row.has("episode_id"):
            about = next((row.raw(name) for name in _METRICS if isinstance(row.raw(name, None), Mapping)), None)
            told = row if about is None else Record(row.file, row.record, about)
        if not told.has("episode_id"):
            named = row.text("doc_id") if row.has("doc_id") else told.text("episode_id")
            if named not in self.by_row:
                raise row.wrong("doc_id", f"the data has no usable row {named}")
            return self.by_row[named]
        episode, step = told.text("episode_id"), str(told.whole("step_id"))
        found = self.by_number.get((episode, step), {})
        subset = told.text("subset", "")
        if subset in found:
            return found[subset]
        # The release writes "unknown" where its data names no subset.
        if not found or subset not in ("", "unknown"):
            raise row.wrong("episode_id", f"the data has no usable step {step} of episode {episode} {subset}".rstrip())
        if len(found) > 1:
            raise row.wrong(
                "subset", f"episode {episode} is in {' and '.join(sorted(found))}; name one in the field subset"
            )
        return next(iter(found.values()))


def read_file(path: Path, episodes: Sequence[EpisodeRecord]) -> StepReplies:
    """The replies in a file, see `FORMAT`. Null means no reply; "" is an empty or unreadable one.

    If there are several for one step, the last counts.

    Raises:
        ConfigError: the file cannot be read, or no row of it answers a step of the data.
    """
    index = _Index.of(episodes)
    texts: dict[Place, str] = {}
    known: dict[Place, str] = {}
    extra: list[str] = []
    unread: dict[Place, str] = {}
    alike = others = 0
    for row in records_of(path):
        try:
            place = index.find(row)
            said = content(row)
            if known.get(place) == said:
                alike += 1
                continue
            text, wrong = _text(row)
        except BadRecord as error:
            extra.append(str(error.bad))
            continue
        if text is not None:
            others += place in known
            known[place], texts[place] = said, text
            unread.pop(place, None)
            if wrong:
                unread[place] = wrong
    if len(texts) == len(unread):
        first = next(iter((*extra, *unread.values())), "")
        why = f"the first row: {first}" if first else "it is empty"
        raise ConfigError(f"{path.name} contains no answer to a step of the data; {why}. Predictions are {FORMAT}")
    notes = (*repetition_notes(alike, others, "a step"), *unreadable_notes(list(unread.values())))
    return StepReplies(texts, extra=tuple(extra), notes=notes)


def read_run(folder: Path, episodes: Sequence[EpisodeRecord], digest: str) -> StepReplies:
    """A run's predictions from its first trial, in the benchmark's format.

    Args:
        digest: of the annotations that `episodes` are of.

    Raises:
        ConfigError: a run of another suite or of other annotations.
    """
    from omnipilot.bench.scoring.predictions import load_predictions

    run = run_of(folder)
    version = run.spec.suite_version
    if version.rpartition("-")[2] != digest:
        raise ConfigError(f"{folder} was run on other annotations ({version}) than those of --data ({digest})")
    steps = {episode.id: len(episode.steps) for episode in episodes}
    found = load_predictions(folder)
    texts: dict[Place, str] = {}
    void: set[Place] = set()
    for task, predictions in found.tasks.items():
        for at, prediction in enumerate(predictions[: steps.get(task, 0)]):
            texts[task, at] = reply_of(prediction.actions)
        if task in found.void:
            void |= {(task, at) for at in range(steps.get(task, 0))}
        else:
            # The agent used up its tokens, dollars or seconds: that is its own doing, and not void.
            texts |= {(task, at): "" for at in range(len(predictions), steps.get(task, 0))}
    asked = frozenset(run.survey.tasks)
    notes = [
        f"the run was of {len(asked)} episodes, judged as it went by the variant "
        f"{run.spec.suite.options.get('variant', 'release')}; a prediction is written as the primitive it is"
    ]
    if run.spec.trials > 1:
        notes.append(f"of its {run.spec.trials} trials, only the first is scored")
    extra = tuple(f"episode {task}" for task in sorted(found.tasks) if task not in steps)
    return StepReplies(texts, frozenset(void), asked, extra, tuple(notes))


def run_of(folder: Path) -> Played:
    """A run of this suite.

    Raises:
        ConfigError: the folder contains no run, or a run of another suite.
    """
    run = load_played(folder, _SUITES)
    if run is None:
        raise ConfigError(f"{folder} is not a run directory. Predictions are {FORMAT}")
    return run


def _text(row: Record) -> tuple[str | None, str]:
    """The reply in a row, and any problem; of a list (or list of lists) the first element, as in the release.

    Raises:
        BadRecord: it has no field for a reply.
    """
    names = row.names
    name = next((name for name in _TEXTS if name in names), None)
    if name is None:
        raise row.wrong("prediction", f"it is missing; the row has {', '.join(names)}")
    said = row.raw(name, None)
    while isinstance(said, list) and said:
        said = said[0]
    if said is None or isinstance(said, str):
        return said, ""
    return "", "" if said == [] else str(row.wrong(name, f"a reply must be raw text, not {said!r:.80}").bad)
