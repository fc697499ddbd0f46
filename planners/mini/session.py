"""One episode of the small planner: what it is told in each call, and what its replies do.

The instruction is worked on clause by clause; the model says itself when it is done with one: `next`, or `keep` with a
value that is worth remembering. These two replies are not moves: the model is asked again at once, with the next
clause. A prompt so holds one clause, what was kept, the last moves, what was heard, and one screen; and, if the model
was trained with it, what memory recalled from before, and what moved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from omnipilot.envs import (
    Absent,
    Click,
    Done,
    Drag,
    Element,
    LongPress,
    Observation,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.types import Place, describe_element
from omnipilot.memory import Move, Recalled
from omnipilot.planners.mini.hearing import add_heard, shown_lines
from omnipilot.planners.mini.openings import OPEN, TAUGHT_DEVICES, Openings
from omnipilot.planners.mini.recollection import LONGEST_LINE, RecalledLine, choose_lines
from omnipilot.planners.mini.references import Reference, References, numbered_words, plain_words, values_in
from omnipilot.planners.mini.screens import front_elements, screen_words

LAST_MOVES = 6
"""Moves of the clause that a prompt shows."""
MOST_HEARD = 10
HOME = "home"
"""What the embedded phone calls its home screen, as the weights learnt it."""
MOST_INTENT = 24
"""Words of the intent that a prompt shows."""
SAW = "saw"
_SECTIONS = frozenset({"kept", "did", "heard", "screen", "t"})
"""Words at which something new begins; `SAW` is one, too, in prompts that tell of what moved."""
_QUOTED = re.compile(r'"[^"]*"')
_PARTS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|,\s+then\s+")
_PLACE = re.compile(r"\bon the (phone|desktop)\b", re.IGNORECASE)


class UnreadableMove(ValueError):
    """A reply that is no move."""


def split_clauses(instruction: str) -> list[str]:
    """The clauses of an instruction: its sentences, and what stands behind ", then"; quotations are never split."""
    hidden: list[str] = []

    def hide(match: re.Match[str]) -> str:
        hidden.append(match[0])
        return f'"\x00{len(hidden) - 1}\x00"'

    def show(text: str) -> str:
        return re.sub('"\x00(\\d+)\x00"', lambda match: hidden[int(match[1])], text)

    return [show(part).strip() for part in _PARTS.split(_QUOTED.sub(hide, instruction)) if part.strip()]


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that was kept: its text, and the words of the task that it belongs to."""

    text: str
    about: tuple[str, ...]


@dataclass(slots=True)
class MiniPrompt:
    """One question to the model: its words, and what the numbers in it stand for."""

    words: list[str]
    references: References

    @property
    def text(self) -> str:
        """The words, with a space between any two."""
        return " ".join(self.words)

    @property
    def screen(self) -> list[str]:
        """The words from the first screen on; none if no screen is shown."""
        return self.words[self.words.index("screen") :] if "screen" in self.words else []


@dataclass(frozen=True, slots=True)
class MiniStep:
    """What a reply means: a move, or to go on to the next clause.

    Attributes:
        move: None to go on. did: its words in the list of moves.
        value: one to keep before going on; None for none.
    """

    move: Move | None = None
    did: str = ""
    value: str | None = None


