"""A phone with the apps Voicemail and Notes. Voicemail has one message, which says a code; Notes keeps one note.

Everything is computed from one immutable record and the clock, so equal instances are equal worlds, and a snapshot is
that record. Time passes by actions and waiting alone; nothing is waited for.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from omnipilot.envs.base import Capability, Env, Heard, Platform, Thinking, World
from omnipilot.envs.speech import Spoken, synthesize, timed_words
from omnipilot.envs.toy.screen import SIZE, draw_screen, list_elements
from omnipilot.envs.types.actions import Action, Click, OpenApp, System, TypeText
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Point
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip
from omnipilot.envs.types.observation import Absent, Context, Element, Elements, Modality, Observation

APPS = ("Voicemail", "Notes")
VOICE = "en-a"
ACTION_SECONDS = 0.1
"""What each action takes on the world's clock."""


@dataclass(frozen=True, slots=True)
class ToyPhoneState:
    """The state of the phone.

    Attributes:
        code: two digits and two letters, which the message says. app: in front, one of `APPS`; "" for the home screen.
        plays: when the message began to be played, each time, in seconds on the world's clock.
        draft: what stands in the field of Notes. note: what was saved. focused: whether typing goes into the field.
    """

    code: str
    app: str = ""
    plays: tuple[float, ...] = ()
    draft: str = ""
    note: str = ""
    focused: bool = False

    @property
    def message(self) -> str:
        """What the message says."""
        return f"the code is {self.code}"

    @property
    def speech(self) -> Spoken:
        """The message as it sounds."""
        return synthesize(f"{VOICE}:{self.message}")

    def is_playing(self, now: float) -> bool:
        """Whether the message sounds at a time, or is just over."""
        return bool(self.plays) and now < self.plays[-1] + self.speech.seconds


