"""What can be checked of questions without a model, after how MMBench-GUI's level 1 was made (A.4).

Whether a question can be answered from its picture alone, and has one right answer, a model and a person check.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.stats import Interval, mean_of
from omnipilot.bench.suites.mmbench_gui.level1.data import ScreenQuestion
from omnipilot.envs.types import fold

MOST_LONGEST = 0.4
"""Largest share of questions whose right answer is the longest option."""
FAR = 3.0
"""Standard deviations from what is expected, beyond which letters are not balanced."""


@dataclass(frozen=True, slots=True)
class QuestionCheck:
    """What a check of questions came to.

    Attributes:
        questions: how many. wrong: what is wrong with single ones, by id.
        longest: share whose right answer is the longest option. chance: mean share that guessing gets right.
        letters: by letter, how often it is right, and the number expected where each option is as likely.
        blind: by guesser that sees no picture, its share of right answers with an interval over screens.
        faults: what is wrong with all of them together.
    """

    questions: int
    wrong: dict[str, str]
    longest: float
    chance: float
    letters: dict[str, tuple[int, float]]
    blind: dict[str, Interval]
    faults: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """It in lines for a terminal."""
        yield f"{self.questions} questions; {len(self.wrong)} with a mistake of their own"
        for id, why in self.wrong.items():
            yield f"  {id}: {why}"
        yield f"the longest option is right in {100 * self.longest:.1f} % (at most {100 * MOST_LONGEST:.0f} %)"
        told = (f"{letter} {count} of {expected:.1f} expected" for letter, (count, expected) in self.letters.items())
        yield f"right letters: {', '.join(told)}"
        for name, found in self.blind.items():
            yield f"without the picture, {name}: {found.text()} %; guessing {100 * self.chance:.1f} %"
        yield from (f"fault: {one}" for one in self.faults)


def check_questions(
    questions: Sequence[ScreenQuestion], guessers: Mapping[str, Callable[[ScreenQuestion], str]] | None = None
) -> QuestionCheck:
    """Check questions one by one and together.

    One by one: options are distinct, the question does not name the application nor, whole, the right option. Together:
    the right answer is not the longest option too often, right letters are balanced, and guessers that see no picture
    (the longest option; the option most like the question) are not better than chance.

    Args:
        guessers: further ones, by what they take: each makes a letter of a question, "" for none.

    Raises:
        ValueError: there is none.
    """
    if not questions:
        raise ValueError("there is no question to check")
    wrong = {one.id: why for one in questions if (why := question_mistake(one))}
    chance = math.fsum(1 / len(one.options) for one in questions) / len(questions)
    longest = sum(_longest(one) == one.answer for one in questions) / len(questions)
    letters = {}
    faults = []
    for letter in sorted({letter for one in questions for letter, _ in one.options}):
        shares = [1 / len(one.options) for one in questions if letter in dict(one.options)]
        count, expected = sum(one.answer == letter for one in questions), math.fsum(shares)
        letters[letter] = count, expected
        spread = math.sqrt(math.fsum(share * (1 - share) for share in shares))
        if abs(count - expected) > FAR * spread:
            faults.append(f"{letter} is right {count} times, where {expected:.1f} are expected")
    if longest > MOST_LONGEST:
        faults.append(f"the right answer is the longest option in {100 * longest:.1f} % of the questions")
    blind: dict[str, Interval] = {}
    for name, guess in {**GUESSERS, **(guessers or {})}.items():
        hits = [float(guess(one) == one.answer) for one in questions]
        found = mean_of(hits, [f"{one.screen}" for one in questions], "screens")
        blind[name] = found
        if found.low is not None and found.low > chance:
            faults.append(f"who takes {name} gets {found.text()} % without the picture; guessing {100 * chance:.1f} %")
    return QuestionCheck(len(questions), wrong, longest, chance, letters, blind, tuple(faults))


def question_mistake(one: ScreenQuestion) -> str:
    """What is wrong with a question by itself; "" if nothing is."""
    texts = [fold(text) for _, text in one.options]
    repeated = [text for text, count in Counter(texts).items() if count > 1]
    if repeated:
        return f"two options are {repeated[0]!r}"
    if one.app and f" {fold(one.app)} " in f" {fold(one.question)} ":
        return f"the question names the application {one.app!r}"
    if fold(dict(one.options)[one.answer]) == fold(one.question):
        return "the question is the right option"
    return ""


def _longest(one: ScreenQuestion) -> str:
    """The letter of the longest option, the first of several."""
    return max(one.options, key=lambda option: len(option[1]))[0]


def _likest(one: ScreenQuestion) -> str:
    """The letter of the option that shares the most words with the question, the first of several."""
    asked = set(fold(one.question).split())
    return max(one.options, key=lambda option: len(asked & set(fold(option[1]).split())))[0]


GUESSERS: dict[str, Callable[[ScreenQuestion], str]] = {
    "the longest option": _longest,
    "the option most like the question": _likest,
}
