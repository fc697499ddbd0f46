"""How well small eyes see, and how often `mini` replies the same by their elements as by the tree's.

Both are asked along demonstrations of development tasks, in instances that nothing is trained on. The demonstration
goes on as it is whatever is replied, so no step suffers from the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tables import Table
from omnipilot.bench.training.data import tasks_of
from omnipilot.bench.training.demonstrations import FIRST_MEASURED, FIRST_NUMBERS, Demonstration
from omnipilot.bench.training.progress import TellLine
from omnipilot.envs import Absent, Box, ConfigError, Element, Observation, Point, Ref
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.display import Look
from omnipilot.grounders.sources import ElementSource
from omnipilot.memory import Move
from omnipilot.planners.mini.network import MiniNetwork
from omnipilot.planners.mini.screens import front_elements
from omnipilot.planners.mini.session import MiniPrompt, MiniSession, MiniStep, UnreadableMove

STATES = frozenset({"checked", "selected", "focused", "disabled"})
OVERLAP = 0.5
"""Least overlap (IoU) of two boxes of one element."""


@dataclass(slots=True)
class EyesCounts:
    """What was counted along one demonstration.

    Attributes:
        screens: different ones that were shown to the planner. same_words: of these, with the same words.
        shown: elements of the tree in prompts. found: of these, those that the eyes have with the right role.
        right_text, right_states: of those found. told: elements of the eyes in prompts. real: of these, in the tree.
        steps: replies asked for. same: of these, replies that mean the same.
        right, right_by_eyes: of these, replies as demonstrated, by the tree and by the eyes.
        read, seconds: screens that were read, and what that took.
        differing: what was demonstrated, replied by the tree, and replied by the eyes, where the last two differ.
    """

    screens: int = 0
    same_words: int = 0
    shown: int = 0
    found: int = 0
    right_text: int = 0
    right_states: int = 0
    told: int = 0
    real: int = 0
    steps: int = 0
    same: int = 0
    right: int = 0
    right_by_eyes: int = 0
    read: int = 0
    seconds: float = 0.0
    differing: list[str] = field(default_factory=list)


class SeenDemonstration(Demonstration):
    """A demonstration at whose steps `mini` is asked twice: by the tree, and by what eyes see.

    Args:
        look: of both devices.
    """

    def __init__(
        self, suite: Duet, task: str, instance: int, eyes: ElementSource, network: MiniNetwork, look: Look
    ) -> None:
        self.eyes, self.network, self.look = eyes, network, look
        self.counts = EyesCounts()
        self.by_eyes = MiniSession([])
        self.seen_by_eyes: dict[str, Observation] = {}
        self._first_number = 0
        self._met: set[tuple[str, ...]] = set()
        super().__init__(suite, task, instance, 0.0)

    def _begin(self) -> Rehearsal:
        trial = super()._begin()
        if self.look != Look():
            self.world.prepare(lambda state: state.looking(self.look))
        return trial

    def _look(self) -> None:
        super()._look()
        self.seen_by_eyes = {}
        for name, env in self.world.envs.items():
            found = self.eyes.find(env.observe(self.eyes.needs, self.world.now).only(self.eyes.needs))
            if found.seconds:
                self.counts.read += 1
                self.counts.seconds += sum(found.seconds.values())
            self.seen_by_eyes[name] = replace(self.seen[name], elements=found.elements)
        self.by_eyes.look({name: one.only(self.granted) for name, one in self.seen_by_eyes.items()})

    def _execute(self, move: Move) -> bool:
        self.by_eyes.remember(move, "")
        return super()._execute(move)

    def _prompt(self) -> MiniPrompt:
        self._first_number = self.random.randrange(FIRST_NUMBERS)
        return self.session.prompt(self._first_number)

    def _take(self, prompt: MiniPrompt, words: Sequence[str]) -> None:
        super()._take(prompt, words)
        asked = self._prompt_by_eyes()
        if prompt.screen and tuple(prompt.screen) not in self._met:
            self._met.add(tuple(prompt.screen))
            self.count_screen(prompt, asked)
        reply, by_eyes = (self.network.reply(one.text)[0] for one in (prompt, asked))
        seen = _step(self.by_eyes, by_eyes, asked)
        same = self._same(_step(self.session, reply, prompt), seen)
        self.counts.steps += 1
        self.counts.same += same
        self.counts.right += reply.split() == list(words)
        self.counts.right_by_eyes += self._same(_step(self.session, " ".join(words), prompt), seen)
        if not same:
            self.counts.differing.append(f"{' '.join(words)} | {reply} | {by_eyes}")

    def _prompt_by_eyes(self) -> MiniPrompt:
        """The prompt of the step with what the eyes see; all else is as in the demonstration."""
        session, other = self.session, self.by_eyes
        other.clauses, other.at, other.device = session.clauses, session.at, session.device
        other.kept, other.did, other.heard = list(session.kept), list(session.did), list(session.heard)
        return other.prompt(self._first_number)

    def count_screen(self, prompt: MiniPrompt, asked: MiniPrompt) -> None:
        """Compare the elements that are shown to the planner."""
        counts = self.counts
        counts.screens += 1
        counts.same_words += prompt.screen == asked.screen
        for name, seen in self.seen.items():
            tree, eyes = _front(seen), _front(self.seen_by_eyes[name])
            for one in _shown(prompt, name):
                counts.shown += 1
                match = _match(one, eyes)
                if match is not None:
                    counts.found += 1
                    counts.right_text += _texts(match) == _texts(one)
                    counts.right_states += match.states & STATES == one.states & STATES
            for one in _shown(asked, name):
                counts.told += 1
                counts.real += _match(one, tree) is not None

    def _same(self, one: MiniStep | None, other: MiniStep | None) -> bool:
        """Whether two replies mean the same: the same move at the same place, or the same value."""
        if one is None or other is None:
            return one is other
        if one.move is None or other.move is None:
            return one.move is other.move and one.value == other.value
        if one.move.env != other.move.env or one.move.intent.kind != other.move.intent.kind:
            return False
        first, second = one.move.intent, other.move.intent
        for name in (part.name for part in fields(first)):
            mine, theirs = getattr(first, name), getattr(second, name, None)
            if isinstance(mine, Ref | Point) or isinstance(theirs, Ref | Point):
                if self._hit(one.move.env, mine) != self._hit(one.move.env, theirs):
                    return False
            elif mine != theirs:
                return False
        return True

    def _hit(self, env: str, place: object) -> object:
        """What of a device is at a place: the id of a control, or the place itself in coarse steps."""
        scene = make_scene(self.world.state(), "phone" if env == "phone" else "desktop")
        if isinstance(place, Ref):
            element = scene.elements.by_id(place.id)
            if element is None:
                return place.id
            place = element.box.center
        if not isinstance(place, Point):
            return None
        control = scene.hit(*place.to_pixel(scene.size))
        return control.id if control is not None and control.id else (round(place.x * 40), round(place.y * 40))


def measure_eyes(
    eyes: ElementSource,
    network: MiniNetwork,
    instances: Iterable[int],
    tasks: Sequence[str] = (),
    look: Look | None = None,
    said: TellLine | None = None,
) -> dict[tuple[str, int], EyesCounts]:
    """What eyes see along demonstrations of development tasks, by task and instance.

    Args:
        tasks: ids; empty for all that are demonstrated. said: takes a line of progress for each task.
    """
    suite = Duet("dev")
    found = {}
    for instance in instances:
        for task in tasks_of(suite, instance):
            if not tasks or task in tasks:
                run = SeenDemonstration(suite, task, instance, eyes, network, look or Look())
                run.play()
                found[task, instance] = run.counts
                if said is not None:
                    said(f"{task} {instance}: {run.counts.same} of {run.counts.steps} replies the same")
    return found


def look_of(text: str) -> Look:
    """A theme, or a theme and a density such as `dark/large`.

    Raises:
        ConfigError: there is no such theme or density.
    """
    theme, _, density = text.partition("/")
    if theme not in ("light", "dark"):
        raise ConfigError(f"there is no theme {theme!r}; choose light or dark")
    if density not in ("", "normal", "large", "ultra", "zoomed"):
        raise ConfigError(f"there is no density {density!r}; choose normal, large, ultra or zoomed")
    return Look("dark" if theme == "dark" else "light", density or "normal")  # type: ignore[arg-type]


def tasks_named(text: str) -> list[str]:
    """The ids of development tasks with commas between them; none for "".

    Raises:
        ConfigError: there is no such development task.
    """
    ids = [one.strip() for one in text.split(",") if one.strip()]
    known = {info.id for info in Duet("dev").tasks()}
    if strangers := [one for one in ids if one not in known]:
        listed = "`omnipilot list tasks --suite duet` lists them"
        raise ConfigError(f"no development tasks of duet: {', '.join(strangers)}; {listed}")
    return ids


def unseen_instances(count: int) -> range:
    """Numbers of instances that nothing is trained on."""
    return range(FIRST_MEASURED, FIRST_MEASURED + count)


RATES = (
    ("replies the same as by the tree", "same", "steps"),
    ("replies as demonstrated, by the tree", "right", "steps"),
    ("replies as demonstrated, by the eyes", "right_by_eyes", "steps"),
    ("screens with the same words", "same_words", "screens"),
    ("elements found, with the right role", "found", "shown"),
    ("elements told that are there", "real", "told"),
    ("text exact, of those found", "right_text", "found"),
    ("states right, of those found", "right_states", "found"),
)


def eyes_table(counts: Mapping[tuple[str, int], EyesCounts]) -> Table:
    """A row for each share."""
    rows = []
    for label, part, whole in RATES:
        parts = [getattr(one, part) for one in counts.values()]
        wholes = [getattr(one, whole) for one in counts.values()]
        share = ratio_of(parts, wholes, [task for task, _ in counts], "tasks")
        rows.append((label, f"{sum(parts)}/{sum(wholes)}", share.text() if share else ""))
    read = sum(one.read for one in counts.values())
    seconds = sum(one.seconds for one in counts.values())
    notes = (
        f"{seconds / max(1, read):.2f} s a screen, of {read} that were read",
        "[…]: 95 % confidence intervals; what belongs to a task counts as one cluster",
    )
    return Table(("what", "counted", "%"), tuple(rows), notes, 1)


def write_counts(path: Path, counts: Mapping[tuple[str, int], EyesCounts], about: Mapping[str, Any]) -> None:
    """Write all counts as JSON."""
    episodes = [{"task": task, "instance": at, **asdict(one)} for (task, at), one in counts.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**about, "episodes": episodes}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _front(seen: Observation) -> list[Element]:
    return [] if isinstance(seen.elements, Absent) else front_elements(list(seen.elements))


def _shown(prompt: MiniPrompt, env: str) -> list[Element]:
    return [one.element for one in prompt.references.all if one.element is not None and one.env == env]


def _match(one: Element, others: Sequence[Element]) -> Element | None:
    """The element of the same role whose box overlaps most, and enough."""
    same = [other for other in others if other.role == one.role]
    best = max(same, key=lambda other: overlap(one.box, other.box), default=None)
    return best if best is not None and overlap(one.box, best.box) >= OVERLAP else None


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of two boxes."""
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    shared = max(0.0, across) * max(0.0, down)
    return shared / (one.area + other.area - shared)


def _texts(one: Element) -> tuple[str, str]:
    return " ".join(one.name.split()), " ".join(one.value.split())


def _step(session: MiniSession, reply: str, prompt: MiniPrompt) -> MiniStep | None:
    try:
        return session.read(reply, prompt)
    except UnreadableMove:
        return None
