"""Demonstrations for the small planner: what it would be shown, and what it should reply.

Development tasks alone, and of these no instance that is kept for measuring (`FIRST_INSTANCE`). A demonstration is the
task's own, played move by move; what the planner is shown comes from the same `MiniSession` as when it decides.
Slips are put in (a wrong click, a wrong application), and the way back from them is demonstrated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Protocol

from omnipilot.agents.wrappers.readers import Reader
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.suites.duet.kit.play import MOST_SCROLLS, seek, try_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.synthesis.compose import Composition, Resource, TaskPart
from omnipilot.bench.tasks.task import Suite, Task, seed_of
from omnipilot.bench.training.readers import GOLD, give_truth, make_reader, shown_to
from omnipilot.envs import (
    Absent,
    Click,
    ConfigError,
    Drag,
    LongPress,
    Modality,
    Observation,
    OpenApp,
    Press,
    Ref,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import Described
from omnipilot.memory import MOTION, TRANSCRIPT, Move
from omnipilot.planners.mini.hearing import heard_lines
from omnipilot.planners.mini.session import MiniPrompt, MiniSession, scroll_intent, split_clauses

FIRST_INSTANCE, FIRST_MEASURED = 100, 10_000
"""Instances below the first and from the second on are for measuring, and are never trained on."""
SHOWN = frozenset({Modality.ELEMENTS, Modality.CONTEXT})
MOST_SAW = 6
"""Lines of what moved that a prompt shows."""
FILM = 9
"""Seconds of one `wait` in which a film plays to its end: a look in between would cut in two what moves in it."""
PAUSE = 5
"""Seconds of one `wait` where something is waited for; fewer where the task leaves little time for an answer."""
FIRST_NUMBERS = 32
"""Numbers from which references are counted in training, so that no thing always has the same one."""
_WITHIN = re.compile(r"within (\d+) seconds")
_NAVIGATION = frozenset({"listitem", "row", "link", "tab", "treeitem"})


@dataclass(frozen=True, slots=True)
class Sample:
    """One question and its answer.

    Attributes:
        prompt, reply: words, with a space between any two. template: of the sub-task. suite: that the task is of.
    """

    prompt: str
    reply: str
    task: str
    instance: int
    template: str
    suite: str = "duet"


class Demonstrable(Protocol):
    """A suite whose tasks are composed of sub-tasks with solutions, and that tells which are for development."""

    @property
    def name(self) -> str: ...
    def split_of(self, task_id: str) -> str: ...
    def instantiate(self, task_id: str, instance: int) -> Task: ...
    def composed(self, task_id: str, instance: int) -> Composition: ...


class Unshown(Exception):
    """What the demonstration does next cannot be said, because the prompt does not show what it is about."""


def check_instance(suite: Suite, task: str, instance: int) -> None:
    """Refuse what must not be trained on.

    Raises:
        ConfigError: a task of the test split, or an instance that is kept for measuring.
    """
    if suite.split_of(task) != "dev":
        raise ConfigError(f"{task} belongs to the test split, on which nothing is trained; take development tasks")
    check_number(instance, task)


def training_instances(count: int) -> range:
    """The first instances that may be trained on.

    Raises:
        ConfigError: none are asked for, or so many that some would be measured on.
    """
    if not 1 <= count <= FIRST_MEASURED - FIRST_INSTANCE:
        raise ConfigError(
            f"{count} instances; train on 1 to {FIRST_MEASURED - FIRST_INSTANCE}: those from {FIRST_MEASURED} on are "
            "measured on"
        )
    return range(FIRST_INSTANCE, FIRST_INSTANCE + count)


def granted_in(task: str, instance: int) -> frozenset[Modality]:
    """What an episode is taught by: in every second one without the name of the application, which no pixel grants."""
    titled = Random(seed_of("mini titles", task, instance)).random() < 0.5
    return SHOWN if titled else SHOWN - {Modality.CONTEXT}


def check_number(instance: int, of: str) -> None:
    """Refuse an instance that is kept for measuring.

    Raises:
        ConfigError: it is.
    """
    if instance < FIRST_INSTANCE:
        raise ConfigError(
            f"instance {instance} of {of} is kept for measuring; train on instances from {FIRST_INSTANCE} on"
        )


def demonstrate(suite: Duet, task: str, instance: int, slips: float = 0.05, readers: str = GOLD) -> list[Sample]:
    """The samples of one episode; none if the demonstration, with its slips, does not solve the task.

    Args:
        slips: probability of a slip before each move. readers: what tells of sounds and of what moves, by name.

    Raises:
        ConfigError: see `check_instance`.
    """
    check_instance(suite, task, instance)
    return Demonstration(suite, task, instance, slips, readers).play()


class Demonstration:
    """One episode, demonstrated to the planner's own session.

    Attributes:
        most_recalled: lines that a prompt shows of what memory recalled.

    Args:
        readers: what tells of sounds and of what moves, by name.
    """

    most_recalled = 0

    def __init__(self, suite: Demonstrable, task: str, instance: int, slips: float, readers: str = GOLD) -> None:
        self.suite, self.task, self.instance = suite, task, instance
        self.random = Random(seed_of("mini", task, instance))
        self.slips = slips
        self.composed = suite.composed(task, instance)
        self.world = SimWorld()
        self.truth = EpisodeTruth()
        self.exact = readers == GOLD
        self.reader = self._reader(readers)
        self.watches = Modality.VIDEO in shown_to(self.reader)
        self.granted = granted_in(task, instance)
        self.since: dict[str, float] = {}
        self.trial = self._begin()
        most_saw = MOST_SAW if self.watches else 0
        self.session = MiniSession.begin(self.trial.instruction, most_recalled=self.most_recalled, most_saw=most_saw)
        self.seen: Mapping[str, Observation] = {}
        self.samples: list[Sample] = []
        self.unshown: list[str] = []
        self.template = ""
        self.films = False
        self.apps: dict[str, str] = {}

    def _reader(self, readers: str) -> Reader:
        reader = make_reader(readers)
        give_truth(reader, self.truth)
        return reader

    def _begin(self) -> Rehearsal:
        """Bring the world to the task's start."""
        told = self.suite.instantiate(self.task, self.instance)
        trial = Rehearsal(told, self.world)
        self.truth.begin(self.world, told, 0)
        self.reader.begin()
        self.since = dict.fromkeys(self.world.envs, self.world.now)
        return trial

    def play(self) -> list[Sample]:
        """The samples; none if the task is not solved."""
        parts, course = self.composed.parts, self._course()
        if sum(count for _, count in course) != len(self.session.clauses):
            raise ConfigError(
                f"{self.task}: {len(self.session.clauses)} clauses in the text, and {course} of its parts"
            )
        for number, count in course:
            part = parts[number]
            self.template = part.template.id
            self.films = self.watches and "motion" in part.template.hangs_on
            self._look()
            for _ in range(count - 1):
                self._say("next")
            self._play_part(part)
            needed = any(number in later.takes.values() for later in parts)
            if needed and part.piece.output is not None:
                self._keep(part.piece.output)
            else:
                self._say("next")
        self._look()
        self._say("done")
        self.trial.judge(ended=True)
        return [] if self.trial.missing else self.samples

    def _course(self) -> list[tuple[int, int]]:
        """The parts in the order in which they are played, by number from 0, each with its clauses in the text."""
        return [(at, len(split_clauses(part.template.instruction))) for at, part in enumerate(self.composed.parts)]

    def _play_part(self, part: TaskPart) -> None:
        moves = list(join_waits(part.piece.solution(self.world.state())))
        touched = False
        for at, move in enumerate(moves):
            following = moves[at + 1] if at + 1 < len(moves) else None
            if isinstance(move.intent, Scroll) and following is not None and _wanted(following):
                continue  # it is scrolled to where the next move's target is in sight
            if self.random.random() < self.slips and not touched and _wanted(move):
                self._slip(move)
            self._reach(move)
            if isinstance(move.intent, Wait):
                self._wait(move, following)
            else:
                self._do(move)
            touched = touched or isinstance(move.intent, TypeText | Select | LongPress)
            if isinstance(move.intent, OpenApp):
                self.apps[move.env] = move.intent.app

    def _keep(self, output: Resource) -> None:
        prompt, value = self._prompt(), self._value_of(output)
        words = prompt.references.spell(value)
        spelt = [word for word in words if word.isalnum()]
        if spelt and not self._may_be_spelt(spelt, prompt) and not self._was_seen(spelt, prompt):
            self.unshown.append(f"{self.template}: {value!r} to be kept")
        else:
            self._take(prompt, ["keep", *words])
        self.session.keep(value)
        self.session.advance()

    def _value_of(self, output: Resource) -> str:
        """What is kept of what a part yields, as a screen shows it."""
        return output.value

    def _may_be_spelt(self, words: Sequence[str], prompt: MiniPrompt) -> bool:  # noqa: ARG002
        """Whether words of a value that is to be kept may be spelt out, as no number stands for them."""
        return self.exact and bool(self.session.heard) and len(words) <= 12

    def _was_seen(self, spelt: Sequence[str], prompt: MiniPrompt) -> bool:
        """Whether what was heard or moved tells a value that is spelt: its letters and numbers, and words that the
        prompt has."""
        told = " ".join([*self.session.saw, *(() if self.exact else self.session.heard)]).casefold()
        known = {word.casefold() for word in prompt.words}
        return bool(told) and all(
            (word.casefold() in told) if len(word) == 1 else (word.casefold() in known) for word in spelt
        )

    def _reach(self, move: Move) -> None:
        """Demonstrate the way to where the move's target is in sight."""
        for _ in range(30):
            app = self.apps.get(move.env)
            if (
                app is not None
                and _wanted(move)
                and _front(self.seen[move.env]) not in (app, "")
                and not self._there(move)
            ):
                before = len(self.samples)
                way = self._way(move)
                if not way or len(way) > 3:
                    self._do(Move(move.env, OpenApp(app)))
                    if len(self.samples) - before > 3:
                        return
                    continue
            way = self._way(move)
            if not way:
                return
            self._do(way[0])

    def _way(self, move: Move) -> list[Move]:
        """The moves that bring the move's targets into sight: by scrolling as a reply does it, or else as `seek` finds
        it. The world stays as it is."""
        if not _wanted(move) or self._there(move):
            return []
        before = self.world.snapshot()
        try:
            for direction in ("down", "up"):
                scroll = Move(move.env, scroll_intent(move.env, direction, self.seen[move.env]))
                for count in range(1, MOST_SCROLLS + 1):
                    if not try_move(self.world, scroll):
                        break
                    if self._there(move):
                        return [scroll] * count
                self.world.restore(before)
            return seek(self.world, move)
        finally:
            self.world.restore(before)

    def _there(self, move: Move) -> bool:
        tree = self.world.envs[move.env].ui_tree()
        return all(isinstance(place, Ref) and tree.by_id(place.id) for place in _wanted(move))

    def _wait(self, move: Move, following: Move | None) -> None:
        assert isinstance(move.intent, Wait)
        seconds = move.intent.seconds
        if self.films:
            within = following is not None and seconds < FILM - 2
            self._do(Move(move.env, Wait(max(1, round(seconds)) if within else FILM)))
            return
        if seconds <= 2:
            self._do(Move(move.env, Wait(2)))
            return
        awaited = following is not None and bool(_wanted(following)) and not self._there(following)
        pause = pause_for(self.session.clause)
        for _ in range(ceil(seconds / pause) + (1 if awaited else 0)):
            self._do(Move(move.env, Wait(pause)))
            if awaited and following is not None and self._there(following):
                return

    def _slip(self, move: Move) -> None:
        """Do something else first: open another application, or open another item."""
        observation = self.seen[move.env]
        wrong: list[Move] = []
        if self.random.random() < 0.4:
            apps = [name for name in APPS_OF[move.env] if name != getattr(move.intent, "app", "")]
            wrong = [Move(move.env, OpenApp(self.random.choice(apps)))]
        elif not isinstance(observation.elements, Absent):
            ids = {place.id for place in _wanted(move) if isinstance(place, Ref)}
            others = [one for one in observation.elements if one.id and one.role in _NAVIGATION and one.id not in ids]
            prompt = self._prompt()
            others = [one for one in others if prompt.references.of_element(one.id or "")]
            if others:
                wrong = [Move(move.env, Click(Ref(str(self.random.choice(others).id))))]
        before = self.world.snapshot()
        for one in wrong:
            if not try_move(self.world, one):
                continue
            if not self._there(move) and not isinstance(move.intent, OpenApp) and not self._way(move):
                self.world.restore(before)
                continue
            self.world.restore(before)
            self._carry_out(one, self._described(one))
            self._look()

    def _described(self, move: Move) -> str:
        intent = move.intent
        if isinstance(intent, OpenApp):
            return f"open {intent.app.lower()}"
        prompt = self._prompt()
        words = self._reply_to(move, prompt)
        scratch = MiniSession(self.session.clauses, self.session.at, device=self.session.device)
        scratch.look(self.seen)
        scratch.apply(" ".join(words), prompt)
        return scratch.did[-1]

    def _do(self, move: Move) -> None:
        """Demonstrate one move, and look."""
        prompt = self._prompt()
        try:
            words = self._reply_to(move, prompt)
        except Unshown as error:
            self.unshown.append(f"{self.template}: {error}")
            self._carry_out(move, move.intent.kind)
            self._look()
            return
        self._take(prompt, words)
        made = self.session.apply(" ".join(words), prompt)
        assert made is not None
        if not self._execute(made):
            self.unshown.append(f"{self.template}: {made} fails")
        self.trial.judge()
        self._look()

    def _carry_out(self, move: Move, did: str) -> None:
        self._execute(move)
        self.session.remember(move, did)
        self.trial.judge()

    def _execute(self, move: Move) -> bool:
        """Carry out a move in the world; whether that was possible."""
        return try_move(self.world, move)

    def _say(self, reply: str) -> None:
        prompt = self._prompt()
        self._take(prompt, [reply])
        self.session.apply(reply, prompt)

    def _take(self, prompt: MiniPrompt, words: Sequence[str]) -> None:
        self.samples.append(
            Sample(prompt.text, " ".join(words), self.task, self.instance, self.template, self.suite.name)
        )

    def _prompt(self) -> MiniPrompt:
        return self.session.prompt(self.random.randrange(FIRST_NUMBERS))

    def _look(self) -> None:
        shown = SHOWN | shown_to(self.reader)
        seen = {name: env.observe(shown, self.since[name]) for name, env in self.world.envs.items()}
        heard: list[str] = []
        saw: list[str] = []
        for name, observation in seen.items():
            self.truth.looked(observation)
            for source, words in self.reader.read(observation, self.since[name]):
                heard += heard_lines(words) if source == TRANSCRIPT else ()
                saw += words.splitlines() if source == MOTION else ()
            self.since[name] = observation.time
        self.seen = seen
        self.session.look({name: one.only(self.granted) for name, one in seen.items()}, heard, saw=saw)

    def _reply_to(self, move: Move, prompt: MiniPrompt) -> list[str]:
        intent, numbers = move.intent, prompt.references

        def number(place: object) -> str:
            word = numbers.of_element(place.id) if isinstance(place, Ref) else ""
            if not word:
                raise Unshown(f"{place} is not shown")
            return word

        match intent:
            case OpenApp():
                return ["open", move.env, *intent.app.lower().split()]
            case Click() if intent.count == 1 and intent.button == "left":
                return ["click", number(intent.at)]
            case Click() if intent.count == 2 and intent.button == "left":
                return ["double", number(intent.at)]
            case Click() if intent.count == 1 and intent.button == "right":
                return ["menu", number(intent.at)]
            case LongPress():
                return ["hold", number(intent.at)]
            case Select():
                return ["select", number(intent.at), *numbers.spell(intent.value)]
            case TypeText():
                place = [] if intent.at is None else [number(intent.at)]
                flags = [*(["clear"] if intent.clear else []), *(["enter"] if intent.submit else [])]
                words = numbers.spell(intent.text)
                if any(word.isdigit() for word in words) and "=" not in words:
                    raise Unshown(f"{intent.text!r} is not shown")
                return ["type", *flags, *place, ":", *words]
            case Drag():
                return ["drag", number(intent.start), number(intent.end)]
            case Press():
                return ["press", *intent.keys]
            case Scroll():
                return ["scroll", str(intent.direction)]
            case Swipe() if intent.direction in ("up", "down"):
                return ["scroll", "down" if intent.direction == "up" else "up"]
            case System(name="back"):
                return ["back"]
            case Wait():
                return ["wait", f"{intent.seconds:g}"]
        raise Unshown(f"{move} cannot be said")