class ToyPhone(World, Env):
    """A small phone with two apps, one of which speaks: the smallest complete world, which is its own environment.

    Args:
        thinking: whether time passes while models think.
        name: of the environment.
    """

    capabilities = frozenset(
        {Capability.STATE, Capability.SNAPSHOTS, Capability.FORKS, Capability.UI_TREE, Capability.TRANSCRIPT}
    )
    name: str
    platform: Platform = "phone"
    size = SIZE
    verbs = frozenset({"click", "type", "system", "open_app"})
    custom: Mapping[str, CustomVerb] = {}
    installed = APPS

    def __init__(self, thinking: Thinking | None = None, name: str = "phone") -> None:
        self.thinking = thinking or Thinking()
        self.name = name
        self.reset(0)

    @property
    def envs(self) -> Mapping[str, ToyPhone]:
        """The phone."""
        return {self.name: self}

    @property
    def now(self) -> float:
        """Seconds since the last reset."""
        return self._now

    def reset(self, instance: int) -> None:
        """Start at the home screen, with another code for each instance."""
        draw = random.Random(f"toy/{instance}")
        self._now = 0.0
        self._state = ToyPhoneState("".join([*draw.choices("23456789", k=2), *draw.choices("ABCDEFGH", k=2)]))

    def wait(self, seconds: float) -> None:
        """Let time pass; a message that is played goes on."""
        self._now += seconds

    def think(self, measured: float) -> None:
        """Let the time pass that a decision is said to take."""
        self.wait(self.thinking.elapsed(measured))

    def close(self) -> None:
        """There is nothing to release."""

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """What is on the screen, and what sounded since; a screen without video."""
        seen = Modality.SCREENSHOT in modalities
        return Observation(
            self.name,
            self._now,
            SIZE,
            draw_screen(self._elements(), self.name, self._now) if seen else Absent("unasked"),
            self.ui_tree(),
            self._sound(since),
            context=Context(app=self._state.app or "Home"),
        ).only(modalities, "unasked")

    def act(self, action: Action) -> None:
        """Carry out a tap, typing, a system key, or the start of an app.

        Raises:
            ActionRejected: the phone cannot do that; the message says what it can.
        """
        if isinstance(action, Click) and isinstance(action.at, Point):
            after = self._tap(action.at)
        elif isinstance(action, TypeText) and isinstance(action.at, Point | None):
            after = self._type(action, action.at)
        elif isinstance(action, OpenApp):
            if action.app not in APPS:
                raise ActionRejected(f"there is no app {action.app!r}; there are {' and '.join(APPS)}")
            after = replace(self._state, app=action.app, focused=False)
        elif isinstance(action, System) and action.name in ("home", "back"):
            after = replace(self._state, app="", focused=False)
        else:
            raise ActionRejected(
                f"the phone cannot {action.kind} like this; it can click at a place, type, "
                "press the system keys home and back, and open_app"
            )
        self._state = after
        self._now += ACTION_SECONDS

    def _tap(self, at: Point) -> ToyPhoneState:
        state = self._state
        hit = next((element for element in reversed(self._elements()) if element.box.contains(at)), None)
        tapped = hit.id if hit else ""
        if tapped in APPS or tapped == "home":
            return replace(state, app="" if tapped == "home" else tapped, focused=False)
        if tapped == "play":
            begins = () if state.is_playing(self._now) else (self._now + ACTION_SECONDS,)
            return replace(state, plays=state.plays + begins)
        if tapped == "save":
            return replace(state, note=state.draft, draft="", focused=False)
        return replace(state, focused=tapped == "field")

    def _type(self, action: TypeText[Point], at: Point | None) -> ToyPhoneState:
        state = self._state if at is None else self._tap(at)
        if not state.focused:
            raise ActionRejected("nothing takes text; tap the field of Notes first")
        written = ("" if action.clear else state.draft) + action.text
        state = replace(state, draft=written)
        return replace(state, note=written, draft="", focused=False) if action.submit else state

    def state(self) -> ToyPhoneState:
        """The whole state."""
        return self._state

    def lasting_part(self, state: ToyPhoneState) -> dict[str, object]:
        """The saved note, and how often the message was played."""
        return {"note": state.note, "plays": len(state.plays)}

    def snapshot(self) -> tuple[ToyPhoneState, float]:
        """The state and the time."""
        return self._state, self._now

    def restore(self, snapshot: tuple[ToyPhoneState, float]) -> None:
        """Return to a snapshot."""
        self._state, self._now = snapshot

    def fork(self) -> ToyPhone:
        """Another phone in this state."""
        other = ToyPhone(self.thinking, self.name)
        other.restore(self.snapshot())
        return other

    def ui_tree(self) -> Elements:
        """All elements."""
        return Elements(self._elements())

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """The words of the message that end after `start` and until `end`."""
        state, found = self._state, []
        words = timed_words(f"{VOICE}:{state.message}")
        for begun in state.plays:
            ends = [begun + word.end / SAMPLE_RATE for word in words]
            heard = [word for word, at in zip(words, ends, strict=True) if start < at <= end]
            if heard:
                said = state.message[heard[0].first : heard[-1].last]
                span = (begun + heard[0].begin / SAMPLE_RATE, begun + heard[-1].end / SAMPLE_RATE)
                found.append(Heard("speech", said, *span, VOICE, continues=heard[-1] != words[-1]))
        return tuple(found)

    def _elements(self) -> tuple[Element, ...]:
        state = self._state
        return list_elements(state.app, state.is_playing(self._now), state.draft, state.note, state.focused)

    def _sound(self, since: float) -> AudioClip:
        samples = np.zeros(max(0, round((self._now - since) * SAMPLE_RATE)), np.int16)
        speech = self._state.speech.samples()
        for begun in self._state.plays:
            at = round((begun - since) * SAMPLE_RATE)
            first, last = max(at, 0), min(at + len(speech), len(samples))
            if first < last:
                samples[first:last] = speech[first - at : last - at]
        return AudioClip.from_array(samples, self.name, since)
