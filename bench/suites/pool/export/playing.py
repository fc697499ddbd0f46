"""Plays a task of a pool in any topological order of its graph, and keeps what was seen and done at each step.

Every export is made from this: a step holds the screens of all devices before it, what was done as a person does it (an
application is opened by clicks, a field is clicked before something is typed), and the element that it acts on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from omnipilot.bench.suites.duet.kit.play import ground_move, play, seek, try_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.compose.instances import compose_graph
from omnipilot.bench.suites.pool.export.orders import Order
from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord
from omnipilot.bench.suites.pool.verify.instances import without_quotes
from omnipilot.bench.suites.pool.verify.open_by_clicks import in_small_steps
from omnipilot.bench.suites.pool.verify.wording import StepFacts, describe_screen, explain
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import Task, seed_of
from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Answer,
    Click,
    Done,
    Drag,
    Element,
    Intent,
    LongPress,
    Modality,
    NotFound,
    Observation,
    Point,
    Press,
    Ref,
    Scroll,
    Select,
    Swipe,
    TypeText,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

SCREEN = frozenset({Modality.SCREENSHOT, Modality.CONTEXT, Modality.ELEMENTS})
CLIPS = frozenset({Modality.AUDIO, Modality.VIDEO})
PAUSE = 5.0
"""Seconds of one wait, as the actions of UI-TARS and OS-Atlas have it."""
NOTCHES = 5.0
"""Notches of one scroll, likewise."""
MOST_SEEKING = 24
"""Most scrolls until a target is in sight."""
LONGEST_CLIP = 5.0
"""Seconds of sound and film that are kept of what came before a step, however long that was."""


@dataclass(frozen=True, slots=True)
class DemonstrationStep:
    """One step of a demonstration.

    Attributes:
        node: number of the graph's node that it is part of; -1 for the end of the task.
        env: the device that it acts on. seen: all devices of the task, before it.
        intent: what was done, places being elements where that is possible. action: the same with points.
        target, end: the element that it acts on, and that a drag ends on; None where there is none.
        description: what is on the screen. thought: what is to be reached, and why this comes next; first what the
            subtask before has shown, where another one needs it.
        known: by device, what subtasks have shown there so far and another one needs, such as "the gate code is 7394".
    """

    node: int
    env: str
    seen: Mapping[str, Observation]
    intent: Intent
    action: Action
    target: Element | None = None
    end: Element | None = None
    description: str = ""
    thought: str = ""
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedTask:
    """A task that was played to its end.

    Attributes:
        graph: its record. order: in which its nodes were played. clauses: the instruction of each node.
        instruction, intent: what an agent is told. steps: the last one ends the task.
        solved: whether every judge was satisfied. way: how it was played, see `WAYS`.
    """

    graph: GraphRecord
    instance: int
    order: Order
    clauses: tuple[str, ...]
    instruction: str
    intent: str
    steps: tuple[DemonstrationStep, ...]
    solved: bool
    way: str = "steps"


WAYS: Mapping[str, tuple[bool, bool]] = {"steps": (True, True), "waits": (True, False), "verbs": (False, False)}
"""Ways of playing, tried in this order until one solves the task, each with whether moves are taken apart into small
steps, and whether waits are taken in pauses of five seconds: some tasks leave no time for either."""


def play_task(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    instance: int = 0,
    order: Order | None = None,
    told: TaskRecord | None = None,
    clips: bool = False,
) -> PlayedTask:
    """Play a task's demonstration, in the first of `WAYS` that solves it.

    Args:
        templates: of the pool, by id. order: of its nodes; None for that of the record.
        told: the task in words; None for the instruction that follows from its parts.
        clips: whether sound and film before each step are kept too, which costs about half a second a step.

    Returns:
        The task as it was played in the way that solves it; in the last way, not solved, where none does.
    """
    chosen = tuple(range(len(graph.subtasks))) if order is None else order
    composed = compose_graph(graph, templates, instance)
    found: PlayedTask | None = None
    for way in WAYS:
        found = _Player(graph, composed, instance, chosen, told, clips, way).play()
        if found.solved:
            break
    assert found is not None
    return found


def subtask_graph(id: str, seed: int = 0) -> GraphRecord:
    """The graph of a subtask alone."""
    return GraphRecord(id, (id,), figures={"instruction": 1}, seed=seed)


def clauses_of(composed: Composition) -> tuple[str, ...]:
    """The instruction of each part alone, with references for what another part yields."""
    found = []
    for part in composed.parts:
        words = {**part.piece.words, **{name: resource.words for name, resource in part.inputs.items()}}
        found.append(part.template.instruction.format(**words))
    return tuple(found)


def parameters_of(composed: Composition, number: int) -> dict[str, str]:
    """The values of a part's holes: words without quotation marks; of what another part yields, the value itself."""
    part = composed.parts[number]
    given = {
        name: resource.value if name in part.takes else without_quotes(resource.words)
        for name, resource in part.inputs.items()
    }
    return {**{name: without_quotes(words) for name, words in part.piece.words.items()}, **given}


