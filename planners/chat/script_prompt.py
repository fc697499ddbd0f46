"""The words of a script writer's prompt, within a number of tokens: what is left out first, and what never.

The order is that of OmniACT (arXiv 2402.17553, §6 and figure 4): role and functions, examples, elements, rules, task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from omnipilot.envs import ConfigError, Element, Size
from omnipilot.memory import estimate_tokens
from omnipilot.memory.messages import Part
from omnipilot.memory.quoting import plain, quote
from omnipilot.planners.recalled import join_words

PartOrText = TypeVar("PartOrText", Part, str)

KEPT = 20
"""Elements that examples have to make room for, as many as DetACT's filter leaves; others make room for them."""
EXAMPLES = "Examples, the one most like the task last:"
LISTED = "On the screen:"
NOTHING = "Nothing was found on the screen."
DONE = "Done before:"
_MORE = "(and 1000000 more)"
_KINDS = {"text": 0, "image": 1, "color": 2}
"""The order of what was read from a picture; what comes from a tree stays in the tree's order."""


@dataclass(frozen=True)
class ScriptPrompt:
    """What there is to say, whole.

    Attributes:
        system: role and functions. rules, task: like these never left out.
        examples: texts, the nearest last.
        elements: of the screen, of `size` pixels; None where the screen's elements are not shown.
        unlisted: how many more elements there are.
        past: what memory and readers tell, oldest first. done: earlier scripts, oldest first.
        feedback: on the last one.
    """

    system: str
    rules: str
    task: str
    size: Size
    examples: Sequence[str] = ()
    elements: Sequence[Element] | None = None
    unlisted: int = 0
    past: Sequence[Part] = ()
    done: Sequence[str] = ()
    feedback: str = ""

    def user_parts(self, tokens: int) -> tuple[Part, ...]:
        """All that stands after the system prompt, so that both together have at most so many tokens.

        Left out first are elements of the least confidence while there are more than `KEPT`, then examples from the
        farthest, then what memory tells and what was done, from the oldest, then the other elements. Tokens are those
        of `omnipilot.memory.allowance.estimate_tokens`; pictures do not count.

        Raises:
            ConfigError: role, rules and task alone have more.
        """
        cut = _Cut(tokens - sum(map(estimate_tokens, (self.system, self.rules, self.task))))
        if cut.left < 0:
            needed = tokens - cut.left
            raise ConfigError(
                f"the prompt of planner 'pyautogui' has {needed:,} tokens without examples and elements, more than its "
                f"option tokens allows ({tokens:,}); set -o planner.tokens={2 * needed} or so"
            )
        elements = self.elements or ()
        lines = element_lines(elements, self.size)
        ranked = sorted(range(len(lines)), key=lambda at: (-_confidence(elements[at]), at))
        feedback = cut.take([self.feedback] if self.feedback else [])
        first = cut.take([lines[at] for at in ranked[:KEPT]], f"{LISTED} {_MORE}")
        done = _last(cut, self.done, DONE)
        past = _last(cut, self.past)
        examples = _last(cut, self.examples, EXAMPLES)
        others = cut.take([lines[at] for at in ranked[KEPT:]]) if len(first) == KEPT else []
        shown = sorted(ranked[: len(first) + len(others)], key=lambda at: (_kind(elements[at]), at))
        return join_words(
            [
                *([EXAMPLES, *examples] if examples else ()),
                *past,
                *self._listed([lines[at] for at in shown], cut),
                self.rules,
                self.task,
                *([DONE, *done] if done else ()),
                *feedback,
            ]
        )

    def _listed(self, lines: Sequence[str], cut: _Cut) -> list[str]:
        """The elements under their heading, and how many more there are."""
        if not lines:
            return [] if self.elements is None else cut.take([NOTHING])
        more = len(self.elements or ()) + self.unlisted - len(lines)
        return [LISTED, *lines, *([f"(and {more} more)"] if more else ())]


class _Cut:
    """What is left of a number of tokens."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens

    def take(self, parts: Sequence[PartOrText], heading: str = "") -> list[PartOrText]:
        """The first of the parts, as many as fit under their heading."""
        found: list[PartOrText] = []
        room = self.left - estimate_tokens(heading)
        for part in parts:
            cost = estimate_tokens(part) if isinstance(part, str) else 0
            if cost > room:
                break
            room -= cost
            found.append(part)
        if found:
            self.left = room
        return found


def _last(cut: _Cut, parts: Sequence[PartOrText], heading: str = "") -> list[PartOrText]:
    """The last of the parts, as many as fit under their heading, in their order."""
    return cut.take(parts[::-1], heading)[::-1]


def element_lines(elements: Sequence[Element], size: Size) -> list[str]:
    """A line about each element: role, name, value and the pixel of its middle."""
    lines = []
    for element in elements:
        x, y = element.box.center.to_pixel(size)
        value = f" = {quote(element.value)}" if element.value else ""
        lines.append(f"{plain(element.role)} {quote(element.name)}{value} at ({x}, {y})")
    return lines


def _confidence(element: Element) -> float:
    return 1.0 if element.confidence is None else element.confidence


def _kind(element: Element) -> int:
    return 0 if element.source == "tree" else _KINDS.get(element.role, len(_KINDS))
