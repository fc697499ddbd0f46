"""What the planner `rules` has before it when it decides, and what it remembers of the clause at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from omnipilot.envs.actions import Intent, Place
from omnipilot.envs.media import AudioClip
from omnipilot.envs.observation import Absent, Element, Observation
from omnipilot.memory.trace import Move
from omnipilot.planners.base import Request, Verbs
from omnipilot.planners.rules_match import legible, place_of, wanted
from omnipilot.planners.rules_words import Clause


@dataclass(frozen=True, slots=True)
class Do:
    """A move for the clause at hand; when it `completes`, the clause is done once the move was carried out."""

    move: Move
    completes: bool
    why: str


@dataclass(frozen=True, slots=True)
class Met:
    """Nothing is left to be done for the clause."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Nothing comes to mind any more."""

    why: str


Result = Do | Met | Stuck


@dataclass
class Progress:
    """What was tried for the clause at hand."""

    tried: set[str] = field(default_factory=set)
    failures: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    scrolls: int = 0
    backs: int = 0
    pressed: int = 0
    spelt: str = ""
    view: frozenset[str] = frozenset()
    waits: int = 0
    moved: bool = False
    opened: bool = False
    before: object = None


@dataclass
class Known:
    """What was gathered over the whole episode.

    Attributes:
        heard: the sound of the last minute, by environment.
        read: texts seen so far, in order of first sight.
        noted: those that came into view when something was to be read.
        notes: the texts that were in view when something was to be read, with the words of that clause.
        keys: telephone digits heard last. beeps: how many tones were heard when last listened to.
        copied: text to paste.
        sought: phrase of what was to be found on the way.
        env: where the last move went.
        named: applications that the instruction names.
        apps: the application at the front of each environment, as far as it was opened by name.
        lacking: (environment, application) that could not be opened.
    """

    heard: dict[str, AudioClip] = field(default_factory=dict)
    read: dict[str, None] = field(default_factory=dict)
    noted: dict[str, None] = field(default_factory=dict)
    notes: list[tuple[str, list[str]]] = field(default_factory=list)
    keys: str = ""
    beeps: int = 0
    copied: str = ""
    sought: str = ""
    env: str = ""
    named: frozenset[str] = frozenset()
    apps: dict[str, str] = field(default_factory=dict)
    lacking: set[tuple[str, str]] = field(default_factory=set)


class Scene:
    """One turn as the planner `rules` looks at it.

    Attributes:
        envs: the environments that the clause may mean, the likeliest first.
    """

    def __init__(
        self, request: Request, clause: Clause, later: Sequence[Clause], progress: Progress, known: Known
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
        """What is seen and heard there."""
        return self.request.observations[env]

    def verbs(self, env: str) -> Verbs:
        """What can be done there."""
        return self.request.brief.envs[env]

    def blind(self, env: str) -> bool:
        """Whether its elements are withheld, so that places can only be described."""
        return isinstance(self.request.observations[env].elements, Absent)

    def everything(self, env: str) -> list[Element]:
        """Every element there."""
        elements = self.request.observations[env].elements
        return [] if isinstance(elements, Absent) else list(elements)

    def elements(self, env: str) -> list[Element]:
        """The elements in view there, without those that repeat the instruction."""
        return legible(self.everything(env), self.instruction)

    def find(self, phrase: str, near: str = "") -> tuple[str, Element] | None:
        """The element that answers best to a phrase, on the likeliest environment that has one."""
        for env in self.envs:
            tried = self.progress.failures
            found = [e for e in wanted(phrase, self.elements(env), near) if tried.get(_name(env, e), 0) < 3]
            if found:
                return env, found[0]
        return None

    def place(self, env: str, element: Element) -> Place:
        """How to name the element, another way after each failure."""
        return place_of(element, self.everything(env), self.progress.failures.get(_name(env, element), 0))

    def aim(self, env: str, element: Element) -> Place:
        """As `place`, remembering that it was tried; `failed` forgets it where it worked."""
        place = self.place(env, element)
        self.progress.before = _name(env, element)
        return place

    def do(self, env: str, intent: Intent, why: str, completes: bool = True) -> Do:
        """A move there."""
        return Do(Move(env, intent), completes, why)

    @property
    def apps(self) -> frozenset[str]:
        """Names of applications that were opened or are still to be."""
        return frozenset({*self.known.apps.values(), *self.known.named, self.clause.app} - {""})

    @property
    def texts(self) -> list[str]:
        """What was read, the likeliest to be referred to first."""
        return [*reversed(self.known.noted), *reversed(self.known.read)]

    def first(self, kind: str) -> str | None:
        """The likeliest environment that has a verb."""
        return next((env for env in self.envs if kind in self.verbs(env).kinds), None)


def _name(env: str, element: Element) -> str:
    return f"{env}/{element.id or element.box}"


def _meant(request: Request, where: str, last: str) -> tuple[str, ...]:
    seen = [env for env in request.observations if env in request.brief.envs]
    named = [env for env in seen if where and where in (env, request.brief.envs[env].platform)]
    return tuple(sorted(named or seen, key=lambda env: env != last))