class _Player:
    def __init__(
        self,
        graph: GraphRecord,
        composed: Composition,
        instance: int,
        order: Order,
        told: TaskRecord | None,
        clips: bool,
        way: str,
    ) -> None:
        self._graph, self._composed, self._instance, self._order = graph, composed, instance, order
        self._told, self._way = told, way
        self._small, self._pauses = WAYS[way]
        self._modalities = SCREEN | CLIPS if clips else SCREEN
        self._clauses = clauses_of(composed)
        seed = seed_of(graph.seed, graph.id, instance)

        def setup(world: SimWorld) -> str:
            world.reset(seed)
            world.prepare(lambda _: composed.state)
            return composed.instruction

        self._trial = Rehearsal(Task(graph.id, instance, setup, composed.graph))
        self._world = self._trial.world
        envs = {env for part in composed.parts for env in part.template.env.split("+")}
        self._envs = tuple(name for name in self._world.envs if name in envs)
        self._since = self._world.now
        self._steps: list[DemonstrationStep] = []
        self._failed = False

    def play(self) -> PlayedTask:
        """Play all parts, in order."""
        for node in self._order:
            try:
                for move in self._composed.parts[node].piece.solution(self._world.state()):
                    self._play(node, move)
            except (NotFound, ActionRejected):
                self._failed = True
            if self._failed:
                break
        seen = self._look(self._last_env)
        end = Done()
        self._steps.append(
            DemonstrationStep(-1, self._last_env, seen, end, end, thought="Everything that was asked is done.")
        )
        self._trial.judge(ended=True)
        told = self._told
        return PlayedTask(
            self._graph,
            self._instance,
            self._order,
            self._clauses,
            self._trial.instruction if told is None else told.instruction,
            self._graph.intent if told is None else told.intent,
            self._worded(),
            not self._failed and not self._trial.missing,
            self._way,
        )

    @property
    def _last_env(self) -> str:
        return self._steps[-1].env if self._steps else self._envs[0]

    def _play(self, node: int, move: Move) -> None:
        """Bring what a move acts on into sight, and carry it out."""
        for step in in_small_steps(self._world, move) if self._small else [move]:
            self._find(node, step)
            for part in self._parts(step):
                self._do(node, part)

    def _find(self, node: int, move: Move) -> None:
        for _ in range(MOST_SEEKING):
            before = self._world.snapshot()
            ways = seek(self._world, move)
            self._world.restore(before)
            if not ways:
                return
            # The way back to where it can be found is gone as a whole, and then one scroll at a time.
            scrolls = [way for way in ways if isinstance(way.intent, Scroll | Swipe)]
            back = ways[: len(ways) - len(scrolls)]
            for way in [*back, *scrolls[:1]]:
                for step in in_small_steps(self._world, way) if self._small else [way]:
                    for part in self._parts(step):
                        self._do(node, part)

    def _parts(self, move: Move) -> Iterator[Move]:
        """A move as the actions of small vocabularies: one click, one text, one key, one pause."""
        env, intent = move.env, move.intent
        if not self._small:
            yield move
        elif isinstance(intent, TypeText):
            if intent.clear:
                yield from self._select_all(env)
            if intent.text or not intent.submit:
                yield Move(env, TypeText(intent.text))
            if intent.submit:
                yield Move(env, Press(("enter",)))
        elif isinstance(intent, Wait) and self._pauses:
            yield from [Move(env, Wait(PAUSE))] * math.ceil(intent.seconds / PAUSE)
        elif isinstance(intent, Scroll):
            yield Move(env, replace(intent, amount=NOTCHES))
        elif isinstance(intent, Swipe) and intent.direction is not None:
            way = {"up": "down", "down": "up", "left": "right", "right": "left"}[intent.direction]
            yield Move(env, Scroll(way, Point(0.5, 0.5), NOTCHES))  # type: ignore[arg-type]
        elif isinstance(intent, Select) and self._option(move) is not None:
            yield Move(env, Click(intent.at))
            option = next(element for element in self._options(env, intent.value) if element.id)
            yield Move(env, Click(Ref(str(option.id))))
        else:
            yield move

    def _select_all(self, env: str) -> Iterator[Move]:
        """Select what is in the field that has the focus: by a key, or on a phone by the menu of a long press."""
        tree = self._world.envs[env].ui_tree()
        field = next((one for one in tree if "focused" in one.states and one.id), None)
        if self._world.envs[env].platform != "phone" or field is None:
            yield Move(env, Press(("ctrl", "a")))
            return
        yield Move(env, LongPress(Ref(str(field.id))))
        entry = next((one for one in self._world.envs[env].ui_tree() if one.name == "Select all" and one.id), None)
        if entry is not None:
            yield Move(env, Click(Ref(str(entry.id))))

    def _option(self, move: Move) -> Element | None:
        """The option that a click on a list brings up; None where it brings up none."""
        before = self._world.snapshot()
        try:
            intent = move.intent
            assert isinstance(intent, Select)
            if not try_move(self._world, Move(move.env, Click(intent.at))):
                return None
            return next((element for element in self._options(move.env, intent.value) if element.id), None)
        finally:
            self._world.restore(before)

    def _options(self, env: str, value: str) -> list[Element]:
        tree = self._world.envs[env].ui_tree()
        return [element for element in tree if element.name == value and element.role in ("option", "menuitem")]

    def _look(self, env: str) -> dict[str, Observation]:
        """All devices now; where sound and film are kept, at least a second has passed since the last look."""
        if self._modalities & CLIPS and self._world.now - self._since < 1.0:
            self._world.wait(1.0 - (self._world.now - self._since))
        others = () if env in self._envs else (env,)
        since = max(self._since, self._world.now - LONGEST_CLIP)
        seen = {name: self._world.envs[name].observe(self._modalities, since) for name in (*self._envs, *others)}
        self._since = self._world.now
        return seen

    def _do(self, node: int, move: Move) -> None:
        env = move.env or self._last_env
        seen = self._look(env)
        intent = move.intent
        if isinstance(intent, Answer | Wait):
            action: Action = intent
        else:
            action = ground_move(self._world, Move(env, intent))
        start, end = self._element(env, getattr(intent, "at", None)), None
        if isinstance(intent, Drag):
            start, end = self._element(env, intent.start), self._element(env, intent.end)
        self._steps.append(DemonstrationStep(node, env, seen, intent, action, start, end))
        if isinstance(intent, Answer):
            self._trial.answers = (*self._trial.answers, intent.text)
        else:
            play(self._world, Move(env, intent))
        self._trial.judge()

    def _element(self, env: str, place: object) -> Element | None:
        return self._world.envs[env].ui_tree().by_id(place.id) if isinstance(place, Ref) else None

    def _worded(self) -> tuple[DemonstrationStep, ...]:
        """The steps with what is on the screen, why each comes next, and what is known by then."""
        found = []
        known: dict[str, tuple[str, ...]] = {}
        before = -1
        for number, step in enumerate(self._steps):
            news = ""
            if number and step.node != before:
                news = self._shown(before)
                if news:
                    device = self._steps[number - 1].env
                    known = {**known, device: (*known.get(device, ()), news)}
            before = step.node
            noted = f"{news[:1].upper()}{news[1:]}. " if news else ""
            found.append(self._with_words(number, step, noted, known))
        return tuple(found)

    def _shown(self, node: int) -> str:
        """What a node has shown, in words with the value, where another node needs it; else ""."""
        output = self._composed.parts[node].piece.output
        needed = any(node in part.takes.values() for part in self._composed.parts)
        return f"{output.words} is {output.value}" if output is not None and needed else ""

    def _with_words(
        self, number: int, step: DemonstrationStep, noted: str, known: Mapping[str, tuple[str, ...]]
    ) -> DemonstrationStep:
        context, elements = step.seen[step.env].context, step.seen[step.env].elements
        if isinstance(context, Absent) or isinstance(elements, Absent):
            return replace(step, thought=f"{noted}{step.thought}", known=known)
        description = describe_screen(step.env, context, elements)
        if step.node < 0:
            return replace(step, description=description, thought=f"{noted}{step.thought}", known=known)
        later = (one.target for one in self._steps[number + 1 :] if one.node == step.node)
        ahead = next((target.name for target in later if target is not None and target.name), "")
        last = self._steps[number + 1].node != step.node
        facts = StepFacts(Move(step.env, step.intent), context, elements, step.target, step.end, ahead, last)
        thought = explain(facts, self._clauses[step.node], parameters_of(self._composed, step.node))
        return replace(step, description=description, thought=f"{noted}{thought}", known=known)
