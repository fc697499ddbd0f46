"""The input to a decision of the planner `rules`, and its state for the current clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from omnipilot.envs import Absent, Element, Intent, Observation
from omnipilot.envs.types import Place
from omnipilot.memory import Move
from omnipilot.planners.base import Request, Verbs
from omnipilot.planners.rules.matching.elements import exactly, legible, matching_elements, place_of
from omnipilot.planners.rules.matching.foreground_window import in_front, title
from omnipilot.planners.rules.matching.notes import Note, Tape
from omnipilot.planners.rules.matching.table_cells import cells_of
from omnipilot.planners.rules.words import Clause

_EDGE = 0.9


@dataclass(frozen=True, slots=True)
class Do:
    """A move for the current clause.

    Attributes:
        completes: the clause is done once the move was carried out.
        covers: so are all clauses made of the same words.
        after: what then stands on the screen behind this text was to be found out.
    """

    move: Move
    completes: bool
    why: str
    covers: bool = False
    after: str = ""


@dataclass(frozen=True, slots=True)
class Met:
    """The clause is fulfilled."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Nothing is left to try."""

    why: str


Result = Do | Met | Stuck


@dataclass
class ClauseProgress:
    """What has been tried for the current clause.

    Attributes:
        loose: what is only called something like the phrase will do, as nothing is called so.
        views: what was in view at each place of a list that was scrolled. turned: it is being scrolled back.
        scores: how much options that were tried sound like what was heard.
        playing: a control to stop what plays was seen. calm: turns in a row without sound or movement.
    """

    tried: set[str] = field(default_factory=set)
    failures: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    scrolls: int = 0
    backs: int = 0
    pressed: int = 0
    spelt: str = ""
    views: list[frozenset[str]] = field(default_factory=list)
    turned: bool = False
    loose: bool = False
    scores: dict[str, float] = field(default_factory=dict)
    playing: bool = False
    calm: int = 0
    waits: int = 0
    moved: bool = False
    opened: bool = False
    before: object = None

    def loosened(self) -> ClauseProgress:
        """A second attempt, which accepts looser name matches and looks nowhere twice."""
        return ClauseProgress(loose=True, tried=self.tried, failures=self.failures, waits=self.waits)


@dataclass
class Known:
    """Knowledge gathered over the whole episode.

    Attributes:
        read: texts seen so far, in order of first sight.
        noted: those that came into view when something was to be read.
        notes: what was found out. tapes: sound and film since something was last done, by environment.
        cells: what cells of the table at hand hold, by name. table: title of the window with it.
        fixed: marks of what is always at the edge of the screen, and no part of an application, by environment.
        filled: fields that were typed into, by the name of their place, since the application was opened.
        copied: text to paste.
        sought: phrase of what was to be found on the way.
        env: where the last move went.
        named: applications that the instruction names.
        apps: the application at the front of each environment, as far as it was opened by name.
        lacking: (environment, application) that could not be opened.
        ocr: whether letters and numbers in films are read.
    """

    read: dict[str, None] = field(default_factory=dict)
    noted: dict[str, None] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    tapes: dict[str, Tape] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    table: str = ""
    fixed: dict[str, frozenset[str]] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    copied: str = ""
    sought: str = ""
    env: str = ""
    named: frozenset[str] = frozenset()
    apps: dict[str, str] = field(default_factory=dict)
    lacking: set[tuple[str, str]] = field(default_factory=set)
    ocr: bool = True

    def orient(self, env: str, elements: Sequence[Element]) -> None:
        """Learn at the start what is at the bottom edge in every application."""
        edge = (mark(e) for e in elements if e.box.top >= _EDGE)
        self.fixed.setdefault(env, frozenset(edge))

    def tabulate(self, elements: Sequence[Element]) -> None:
        """Remember the visible cells while the same table is in front."""
        found = cells_of(elements)
        if not found:
            return
        if (named := title(elements)) != self.table:
            self.cells, self.table = {}, named
        self.cells |= found


