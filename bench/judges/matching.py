"""How checks compare texts: case and blanks are folded; a text need only be contained, unless it must be exact.

Where an agent writes the text itself, being contained is not enough: a list of all answers contains the right one.
There, a text has to *say* one thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

LETTERS_BESIDE = 40
"""Letters that a text may have beside what it has to say, as in "The code is 4821."."""
MOST_DIGITS = 15
"""Of a telephone number, with the country's."""


def fold_text(text: str) -> str:
    """A text in lower case, with one space for each run of blanks."""
    return " ".join(text.split()).casefold()


def matches(wanted: str, shown: str, exact: bool = False) -> bool:
    """Whether a text shows what is wanted.

    Args:
        exact: the whole text must be it, up to case and blanks; otherwise it need only contain it.

    Returns:
        False for an empty `wanted`, which every text would contain.
    """
    folded, text = fold_text(wanted), fold_text(shown)
    return bool(folded) and (folded == text if exact else folded in text)


def says(wanted: str, text: str, others: Collection[str] = (), beside: int = LETTERS_BESIDE) -> bool:
    """Whether a text that somebody wrote says one thing, and nothing else of its kind.

    It stands there as whole words, with few letters beside it. No other number does, if it has digits itself, and
    nothing else that it could have been: "The code is 4821." says 4821, "4820, 4821, 4822" does not.

    Args:
        wanted: what it has to say; case counts, blanks are folded.
        others: what it could be instead, such as the other names of a list.
        beside: the most letters that may stand beside it.

    Returns:
        False for an empty `wanted`, which every text would say.
    """
    wanted, text = " ".join(wanted.split()), " ".join(text.split())
    if not wanted or len(text) > len(wanted) + beside:
        return False
    rest, times = re.subn(_as_words(wanted), " | ", text)
    return times > 0 and not _names_longer(wanted, text, others) and not names_other(wanted, rest, others)


def says_one(
    wanted: Sequence[str], texts: Sequence[str], others: Collection[str] = (), beside: int = LETTERS_BESIDE
) -> bool:
    """Whether each of several things is said by some text, and no text says something else of its kind.

    Args:
        wanted: what has to be said, each by one text at least.
        texts: all that was written, as by one person to another.
        others, beside: as in `says`, of each of them.
    """
    saying = {one: [text for text in texts if says(one, text, others, beside)] for one in wanted}
    stray = [text for text in texts if not any(text in some for some in saying.values())]
    return all(saying.values()) and not any(names_other(one, text, others) for one in wanted for text in stray)


def is_same_number(one: str, other: str) -> bool:
    """Whether two texts are one telephone number: the last ten digits are equal, and there is nothing but a number."""
    return _digits(one) == _digits(other) != ""


def _digits(text: str) -> str:
    """The last digits of a telephone number; "" of what is none: a text with letters, or several numbers."""
    digits = "".join(filter(str.isdigit, text))
    return "" if len(digits) > MOST_DIGITS or any(map(str.isalpha, text)) else digits[-10:]


def names_other(wanted: str, text: str, others: Collection[str] = ()) -> bool:
    """Whether a text has something else of the kind of an answer: a number, if the answer has digits, or another of
    those that it could have been.

    Args:
        text: without the answer itself.
    """
    if re.search(r"\d", wanted) and re.search(r"\d", text):
        return True
    rivals = {" ".join(one.split()) for one in others} - {"", wanted}
    # Of "Zone A" and "Zone B", the letters tell them apart.
    shared = _shared_words([wanted, *rivals]) if rivals else 0
    return any(re.search(_as_words(" ".join(one.split()[shared:])), text) for one in rivals)


def _names_longer(wanted: str, text: str, others: Collection[str]) -> bool:
    """Whether what stands in a text is another answer, of which the right one is a part: "Old Mill" for "Mill"."""
    pattern = _as_words(wanted)
    longer = (" ".join(one.split()) for one in others)
    return any(one != wanted and re.search(pattern, one) and re.search(_as_words(one), text) for one in longer)


def _as_words(text: str) -> str:
    """A pattern for a text that stands for itself: no letter or digit before or after it."""
    return rf"(?<!\w){re.escape(text)}(?!\w)"


def _shared_words(texts: Sequence[str]) -> int:
    """How many words all texts begin with, at least one word of each left out."""
    split = [text.split() for text in texts]
    most = min(map(len, split)) - 1
    return next((at for at in range(most) if len({words[at] for words in split}) > 1), max(0, most))