@dataclass(slots=True)
class MiniSession:
    """The state of one episode.

    Attributes:
        clauses, at: the instruction's clauses, and the one that is worked on.
        device: the device that was acted on last, "" before the first move.
        described: moves name their places in words, for a grounder to find, and not by id.
        most_recalled, most_saw: lines that a prompt shows of what memory recalled, and of what moved.
        intent: why the user wants it, as far as a prompt shows that; "" for nothing.
        openings: what can be opened, where a device is missing that was taught; None for anything.
    """

    clauses: list[str]
    at: int = 0
    kept: list[Kept] = field(default_factory=list)
    did: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    device: str = ""
    described: bool = False
    most_recalled: int = 0
    intent: str = ""
    most_saw: int = 0
    saw: list[str] = field(default_factory=list)
    openings: Openings | None = None
    _recalled: Sequence[Recalled] = ()
    _lines: dict[int, list[RecalledLine]] = field(default_factory=dict)
    _seen: Mapping[str, Observation] = field(default_factory=dict)
    _left: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def begin(cls, instruction: str, described: bool = False, most_recalled: int = 0, most_saw: int = 0) -> MiniSession:
        """A session at the start of an episode."""
        clauses = split_clauses(instruction)
        return cls(clauses, described=described, most_recalled=most_recalled, most_saw=most_saw)

    def fork(self) -> MiniSession:
        """The same episode at the same moment; neither notices what is done in the other."""
        return replace(
            self,
            kept=list(self.kept),
            did=list(self.did),
            heard=list(self.heard),
            saw=list(self.saw),
            _lines=dict(self._lines),
            _left=dict(self._left),
        )

    def look(
        self,
        seen: Mapping[str, Observation],
        heard: Sequence[str] = (),
        failed: str = "",
        recalled: Sequence[Recalled] = (),
        saw: Sequence[str] = (),
    ) -> None:
        """Take in what a turn begins with.

        Args:
            heard: what readers heard since the turn before, a sound each.
            failed: why the last move failed; "" if it did not.
            recalled: what memory recalled from before the turn.
            saw: what readers saw move since the turn before, a fact each.
        """
        self._seen = seen
        self._recalled, self._lines = recalled, {}
        self.heard = add_heard(self.heard, heard)
        self.saw = [*self.saw, *saw]
        if failed and self.did:
            self.did[-1] += " failed"
        for env, observation in seen.items():
            self._left.setdefault(env, _foreground(observation))

    @property
    def clause(self) -> str:
        """The clause that is worked on; "" behind the last one."""
        return self.clauses[self.at] if self.at < len(self.clauses) else ""

    def prompt(self, first: int = 0) -> MiniPrompt:
        """What the model is told now. `first`: number of the first reference."""
        references = References(first)
        words = ["task", *_device_word(self.clauses, self.at)]
        words += numbered_words(self.clause, references) if self.clause else ["over"]
        if self.intent:
            words += ["(", "for", *plain_words(self.intent)[:MOST_INTENT], ")"]
        task = len([word for word in words if word])
        recalled = self._recalled_words(references)
        for kept in self.kept:
            words += ["kept", references.add(kept.text), *plain_words(kept.text)[:8], "(", *kept.about, ")"]
        words += ["did", *self._recent_moves()]
        for line in _collapse(shown_lines(self.heard))[-MOST_HEARD:]:
            words += ["heard", *numbered_words(line, references, 24)]
        for line in self.saw[-self.most_saw :] if self.most_saw else ():
            words += [SAW, *numbered_words(line, references, 24)]
        for env in self._shown() if self.clause else ():
            observation = self._seen[env]
            words += ["screen", env, *plain_words(_app(observation))[:2]]
            if not isinstance(observation.elements, Absent):
                known = [one.text for one in self.kept]
                words += screen_words(env, list(observation.elements), self.clause, references, known)
        sections = _SECTIONS | {SAW} if self.most_saw else _SECTIONS
        ordered = numbers_last([word for word in words if word], sections=sections)
        return MiniPrompt([*ordered[:task], *recalled, *ordered[task:]], references)

    @property
    def lines(self) -> list[RecalledLine]:
        """Those of what was recalled that a prompt shows now, the newest last."""
        if self.at not in self._lines:
            self._lines[self.at] = choose_lines(self._recalled, self.clause, self.most_recalled)
        return self._lines[self.at]

    def _recalled_words(self, references: References) -> list[str]:
        """The lines of what was recalled, each number behind its value."""
        words = ["recalled"] if self.lines else []
        for line in self.lines:
            shown = [word for word in numbered_words(line.text, references, LONGEST_LINE) if word]
            words += [*numbers_last(shown, task=False), ";"]
        return words

    def _shown(self) -> list[str]:
        """The device acted on last, and any other whose foreground has changed by itself since it was left."""
        changed = [env for env, seen in self._seen.items() if _foreground(seen) != self._left.get(env)]
        shown = [env for env in self._seen if env == self.device or env in changed]
        return shown or list(self._seen)

    def _recent_moves(self) -> list[str]:
        words: list[str] = []
        for line in _collapse(self.did)[-LAST_MOVES:]:
            words += [*plain_words(line), ";"]
        return words

    def advance(self) -> None:
        """Go on to the next clause."""
        self.at += 1
        self.did = []
        self.heard = []
        self.saw = []

    def keep(self, text: str) -> None:
        """Keep a value that belongs to the present clause."""
        self.kept.append(Kept(text, tuple(_about(self.clause))))

    def apply(self, reply: str, prompt: MiniPrompt) -> Move | None:
        """Carry out a reply: a move to make, or None if the model is to be asked again.

        Raises:
            Unreadable: it is no reply that this planner knows.
        """
        step = self.read(reply, prompt)
        if step.move is not None:
            self.remember(step.move, step.did)
            return step.move
        if step.value is not None:
            self.keep(step.value)
        self.advance()
        return None

    def read(self, reply: str, prompt: MiniPrompt) -> MiniStep:
        """What a reply means; nothing is changed.

        Raises:
            Unreadable: it is no reply that this planner knows.
        """
        verb, *rest = reply.split() or [""]
        if verb == "next":
            return MiniStep()
        if verb == "keep" and rest:
            return MiniStep(value=prompt.references.read(rest))
        try:
            return MiniStep(*self._move(verb, rest, prompt.references))
        except ValueError as error:  # such as a key that no keyboard has
            raise UnreadableMove(str(error)) from None

    def remember(self, move: Move, did: str) -> None:
        """Note a move as made."""
        if move.env:
            self.device = move.env
            for env, seen in self._seen.items():
                if env != move.env:
                    self._left[env] = _foreground(seen)
        self.did.append(did)

    def _move(self, verb: str, rest: Sequence[str], references: References) -> tuple[Move, str]:
        if verb == "done" or verb == "infeasible":
            return Move("", Done("success" if verb == "done" else "infeasible")), verb
        if verb == "wait" and len(rest) == 1 and rest[0].isdigit():
            return Move("", Wait(float(rest[0]) or 0.5)), "wait"
        if verb == OPEN and len(rest) >= 2 and (device := self._device(rest[0])):
            app = " ".join(rest[1:])
            title = self.openings.name_of(app) if self.openings is not None else ""
            return Move(device, OpenApp(title or _title(app))), f"open {app}"
        env = self.device or next(iter(self._seen), "")
        if verb == "scroll" and list(rest) in (["down"], ["up"]):
            return Move(env, scroll_intent(env, rest[0], self._seen.get(env))), f"scroll {rest[0]}"
        if verb == "back" and not rest:
            return Move(env, System("back")), "back"
        if verb == "press" and rest:
            return Move(env, Press(tuple(rest))), " ".join(["press", *rest])
        if verb == "type" and rest:
            return self._typing(rest, references, env)
        if verb in ("click", "double", "menu", "hold", "select") and rest:
            named = references.by_word(rest[0])
            if named is None or named.element is None:
                raise UnreadableMove(f"{rest[0]} is no element")
            place, label = self._place(named), label_words(named.element)
            if verb == "click" and len(rest) == 1:
                return Move(named.env, Click(place)), f"click {label}"
            if verb == "double" and len(rest) == 1:
                return Move(named.env, Click(place, count=2)), f"double {label}"
            if verb == "menu" and len(rest) == 1:
                return Move(named.env, Click(place, button="right")), f"menu {label}"
            if verb == "hold" and len(rest) == 1:
                return Move(named.env, LongPress(place)), f"hold {label}"
            if verb == "select" and len(rest) > 1:
                return Move(named.env, Select(place, references.read(rest[1:]))), f"select {label}"
        if verb == "drag" and len(rest) == 2:
            start, end = (references.by_word(word) for word in rest)
            if start is None or end is None or start.element is None or end.element is None:
                raise UnreadableMove("drag what, and where?")
            return Move(start.env, Drag(self._place(end), self._place(start))), f"drag {label_words(start.element)}"
        raise UnreadableMove(f"no such reply: {verb}" if verb else "an empty reply")

    def _device(self, named: str) -> str:
        """The device that is named; where there is but one, that one, for it was taught with two; "" for none."""
        if named in self._seen:
            return named
        return next(iter(self._seen)) if named in TAUGHT_DEVICES and len(self._seen) == 1 else ""

    def _typing(self, rest: Sequence[str], references: References, env: str) -> tuple[Move, str]:
        """`type [clear] [enter] [<rN>] : words`."""
        if ":" not in rest:
            raise UnreadableMove("type what?")
        head, words = list(rest[: rest.index(":")]), rest[list(rest).index(":") + 1 :]
        flags = {flag for flag in ("clear", "enter") if flag in head}
        named = [word for word in head if word not in flags]
        place, label = None, ""
        if named:
            found = references.by_word(named[0])
            if found is None or found.element is None:
                raise UnreadableMove(f"{named[0]} is no element")
            place, env, label = self._place(found), found.env, label_words(found.element)
        text = references.read(words)
        return Move(env, TypeText(text, place, "clear" in flags, "enter" in flags)), f"type {label}".strip()

    def _place(self, named: Reference) -> Place:
        """Where an element is, in words if places are described and there are words that mean it alone."""
        elements = self._seen[named.env].elements
        if self.described and named.element is not None and not isinstance(elements, Absent):
            return describe_element(elements, named.element) or place_of(named)
        return place_of(named)


