"""Regular expressions that come from outside, searched in a time that grows with the text and never explodes.

Python's `re` tries one way after the other, which takes forever on some patterns, and lets no signal through meanwhile.
Here all ways are followed at once (Thompson, "Regular expression search algorithm", CACM 11(6), 1968), and the sets of
places in the pattern that were reached are kept, as the states of an automaton that is made while it is used. Of all
matches the leftmost is found, and of these the longest, as POSIX asks. Patterns are read by the parser of `re`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

MOST_PATTERN = 1000
"""Characters of a pattern."""
MOST_PLACES = 4000
"""Places of a pattern: its characters, and those of its repetitions written out."""
MOST_STEPS = 10_000_000
"""Steps of one search, one or two seconds; a character of the text is one where its transition is known."""
STEPS_OF_PLACE = 10
"""Steps that each place costs where a transition has to be made."""
MOST_KEPT = 300_000
"""Places in the transitions that are kept; then the automaton is made anew."""
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "space": r"\s",
    "upper": "A-Z",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "blank": r" \t",
    "xdigit": "0-9a-fA-F",
}


class TooManySteps(ValueError):
    """A search that would take too long."""


class Steps:
    """Counts the steps of all that shares it.

    Args:
        most: after so many it raises `TooManySteps`.
        within: steps of something larger, which these are counted among, too.
    """

    def __init__(self, most: int = MOST_STEPS, within: Steps | None = None) -> None:
        self.most = most
        self.within = within
        self.spent = 0

    def spend(self, steps: int) -> None:
        """Count so many more.

        Raises:
            TooManySteps: those are too many.
        """
        self.spent += steps
        if self.spent > self.most:
            raise TooManySteps("it takes too long")
        if self.within is not None:
            self.within.spend(steps)


def grep_pattern(
    pattern: str, extended: bool, fixed: bool = False, ignore_case: bool = False, steps: Steps | None = None
) -> ShellPattern:
    """A regular expression of grep, basic or extended.

    Raises:
        ValueError: it is none, or too large.
    """
    if len(pattern) > MOST_PATTERN:
        raise ValueError("pattern too long")
    if fixed:
        return ShellPattern(re.escape(pattern), ignore_case, steps)
    for name, characters in CLASSES.items():
        pattern = pattern.replace(f"[:{name}:]", characters)
    if not extended:
        pattern = re.sub(r"\\([(){}|+?])|([(){}|+?])", lambda m: m[1] if m[1] else "\\" + m[2], pattern)
    return ShellPattern(pattern, ignore_case, steps)


_Test: TypeAlias = Callable[[str], bool]
_Place: TypeAlias = tuple[Any, Any, tuple[int, ...]]
"""What is asked here (`_TEST` of a character, `_WHERE` in the text, None of nothing), of what, and where it leads."""
_TEST, _WHERE, _END = "test", "where", "end"
_CATEGORIES: dict[Any, _Test] = {
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    codes.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    codes.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    codes.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}
_is_word = _CATEGORIES[codes.CATEGORY_WORD]


class _State(dict[str, "tuple[bool, _State]"]):
    """A set of places that were reached, after a character of a kind; as a mapping, where each next character leads,
    and whether a match ends before it."""

    __slots__ = ("before", "places")

    def __init__(self, places: frozenset[int], before: str) -> None:
        super().__init__()
        self.places, self.before = places, before


class ShellPattern:
    """A regular expression, without back-references, look-around and possessive repetitions.

    Args:
        pattern: in the syntax of `re`.
        ignore_case: whether capital and small letters are the same.
        steps: that its searches take; by default each pattern has `MOST_STEPS`.

    Raises:
        ValueError: it is none, is longer than 1000 characters, has too many repetitions, or uses what there is not.
    """

    def __init__(self, pattern: str, ignore_case: bool = False, steps: Steps | None = None) -> None:
        if len(pattern) > MOST_PATTERN:
            raise ValueError("pattern too long")
        self._steps = steps or Steps()
        self._places: list[_Place] = [(_END, None, ())]
        self._built = 0
        try:
            tree = _parser.parse(pattern, re.IGNORECASE if ignore_case else 0)
            self._first = self._add_all(tree, 0, tree.state.flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"bad regex '{pattern}': {error}") from None
        anywhere = self._add(None, None, ())
        self._places[anywhere] = (None, None, (self._first, self._add(_TEST, lambda _: True, (anywhere,))))
        self._anywhere = anywhere
        self._asks_where = any(kind is _WHERE for kind, _, _ in self._places)
        self._states: dict[tuple[frozenset[int], str], _State] = {}
        self._kept = 0

    # Making the places: each is added after those that it leads to.

    def _add(self, kind: str | None, asked: Any, next_places: tuple[int, ...]) -> int:
        self._places.append((kind, asked, next_places))
        return len(self._places) - 1

    def _add_all(self, tree: Iterable[Any], then: int, options: int) -> int:
        """Places for a sequence; returns the first one."""
        for kind, value in reversed(list(tree)):
            then = self._add_one(kind, value, then, options)
        return then

    def _add_one(self, kind: Any, value: Any, then: int, options: int) -> int:
        self._built += 1
        if self._built > MOST_PLACES:
            raise ValueError("Regular expression too big")
        if kind in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            return self._add(_TEST, _test_of(kind, value, options), (then,))
        if kind is codes.AT:
            return self._add(_WHERE, (value, bool(options & re.MULTILINE)), (then,))
        if kind is codes.SUBPATTERN:
            _, more, fewer, inside = value
            return self._add_all(inside, then, (options | more) & ~fewer)
        if kind is codes.BRANCH:
            return self._add(None, None, tuple(self._add_all(one, then, options) for one in value[1]))
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            least, most, inside = value
            if most is codes.MAXREPEAT:
                loop = self._add(None, None, ())
                self._places[loop] = (None, None, (self._add_all(inside, loop, options), then))
                then = loop
            else:
                end = then
                for _ in range(most - least):
                    then = self._add(None, None, (self._repeat(inside, then, options), end))
            for _ in range(least):
                then = self._repeat(inside, then, options)
            return then
        raise ValueError("back-references, look-around and possessive repetitions are not supported")

    def _repeat(self, inside: Any, then: int, options: int) -> int:
        return self._add_one(codes.SUBPATTERN, (None, 0, 0, inside), then, options)

    # Following them.

    def _state(self, places: frozenset[int], before: str) -> _State:
        """The state of these places after the character `before` ("" at the start)."""
        kind = "start" if not before else "line" if before == "\n" else "word" if _is_word(before) else "other"
        key = (places, kind if self._asks_where else "")
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = _State(*key)
        return found

    def _step(self, state: _State, char: str) -> tuple[bool, _State]:
        """Whether a match ends in a state before a character ("" at the end), and the state after it."""
        reached: set[int] = set()
        todo = list(state.places)
        after: set[int] = set()
        ends = False
        while todo:
            place = todo.pop()
            if place in reached:
                continue
            reached.add(place)
            kind, asked, next_places = self._places[place]
            if kind is None or (kind is _WHERE and _is_there(asked[0], asked[1], state.before, char)):
                todo += next_places
            elif kind is _END:
                ends = True
            elif kind is _TEST and char and asked(char):
                after.update(next_places)
        self._steps.spend(STEPS_OF_PLACE * (1 + len(reached)))
        self._kept += 10 + len(after)
        if self._kept > MOST_KEPT:
            self._kept = 0
            self._states.clear()
        found = (ends, self._state(frozenset(after), char))
        state[char] = found
        return found

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in a text.

        Raises:
            TooManySteps: that would take too long.
        """
        self._steps.spend(len(text))
        state = self._state(frozenset((self._anywhere,)), "")
        for char in text:
            ends, state = state.get(char) or self._step(state, char)
            if ends:
                return True
        return (state.get("") or self._step(state, ""))[0]

    def fits(self, text: str) -> bool:
        """Whether the pattern matches a text as a whole.

        Raises:
            TooManySteps: that would take too long.
        """
        return self._end_from(text, 0, whole=True) is not None

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each match, from left to right; none touches the inside of another.

        Raises:
            TooManySteps: that would take too long.
        """
        at = 0
        while at <= len(text):
            end = self._end_from(text, at)
            if end is not None:
                yield at, end
            at = max(at + 1, end or 0)

    def _end_from(self, text: str, start: int, whole: bool = False) -> int | None:
        """Where the longest match from `start` on ends; with `whole`, only a match up to the end counts."""
        state = self._state(frozenset((self._first,)), text[start - 1 : start])
        found = None
        at = start
        while state.places:
            char = text[at : at + 1]
            ends, state = state.get(char) or self._step(state, char)
            if ends and (not char or not whole):
                found = at
            at += 1
        self._steps.spend(4 * (at - start) + 4)
        return found


def _test_of(kind: Any, value: Any, options: int) -> _Test:
    """Whether a character is meant by a part of the tree that means one character."""
    if kind is codes.ANY:
        return (lambda _: True) if options & re.DOTALL else (lambda char: char != "\n")
    parts = list(value) if kind is codes.IN else [(codes.LITERAL, value)]
    negated = kind is codes.NOT_LITERAL
    if parts and parts[0][0] is codes.NEGATE:
        negated, parts = True, parts[1:]
    singles = {chr(what) for part, what in parts if part is codes.LITERAL}
    ranges = [(chr(what[0]), chr(what[1])) for part, what in parts if part is codes.RANGE]
    categories = [_CATEGORIES[what] for part, what in parts if part is codes.CATEGORY]

    def named(char: str) -> bool:
        return (
            char in singles
            or any(low <= char <= high for low, high in ranges)
            or any(category(char) for category in categories)
        )

    if options & re.IGNORECASE:
        return lambda char: any(named(one) for one in {char, char.lower(), char.upper()}) != negated
    return lambda char: named(char) != negated


def _is_there(place: Any, by_line: bool, before: str, char: str) -> bool:
    """Whether the place between a character of the kind `before` and the character `char` is one that is meant."""
    if place is codes.AT_BEGINNING:
        return before == "start" or (by_line and before == "line")
    if place is codes.AT_END:
        return not char or (by_line and char == "\n")
    if place is codes.AT_BEGINNING_STRING:
        return before == "start"
    if place is codes.AT_END_STRING:
        return not char
    return ((before == "word") != bool(char and _is_word(char))) == (place is codes.AT_BOUNDARY)
