"""What the user of a task knows and tells only when asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNKNOWN = "I don't know."
"""The answer to a question about something that the user knows nothing of."""
ONE_AT_A_TIME = "One thing at a time, please."
"""The answer to a question about several things."""
TOO_LONG = "That is too long for me. Please ask a short question."
MOST_WORDS = 80
"""Words of the longest question that a user reads."""


@dataclass(frozen=True, slots=True)
class UserFact:
    """One thing that a user can be asked about.

    Attributes:
        topics: words that name it, such as ("code", "pin"); a question with any of them is about it. A topic of several
            words needs all of them. No two facts of a user share a topic.
        answer: what the user says; `UNKNOWN` for a thing that a question may be about, and that the user knows nothing
            of.
    """

    topics: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class UserFacts:
    """What a user knows, and the rules by which `--user rules` answers.

    A question gets one answer at most, and nothing that it does not ask for:

    - about one thing: its answer, also when it is asked again;
    - about several things: `ONE_AT_A_TIME`, and nothing of either;
    - about nothing that the user knows of, such as "What should I know?": `UNKNOWN`;
    - of more than `MOST_WORDS` words: `TOO_LONG`.

    A list of all topics in one question is therefore answered by none of them. Words count in any case and order, with
    or without the s of a plural. There is no chance in it: the same question gets the same answer.
    """

    facts: tuple[UserFact, ...]

    def answer(self, question: str) -> str:
        """What the user says to a question."""
        words = _words(question)
        if len(words) > MOST_WORDS:
            return TOO_LONG
        asked = self.facts_about(question)
        if len(asked) > 1:
            return ONE_AT_A_TIME
        return asked[0].answer if asked else UNKNOWN

    def facts_about(self, question: str) -> tuple[UserFact, ...]:
        """The facts that a question is about, in the user's order."""
        said = frozenset(_words(question))
        return tuple(fact for fact in self.facts if any(said.issuperset(_words(topic)) for topic in fact.topics))


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without the s of a plural or of a possessive."""
    found = re.findall(r"\w+", re.sub(r"['’]s\b", "", text.casefold()))
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in found]