def numbers_last(words: Sequence[str], task: bool = True, sections: frozenset[str] = _SECTIONS) -> list[str]:
    """The words of a prompt with the number of each thing behind what is said of it, outside of the task.

    A decoder reads from left to right: where it comes to the number, it knows what the number stands for. In the task a
    number stays before its value, behind the words that say what the value is for.

    Args:
        task: whether they begin with the task. sections: words at which something new begins.
    """
    found: list[str] = []
    waiting = ""
    for word in words:
        is_number = word.startswith("<r")
        if task and word in sections:
            task = False
        if not task and waiting and (is_number or word in sections):
            found.append(waiting)
            waiting = ""
        if is_number and not task:
            waiting = word
        else:
            found.append(word)
    return [*found, waiting] if waiting else found


def scroll_intent(env: str, direction: str, seen: Observation | None) -> Scroll[Point] | Swipe[Point]:
    """Scrolling a device's screen: on the phone by a flick of the finger, which moves the other way; on the desktop
    over the list in the foreground, or else in the middle."""
    if env == "phone":
        return Swipe("up" if direction == "down" else "down")
    shown = () if seen is None or isinstance(seen.elements, Absent) else front_elements(list(seen.elements))
    items = [one.box.center for one in shown if one.role in ("listitem", "row")]
    return Scroll("down" if direction == "down" else "up", items[len(items) // 2] if items else Point(0.5, 0.5))


def place_of(named: Reference) -> Ref | Point:
    """Where an element is: by its id, or by its middle if it has none, or one that no device knows."""
    element = named.element
    assert element is not None
    return Ref(element.id) if element.id and element.source == "tree" else element.box.center


def label_words(element: Element) -> str:
    """Two words of an element's label, for the list of moves."""
    return " ".join(plain_words(element.name or element.value)[:2])


def _app(observation: Observation) -> str:
    context = observation.context
    if isinstance(context, Absent):
        bars = (
            []
            if isinstance(observation.elements, Absent)
            else [e for e in observation.elements if e.role == "titlebar"]
        )
        return bars[-1].name.rsplit(" - ", 1)[-1] if bars else ""
    # Android's home screen is an application, of one name or another: Launcher3, Pixel Launcher.
    return HOME if "launcher" in context.app.casefold() else context.app


def _foreground(observation: Observation) -> frozenset[str]:
    """What tells whether another screen has come to the front: the application and its buttons."""
    shown = () if isinstance(observation.elements, Absent) else front_elements(list(observation.elements))
    return frozenset({_app(observation), *(one.name for one in shown if one.role == "button" and one.id != "banner")})


def _title(app: str) -> str:
    return " ".join(word.capitalize() for word in app.split())


def _device_word(clauses: Sequence[str], at: int) -> list[str]:
    """The device that the instruction named last, up to the clause at an index."""
    for clause in reversed(clauses[: at + 1]):
        if found := _PLACE.findall(clause):
            return [found[-1].lower()]
    return []


def _about(clause: str) -> list[str]:
    """A few words that a clause is about: the values in it, or else its last words."""
    values = [word for value in values_in(clause) for word in plain_words(value)[:4]]
    return values[:8] or plain_words(clause)[-6:]


def _collapse(lines: Sequence[str]) -> list[str]:
    """The lines, equal ones in a row once with their number."""
    found: list[tuple[str, int]] = []
    for line in lines:
        if found and found[-1][0] == line:
            found[-1] = line, found[-1][1] + 1
        else:
            found.append((line, 1))
    return [line if times == 1 else f"{line} {times} times" for line, times in found]
