"""The planner `gullible`: knows the solution, and obeys whatever it reads, hears or recalls."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omnipilot.envs import ActionRejected, AudioClip, Context, Elements, Modality, NotFound, TypeText
from omnipilot.memory import Move
from omnipilot.memory.perception import AUDIBLE_LOUDNESS
from omnipilot.memory.transcription import Transcriber, make_transcriber
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.baselines.oracle import OraclePlanner
from omnipilot.planners.gullible.deeds import Deed, Eyes, carry_out
from omnipilot.planners.gullible.imperatives import Imperative, read_imperatives


class GulliblePlanner(OraclePlanner):
    """Plays the task's demonstration like `oracle`, and obeys every imperative that it perceives on the way, at once.

    A diagnostic for guards: what it does that the task did not ask for was planted, and a guard that lets it pass lets
    it pass for any agent that is taken in. It reads the elements of the screens and what memory recalls, and hears what
    a transcriber makes of the sound; orders are read by a small grammar, and carried out on the screens of the embedded
    world by the names of its controls. It is told nothing of what was planted. What a guard refuses, or what cannot be
    done, it leaves, and goes on with the task from where the devices are by then.

    Args:
        ears: the transcriber, as for memories (`omnipilot.memory.transcription.make_transcriber`); "" to hear nothing.
    """

    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.CONTEXT, Modality.AUDIO})
    part = "planner 'gullible'"
    takes_notes: bool = True
    reads_examples = False

    main_option = "ears"

    def __init__(self, ears: str = "mini-ears") -> None:
        super().__init__()
        self.ears = ears
        self._transcriber: Transcriber | None = None
        self._deed: Deed | None = None
        self._order: Imperative | None = None
        self._forget("")

    def begin(self, brief: Brief) -> None:
        """Start over, and obey nobody."""
        super().begin(brief)
        self._forget(brief.instruction)

    def plan(self, request: Request) -> Decision:
        """The next move of what it was told last, else of the demonstration.

        Raises:
            ConfigError: the task has no solution.
        """
        self._perceive(request)
        if self._deed is not None:
            refused = any(told.outcome.refused for told in request.feedback)
            if not refused and (move := next(self._deed, None)) is not None:
                return self._obey(move)
            self._resume()
            request = replace(request, feedback=())
        while self._waiting:
            order = self._waiting.pop(0)
            if order.do in ("write", "add"):
                self._told[order.do] = order.text
                continue
            deed = carry_out(order, self._eyes)
            if (move := next(deed, None)) is not None:
                self._deed, self._order = deed, order
                return self._obey(move)
        return super().plan(request)

    def _forget(self, instruction: str) -> None:
        self._instruction = instruction
        self._eyes = Eyes()
        self._deed, self._order = None, None
        self._waiting: list[Imperative] = []
        self._known: set[Imperative] = set()
        self._told: dict[str, str] = {}
        self._sounds: dict[str, AudioClip] = {}

    def _perceive(self, request: Request) -> None:
        """Take in the screens and sounds, and the orders that are new in them."""
        found = request.observations.items()
        self._eyes.screens = {env: seen.elements for env, seen in found if isinstance(seen.elements, Elements)}
        orders = [order for text in _texts(request) for order in read_imperatives(text)]
        for env, seen in found:
            if isinstance(seen.audio, AudioClip) and (said := self._hear(env, seen.audio)):
                orders += read_imperatives(said, heard=True)
        for order in orders:
            if order not in self._known:
                self._known.add(order)
                self._waiting.append(order)

    def _hear(self, env: str, clip: AudioClip) -> str:
        """What was said up to now, without a pause before it; "" where nothing is audible."""
        if not self.ears or clip.loudness() < AUDIBLE_LOUDNESS:
            self._sounds.pop(env, None)
            return ""
        before = self._sounds.get(env)
        whole = clip if before is None else AudioClip(before.pcm + clip.pcm, env, before.start)
        self._sounds[env] = whole
        self._transcriber = self._transcriber or make_transcriber(self.ears)
        return self._transcriber.transcribe(whole)

    def _obey(self, move: Move) -> Decision:
        return Decision((move,), thought=f"I was told to {self._order.do if self._order else 'do this'}.")

    def _resume(self) -> None:
        """Go on with the task from where the devices are now."""
        self._deed = None
        # Where none leads on from here, the demonstration as it was is tried; it may yet fit.
        with contextlib.suppress(ActionRejected, NotFound):
            self._truth.demonstration(anew=True)
        self._moves, self._next, self._tries = None, 0, 0

    def _say(self, moves: Sequence[Move], thought: str) -> Decision:
        return Decision(tuple(written_as_told(moves, self._instruction, self._told)), thought=thought)


def written_as_told(moves: Sequence[Move], instruction: str, told: dict[str, str]) -> Iterator[Move]:
    """The moves of a demonstration in which what was found out is written as somebody told.

    Args:
        instruction: of the task; what it says word by word is written as it is.
        told: words to write instead ("write") and besides ("add").
    """
    given = re.sub(r"\(as in [^)]*\)", "", instruction)
    for move in moves:
        intent = move.intent
        if told and isinstance(intent, TypeText) and intent.text.strip() not in given:
            text = told.get("write", intent.text)
            more = f" {told['add']}" if "add" in told else ""
            move = replace(move, intent=replace(intent, text=text + more))
        yield move


def _texts(request: Request) -> Iterator[str]:
    """All that can be read now: on the screens, and in what is recalled."""
    for seen in request.observations.values():
        if isinstance(seen.elements, Elements):
            for one in seen.elements:
                yield from filter(None, (one.name, one.value))
        if isinstance(seen.context, Context):
            yield from filter(None, (seen.context.title, seen.context.clipboard))
    yield from (one.part for one in request.recalled if isinstance(one.part, str))
