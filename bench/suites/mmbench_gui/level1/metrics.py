"""MMBench-GUI level 1, questions about a screen: which option a reply chooses, and the scores (appendix A.5.1).

Three choices make a number, and a report names all three. The parser: `"release"`, or `"fixed"`, which does not take
the first letter of any word for an option. The scoring: `"normal"` (equation 5) or `"weighted"` by the number of
options. The variant of the formula:

* `"paper"`, weighted: equations 6 and 7 as printed, where a perfect agent scores about 0.75 to 0.8;
* `"release"`, weighted: each platform divided by what is attainable on it. A level in which a platform of another level
  has no question is NaN, as in the released code;
* `"fixed"`: the release with empty cells skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from omnipilot.agents import Registry
from omnipilot.envs import ConfigError

OwnParser: TypeAlias = Callable[[str], "str | None"]
"""A parser of a model's own: from its reply to a letter, or None. The release has one a model in its settings."""
Reader: TypeAlias = Literal["release", "fixed"]
Parser: TypeAlias = Reader | OwnParser
Scoring: TypeAlias = Literal["normal", "weighted"]
Variant: TypeAlias = Literal["paper", "release", "fixed"]

OWN_PARSERS = Registry("parser of answers", {})

_DOT_OR_COLON = r"\b([A-F])[.:](?!\w)"
_OPTION = r"\bOption\s+([A-F])\b"
_ANSWER = r"\bAnswer\s*[:：]?\s*([A-F])\b"
_START_OF_LINE: Mapping[Reader, str] = {"release": r"^[ \t]*([A-F])[.:]?", "fixed": r"^[ \t]*([A-F])\b[.:]?"}
_QUOTED = r"['\"]([A-F])['\"]"
_ALONE = r"\b([A-F])\b(?!\s+\w)"


def option_of(reply: str, parser: Parser = "release") -> str | None:
    """The option that a reply chooses, "A" to "F": the first match of six searches in turn; None without a match.

    They ignore case, and `^` is the start of each line. The fourth takes the first letter of a line, of whatever word
    in the release ("Bad idea" is B, "Answer is C" is A); fixed, only of a word of one letter ("a dog" is still A).

    Raises:
        ConfigError: a parser of a model's own gives something else than a letter from A to F, or None.
    """
    if callable(parser):
        own = parser(reply)
        if own is not None and own not in tuple("ABCDEF"):
            raise ConfigError(f"a parser of answers returns a capital letter from A to F, or None, not {own!r}")
        return own
    for search in (_DOT_OR_COLON, _OPTION, _ANSWER, _START_OF_LINE[parser], _QUOTED, _ALONE):
        if hit := re.search(search, reply, re.IGNORECASE | re.MULTILINE):
            return hit[1].upper()
    return None


def answer_parser(name: str) -> Parser:
    """The parser of a name: `release`, `fixed`, or MODULE:FUNCTION for one of a model's own.

    Raises:
        ConfigError: there is none, or it cannot be called.
    """
    if name in get_args(Reader):
        return cast(Reader, name)
    wrong = f"parser must be release, fixed or MODULE:FUNCTION, not {name!r}"
    try:
        found = OWN_PARSERS.load(name)
    except ConfigError as error:
        raise ConfigError(f"{wrong}: {error}") from None
    if not callable(found):
        raise ConfigError(wrong)
    return cast(OwnParser, found)


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and the reply to it.

    Attributes:
        options: how many there were, m. answer: the letter of the right one.
        void: the infrastructure failed; it stays in the denominator and counts as wrong.

    Raises:
        ConfigError: fewer than two options, or an answer that is no capital letter from A to F.
    """

    platform: str
    difficulty: str
    options: int
    answer: str
    reply: str
    void: bool = False

    def __post_init__(self) -> None:
        if self.options < 2:
            raise ConfigError(f"a question on {self.platform} has {self.options} options; it needs at least two")
        if self.answer not in tuple("ABCDEF"):
            raise ConfigError(f"a question on {self.platform} has the answer {self.answer!r}; write one of A to F")

    @property
    def weight(self) -> float:
        """α = (m - 1) / m (equation 6)."""
        return (self.options - 1) / self.options

    def hit(self, parser: Parser = "release") -> bool:
        """Whether the reply chooses the right option."""
        return not self.void and option_of(self.reply, parser) == self.answer


@dataclass(frozen=True, slots=True)
class QuestionCell:
    """One platform at one difficulty.

    Attributes:
        questions, hits, unparsed, void: how many; unparsed ones and void ones are no hits.
        score: in 0..1, NaN where the release divides by nothing. attainable: the mean of α.
    """

    questions: int
    hits: int
    unparsed: int
    void: int
    score: float
    attainable: float


@dataclass(frozen=True, slots=True)
class Level:
    """One difficulty. score: the cells' scores, weighted by questions (equation 7). cells: by platform."""

    score: float
    questions: int
    cells: Mapping[str, QuestionCell]


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """The levels by difficulty; the benchmark defines no overall score."""

    scoring: Scoring
    variant: Variant
    parser: Parser
    levels: Mapping[str, Level]


def report(
    answers: Sequence[Answered],
    scoring: Scoring = "normal",
    variant: Variant = "release",
    parser: Parser = "release",
) -> QuestionReport:
    """Score every difficulty that occurs, each across its platforms."""
    platforms = sorted({one.platform for one in answers})
    levels = {}
    for difficulty in sorted({one.difficulty for one in answers}):
        cells = {}
        for platform in platforms:
            own = [one for one in answers if (one.difficulty, one.platform) == (difficulty, platform)]
            if own or variant == "release":
                cells[platform] = _cell(own, scoring, variant, parser)
        questions = sum(cell.questions for cell in cells.values())
        total = math.fsum(cell.score * cell.questions for cell in cells.values())
        levels[difficulty] = Level(total / questions, questions, cells)
    return QuestionReport(scoring, variant, parser, levels)


def _cell(answers: Sequence[Answered], scoring: Scoring, variant: Variant, parser: Parser) -> QuestionCell:
    hits = [one for one in answers if one.hit(parser)]
    unparsed = sum(not one.void and option_of(one.reply, parser) is None for one in answers)
    void = sum(one.void for one in answers)
    if not answers:
        return QuestionCell(0, 0, 0, 0, math.nan, math.nan)
    attainable = math.fsum(one.weight for one in answers) / len(answers)
    reached = math.fsum(one.weight for one in hits) / len(answers)
    if scoring == "normal":
        score = len(hits) / len(answers)
    else:
        score = reached if variant == "paper" else reached / attainable
    return QuestionCell(len(answers), len(hits), unparsed, void, score, attainable)
