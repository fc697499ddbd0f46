"""Plays OmniGUI's primitives on the embedded world's phone and records what each step saw and heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from omnipilot.bench.suites.duet.kit.play import ground_move, play
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.sample.tasks import SampleEpisode
from omnipilot.envs import (
    Action,
    ActionRejected,
    AudioClip,
    Box,
    Click,
    Image,
    LongPress,
    Modality,
    OpenApp,
    Point,
    Ref,
    Swipe,
    System,
    TypeText,
    VideoClip,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.memory import Move

Corners: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""Of a rectangle, in pixels."""
LONGEST = 5.0
"""Seconds of sound and video that are kept of what came before a step, however long that was."""
_SEEN = frozenset((Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO))
_ENDS = {
    "up": (Primitive.SWIPE_UP, (0.5, 0.75), (0.5, 0.25)),
    "down": (Primitive.SWIPE_DOWN, (0.5, 0.25), (0.5, 0.75)),
    "left": (Primitive.SWIPE_LEFT, (0.8, 0.5), (0.2, 0.5)),
    "right": (Primitive.SWIPE_RIGHT, (0.2, 0.5), (0.8, 0.5)),
}
_BARE = {
    "back": Primitive.BACK,
    "home": Primitive.HOME,
    "complete": Primitive.TASK_COMPLETE,
    "impossible": Primitive.TASK_IMPOSSIBLE,
}


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One completed step: the screen and sound before it, and the action with its place.

    Attributes:
        words: as the release words a past action.
    """

    image: Image
    audio: AudioClip | None
    video: VideoClip | None
    action: Primitive
    touch: Corners | None = None
    lift: Corners | None = None
    text: str = ""
    words: str = ""


class EpisodePlayer:
    """A phone on which one episode is played.

    Args:
        task: of `duet`, set up; "" for a phone on which nothing is going on.
        seed: of its content. twin: of its task, which differs from another in what is only heard or seen in motion.
    """

    def __init__(self, task: str, seed: int, twin: int = 0) -> None:
        self.world = SimWorld()
        self.instruction = ""
        self._moves: Sequence[Move] = ()
        if task:
            made = Duet().instantiate(task, seed, twin)
            self.instruction = made.setup(self.world)
            assert made.solution is not None
            self._moves = made.solution(self.world)
        else:
            self.world.reset(seed)
        self._since = self.world.now
        self._clips = True

    def play(self, episode: SampleEpisode) -> Iterator[PlayedStep]:
        """Every step of the episode."""
        self._clips = episode.clips
        for move in self._moves:
            yield from self._move(move)
        for what in episode.errand:
            yield from self._errand(what)
        if not episode.errand:
            yield self._kept(Primitive.TASK_COMPLETE)

    def _move(self, move: Move) -> Iterator[PlayedStep]:
        """The primitives of a demonstration's move, each carried out."""
        intent = move.intent
        if isinstance(intent, OpenApp):
            if self.world.state().phone.front is not None:
                yield self._kept(Primitive.HOME)
                self._act(System("home"))
            name = next(app.name for app in APPS.values() if app.title == intent.app and app.device == "phone")
            yield self._tap(f"home/{name}")
            return
        if isinstance(intent, Wait):
            yield self._kept(Primitive.NONE)
            self.world.wait(intent.seconds)
            return
        if isinstance(intent, Swipe):
            assert intent.direction is not None
            yield self._swipe(intent.direction)
            return
        if isinstance(intent, TypeText):
            if isinstance(intent.at, Ref):
                yield self._tap(intent.at.id)
            yield self._kept(Primitive.INPUT, text=intent.text)
            play(self.world, move)
            return
        assert isinstance(intent, Click | LongPress) and isinstance(intent.at, Ref)
        kind = Primitive.LONG_PRESS if isinstance(intent, LongPress) else Primitive.TAP
        yield self._kept(kind, self._corners(intent.at.id))
        self._act(ground_move(self.world, move))

    def _errand(self, what: str) -> Iterator[PlayedStep]:
        verb, _, id = what.partition(" ")
        if verb in _ENDS:
            yield self._swipe(verb)
        elif verb == "tap":
            yield self._tap(id)
        elif verb == "double":
            yield self._kept(Primitive.DOUBLE_TAP, self._corners(id))
            self._act(Click(self._box(id).center, count=2))
        else:
            yield self._kept(_BARE[verb])
            if verb in ("back", "home"):
                self._act(System("back" if verb == "back" else "home"))

    def _tap(self, id: str) -> PlayedStep:
        step = self._kept(Primitive.TAP, self._corners(id))
        self._act(Click(self._box(id).center))
        return step

    def _swipe(self, towards: str) -> PlayedStep:
        """Swipe from one square to another, each a tenth of the screen wide."""
        action, start, end = _ENDS[towards]
        step = self._kept(action, self._square(*start), self._square(*end))
        self._act(Swipe(start=Point(*start), end=Point(*end)))
        return step

    def _act(self, action: Action) -> None:
        try:
            self.world.envs["phone"].act(action)
        except ActionRejected:
            # What does nothing on this phone, such as a swipe where nothing moves, is an action all the same.
            self.world.wait(0.5)

    def _kept(
        self, action: Primitive, touch: Corners | None = None, lift: Corners | None = None, text: str = ""
    ) -> PlayedStep:
        """Record screen, sound and the next action; at least a second has passed since the last record."""
        world = self.world
        if world.now - self._since < 1.0:
            world.wait(1.0 - (world.now - self._since))
        seen = world.envs["phone"].observe(_SEEN, max(self._since, world.now - LONGEST))
        self._since = world.now
        assert isinstance(seen.screenshot, Image)
        clips = (seen.audio, seen.video) if self._clips else (None, None)
        audio, video = (clip if isinstance(clip, AudioClip | VideoClip) else None for clip in clips)
        assert not isinstance(audio, VideoClip) and not isinstance(video, AudioClip)
        return PlayedStep(
            seen.screenshot, audio, video, action, touch, lift, text, self._words(action, touch, lift, text)
        )

    def _words(self, action: Primitive, touch: Corners | None, lift: Corners | None, text: str) -> str:
        if touch is None:
            return f'{action.name} text: "{text}"' if text else action.name
        if lift is None:
            return f"{action.name} at {self._middle(touch)}"
        return f"{action.name} from {self._middle(touch)} to {self._middle(lift)}"

    def _middle(self, corners: Corners) -> list[int]:
        size = self.world.envs["phone"].size
        (x1, y1), (x2, y2) = corners
        return [int((x1 + x2) / 2 / size.width * 1000), int((y1 + y2) / 2 / size.height * 1000)]

    def _box(self, id: str) -> Box:
        """The box of the element with this id; a trailing * matches the first id with that prefix."""
        for one in self.world.envs["phone"].ui_tree():
            if one.id == id or (id.endswith("*") and (one.id or "").startswith(id[:-1])):
                box: Box = one.box
                return box
        raise ValueError(f"there is no {id} on the phone")

    def _corners(self, id: str) -> Corners:
        left, top, right, bottom = self._box(id).to_pixels(self.world.envs["phone"].size)
        return (round(left), round(top)), (round(right), round(bottom))

    def _square(self, x: float, y: float) -> Corners:
        width, height = self.world.envs["phone"].size.width, self.world.envs["phone"].size.height
        return (int((x - 0.1) * width), int((y - 0.1) * height)), (int((x + 0.1) * width), int((y + 0.1) * height))
