"""`omnipilot score mmbench-l1`: MMBench-GUI level 1 from predictions made elsewhere, or from a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.mmbench_gui.level1.data import GET, ScreenQuestion, load
from omnipilot.bench.suites.mmbench_gui.level1.figures import (
    POOLED,
    QuestionUnit,
    Rules,
    by_chance,
    by_platform,
    empty_cells,
    figures,
    platform_figures,
)
from omnipilot.bench.suites.mmbench_gui.level1.metrics import Answered, answer_parser
from omnipilot.bench.suites.mmbench_gui.level1.replies import (
    FAILED,
    QuestionReplies,
    QuestionReply,
    read_file,
    read_run,
)
from omnipilot.envs import ConfigError

_MAXIMUM = "so that a perfect agent stays below 100 %"
RULES: dict[str, Rules] = {
    "release": Rules("normal", "fixed", "release", "share of right answers, replies read by the released parser"),
    "weighted-release": Rules(
        "weighted",
        "fixed",
        "release",
        "right answers weigh (m - 1) / m for m options, each platform divided by what can be reached on it",
    ),
    "weighted-paper": Rules(
        "weighted",
        "paper",
        "release",
        f"equations 6 and 7 as printed: right answers weigh (m - 1) / m and nothing is divided, {_MAXIMUM}",
    ),
    "fixed": Rules(
        "normal", "fixed", "fixed", "share of right answers; the parser takes no first letter of a word for an option"
    ),
    "weighted-fixed": Rules(
        "weighted",
        "fixed",
        "fixed",
        "as weighted-release, with the fixed parser",
    ),
}


@dataclass
class MMBenchL1Score:
    """Scores by level and platform.

    Attributes:
        parser: a model's own parser of its replies, MODULE:FUNCTION, instead of the variant's. "" takes that of a run
            whose suite has one, and else the variant's.

    Raises:
        ConfigError: there is no such parser.
    """

    parser: str = ""

    name: ClassVar[str] = "mmbench-l1"
    variants: ClassVar[tuple[str, ...]] = tuple(RULES)
    format: ClassVar[str] = (
        "a table (.csv, .json, .jsonl) with the columns index and prediction, as the release writes it (save its .xlsx "
        "as .csv), or a run directory of the suite mmbench-l1"
    )

    def __post_init__(self) -> None:
        if self.parser:
            answer_parser(self.parser)

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """The levels' scores, the number of unreadable replies, and a table by platform.

        Raises:
            ConfigError: no such variant; data or predictions cannot be read, or do not belong together.
        """
        if variant not in RULES:
            raise ConfigError(f"mmbench-l1 has no variant {variant!r}; it has {', '.join(RULES)}")
        if predictions.is_dir() and not (predictions / "spec.json").is_file():
            raise ConfigError(f"{predictions} is not a run directory. Predictions are {self.format}")
        every = load(data)
        if predictions.is_dir():
            found = read_run(predictions, every.loaded.items, every.digest)
        else:
            found = read_file(predictions, every.loaded.items)
        read = every.loaded if found.mode == "all" else load(data, found.mode).loaded
        questions = [one for one in read.items if found.asked is None or one.id in found.asked]
        if not questions or not found.replies:
            raise ConfigError(f"{predictions} has no prediction for any question of the data. {GET}")
        rules, notes = RULES[variant], found.notes
        if own := self.parser or found.parser:
            rules, notes = replace(rules, parser=answer_parser(own)), (*notes, f"replies are read by {own}")
        return _scored(questions, replace(found, notes=notes), rules, variant, read.bad)


def _scored(
    questions: Sequence[ScreenQuestion], found: QuestionReplies, rules: Rules, variant: str, bad: tuple[Bad, ...]
) -> Scored:
    missing = tuple(f"{one.id} (index {one.index(found.mode)})" for one in questions if one.id not in found.replies)
    units = [_unit(one, found.replies.get(one.id, QuestionReply("", void=True))) for one in questions]
    shown = figures(units, rules)
    notes = [f"{variant}: {rules.words}", *found.notes]
    notes.append(f"guessing reaches {100 * by_chance(units, rules):.1f} % on average")
    if any(figure.name == POOLED for figure in shown):
        notes.append(f"{POOLED}: every question alike; the benchmark itself has no score over its levels")
    if empty := empty_cells(units):
        notes.append(f"no question of {', '.join(empty)}: left out of those levels, where the released code gets NaN")
    if failed := sum(reply.void for reply in found.replies.values()):
        notes.append(f"{failed} predictions say that the model could not be asked ({FAILED!r}, or nothing): void")
    table, parts = by_platform(units, rules), platform_figures(units, rules)
    return Scored("mmbench-l1", variant, shown, (table,), bad, missing, found.extra, tuple(notes), parts)


def _unit(one: ScreenQuestion, reply: QuestionReply) -> QuestionUnit:
    answered = Answered(one.platform, one.difficulty, len(one.options), one.answer, reply.text, reply.void)
    return QuestionUnit(answered, f"screen-{one.screen}", one.id)
