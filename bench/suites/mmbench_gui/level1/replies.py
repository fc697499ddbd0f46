"""Reads replies to MMBench-GUI level 1, from the release's tables of predictions or from a run directory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from omnipilot.bench.scoring.data.records import BadRecord, Record
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.bench.scoring.data_runs import load_played
from omnipilot.bench.scoring.row_problems import content, repetition_notes
from omnipilot.bench.suites.mmbench_gui.level1.data import MODES, Mode, ScreenQuestion
from omnipilot.bench.suites.mmbench_gui.level1.metrics import Reader
from omnipilot.envs import ConfigError

_SUITES = ("mmbench-l1", "omnipilot.bench.suites.mmbench_gui.level1.suite:MMBenchL1")
FAILED = "Failed to obtain answer"
"""How a prediction begins that the release writes where the model could not be asked."""


@dataclass(frozen=True, slots=True)
class QuestionReply:
    """A reply; "" if nothing was answered. `void` if the model could not be called."""

    text: str
    void: bool = False


@dataclass(frozen=True, slots=True)
class QuestionReplies:
    """Replies by the id of their question.

    Attributes:
        mode: whose indices they have. asked: ids of the questions that were to be asked; None for all of the mode.
        extra: predictions for no question, and rows that cannot be read.
        notes: for the report.
        parser: of the model's own, MODULE:FUNCTION, that a run read them with; "" for none.
    """

    mode: Mode
    replies: dict[str, QuestionReply]
    asked: frozenset[str] | None = None
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parser: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    index: int
    reply: QuestionReply
    question: str
    difficulty: str
    content: str


def read_file(path: Path, questions: Sequence[ScreenQuestion]) -> QuestionReplies:
    """The replies of a table with the columns `index` and `prediction`, as .json, .jsonl or .csv.

    Indices count otherwise in each mode of the release, and a table does not say which one it is of. It is the mode in
    which most rows fit; `question` and `difficulty`, which the release's tables have, tell modes apart. Of several
    predictions for one question the last counts.

    Args:
        questions: of all levels.

    Raises:
        ConfigError: the file cannot be read, or no row of it can.
    """
    if path.suffix in (".xlsx", ".xls", ".pkl"):
        raise ConfigError(
            f"{path.name}: save the table as .csv with the columns index and prediction, and score that file"
        )
    rows: list[_Row] = []
    extra: list[str] = []
    for record in records_of(path):
        try:
            rows.append(_row(record))
        except BadRecord as error:
            extra.append(str(error.bad))
    if not rows:
        why = f"the first: {extra[0]}" if extra else "it is empty"
        raise ConfigError(f"{path.name} has no row with index and prediction; {why}")
    mode = max(MODES, key=lambda mode: sum(map(_fitting(questions, mode), rows)))
    fits = _fitting(questions, mode)
    by_index = {one.index(mode): one for one in _of(questions, mode)}
    replies: dict[str, QuestionReply] = {}
    known: dict[int, str] = {}
    alike = others = 0
    for row in rows:
        if not fits(row):
            other = " that is asked so" if row.index in by_index else ""
            extra.append(f"{row.name}: mode {mode} has no question of index {row.index}{other}")
        elif known.get(row.index) == row.content:
            alike += 1
        elif not (row.reply.void and row.index in known):
            others += row.index in known
            known[row.index], replies[by_index[row.index].id] = row.content, row.reply
    notes = (f"indices are those of mode {mode}", *repetition_notes(alike, others, "a question"))
    return QuestionReplies(mode, replies, None, tuple(extra), notes)


def read_run(folder: Path, questions: Sequence[ScreenQuestion], digest: str) -> QuestionReplies:
    """The replies of a run of the suite `mmbench-l1`, from its first trial.

    Args:
        digest: of the annotations that `questions` are of.

    Raises:
        ConfigError: a run of something else, or of other annotations.
    """
    from omnipilot.bench.scoring.predictions import load_predictions
    from omnipilot.bench.suites.mmbench_gui.level1.suite import reply_of

    run = load_played(folder, _SUITES)
    assert run is not None
    version = run.spec.suite_version
    if version.rpartition("-")[2] != digest:
        raise ConfigError(f"{folder} was run on other annotations ({version}) than those of --data ({digest})")
    known = {one.id for one in questions}
    found = load_predictions(folder)
    replies: dict[str, QuestionReply] = {}
    for task, predictions in found.tasks.items():
        said = reply_of(predictions[0]) if predictions else None
        replies[task] = QuestionReply(said or "", task in found.void)
    asked = frozenset(run.survey.tasks)
    extra = tuple(sorted(task for task in replies if task not in known))
    mode: Mode = run.spec.suite.options.get("mode", "all")
    notes = [f"the run was of {len(asked)} questions"]
    if run.spec.trials > 1:
        notes.append(f"of its {run.spec.trials} trials, only the first is scored")
    read_by = run.spec.suite.options.get("parser", "")
    own = "" if read_by in get_args(Reader) else read_by
    kept = {id: one for id, one in replies.items() if id in known}
    return QuestionReplies(mode, kept, asked, extra, tuple(notes), own)


def _row(record: Record) -> _Row:
    index = record.whole("index", least=0)
    if "prediction" not in record.names:
        raise record.wrong("prediction", "it is missing")
    value = record.raw("prediction", None)
    text = "" if value is None else str(value)
    # Where the model could not be asked the release writes so, or nothing; its parser would read the words as an F.
    reply = QuestionReply(text, value is None or FAILED in text)
    question, difficulty = record.text("question", ""), record.text("difficulty", "")
    return _Row(f"{record.file}, record {record.record}", index, reply, question.strip(), difficulty, content(record))


def _of(questions: Iterable[ScreenQuestion], mode: Mode) -> list[ScreenQuestion]:
    return [one for one in questions if mode == "all" or one.id.endswith(f"-{mode}")]


def _fitting(questions: Sequence[ScreenQuestion], mode: Mode) -> Callable[[_Row], bool]:
    by_index = {one.index(mode): one for one in _of(questions, mode)}

    def fits(row: _Row) -> bool:
        one = by_index.get(row.index)
        return one is not None and row.question in ("", one.question) and row.difficulty in ("", one.difficulty)

    return fits