class TurnScene:
    """One turn from the view of the planner `rules`.

    Attributes:
        envs: the environments that the clause may mean, the likeliest first.
    """

    def __init__(
        self, request: Request, clause: Clause, later: Sequence[Clause], progress: ClauseProgress, known: Known
    ) -> None:
        self.request = request
        self.clause = clause
        self.later = tuple(one.target for one in later)
        self.progress = progress
        self.known = known
        self.envs = _meant(request, clause.where, known.env)

    @property
    def instruction(self) -> str:
        """The whole instruction."""
        return self.request.brief.instruction

    def observation(self, env: str) -> Observation:
        """The observation of an environment."""
        return self.request.observations[env]

    def time(self) -> float:
        """The latest observed time, in seconds on the world's clock."""
        return max(observation.time for observation in self.request.observations.values())

    def verbs(self, env: str) -> Verbs:
        """The verbs of an environment."""
        return self.request.brief.envs[env]

    def lacks_elements(self, env: str) -> bool:
        """Whether its elements are withheld, so that places can only be described in words."""
        return isinstance(self.request.observations[env].elements, Absent)

    def everything(self, env: str) -> list[Element]:
        """Every element of an environment."""
        elements = self.request.observations[env].elements
        return [] if isinstance(elements, Absent) else list(elements)

    def elements(self, env: str) -> list[Element]:
        """The visible elements of its foreground window, without those that repeat the instruction."""
        shown = [e for e in in_front(self.everything(env)) if mark(e) not in self.known.fixed.get(env, ())]
        return legible(shown, self.instruction)

    def find(self, phrase: str, near: str = "") -> tuple[str, Element] | None:
        """The best match for a phrase, on the most likely environment that has one."""
        for env in self.envs:
            tried = self.progress.failures
            found = [e for e in matching_elements(phrase, self.elements(env), near) if tried.get(_name(env, e), 0) < 3]
            if not self.progress.loose:
                found = exactly(phrase, found)
            if found:
                return env, found[0]
        return None

    def place(self, env: str, element: Element) -> Place:
        """A description of the element, different after each failure."""
        return place_of(element, self.everything(env), self.progress.failures.get(_name(env, element), 0))

    def aim(self, env: str, element: Element) -> Place:
        """Like `place`, but records the attempt; `failed` removes it on success."""
        place = self.place(env, element)
        self.progress.before = _name(env, element)
        return place

    def do(self, env: str, intent: Intent, why: str, completes: bool = True) -> Do:
        """A move in an environment."""
        return Do(Move(env, intent), completes, why)

    @property
    def inside(self) -> bool:
        """Whether the clause concerns an application that was opened by name."""
        return bool(self.clause.app) or any(self.known.apps.get(env) for env in self.envs[:1])

    @property
    def apps(self) -> frozenset[str]:
        """Names of applications opened so far or still to open."""
        return frozenset({*self.known.apps.values(), *self.known.named, self.clause.app} - {""})

    @property
    def texts(self) -> list[str]:
        """Texts read so far, the most likely referents first."""
        return [*reversed(self.known.noted), *reversed(self.known.read)]

    def first(self, kind: str) -> str | None:
        """The most likely environment with a verb."""
        return next((env for env in self.envs if kind in self.verbs(env).kinds), None)


def mark(element: Element) -> str:
    """A key that identifies an element that does not move."""
    return f"{element.role}/{element.name}/{element.box.left:.3f}/{element.box.top:.3f}"


def _name(env: str, element: Element) -> str:
    return f"{env}/{element.id or element.box}"


def _meant(request: Request, where: str, last: str) -> tuple[str, ...]:
    seen = [env for env in request.observations if env in request.brief.envs]
    named = [env for env in seen if where and where in (env, request.brief.envs[env].platform)]
    return tuple(sorted(named or seen, key=lambda env: env != last))