APPS_OF: Mapping[str, tuple[str, ...]] = {
    "phone": (
        "Messages",
        "Clock",
        "Notes",
        "Contacts",
        "Tasks",
        "Calendar",
        "Phone",
        "Music",
        "Gallery",
        "Settings",
    ),
    "desktop": (
        "Mail",
        "Files",
        "Text Editor",
        "Spreadsheet",
        "Video Player",
        "Signals",
        "Browser",
        "Terminal",
        "Settings",
    ),
}


def pause_for(clause: str) -> int:
    """Seconds of one `wait` in a clause: at most half of what it leaves for an answer ("within 5 seconds")."""
    return min([PAUSE, *(max(1, int(seconds) // 2) for seconds in _WITHIN.findall(clause))])


def join_waits(moves: Iterable[Move]) -> Iterator[Move]:
    """The moves, those in a row that only wait as one."""
    waited: Move | None = None
    for move in moves:
        if waited is not None and isinstance(move.intent, Wait) and isinstance(waited.intent, Wait):
            waited = Move(move.env, Wait(waited.intent.seconds + move.intent.seconds))
            continue
        if waited is not None:
            yield waited
        waited = move
    if waited is not None:
        yield waited


def _wanted(move: Move) -> list[Described]:
    places = (getattr(move.intent, name, None) for name in ("at", "start", "end"))
    return [place for place in places if isinstance(place, Ref)]


def _front(observation: Observation) -> str:
    return "" if isinstance(observation.context, Absent) else observation.context.app
