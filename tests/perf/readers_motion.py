"""How well the reader `motion` does on generated video: `python tests/perf/readers_motion.py`.

Two kinds: the app Signals of the embedded world (a lamp, a ball) and drawn scenes with several things at once, both
without and with noise on every pixel. A false alarm is an event that answers to nothing that happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from readers_ocr import share

from omnipilot.bench.tables import Table
from omnipilot.envs import Box, Click, Image, Modality, OpenApp, VideoClip
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.desktop.signals import ZONES
from omnipilot.memory.perception import MotionEvent, read_motion
from omnipilot.memory.perception.video.reader import Kind

WIDE, HIGH, FPS, SECONDS = 640, 400, 10, 5


@dataclass(frozen=True, slots=True)
class Truth:
    """Something that happened: its kind, where it ended, and how often."""

    kind: Kind
    box: Box
    times: int = 1

    def told_by(self, event: MotionEvent) -> bool:
        """Whether an event says just this."""
        place = event.went or event.box
        near = abs(place.center.x - self.box.center.x) < 0.03 and abs(place.center.y - self.box.center.y) < 0.05
        return event.kind == self.kind and near and event.times == self.times


@dataclass(slots=True)
class Tally:
    """Counts by kind: how many happened, how many were told; and what was told that did not happen."""

    happened: dict[str, int] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    false: int = 0
    clips: int = 0
    seconds: float = 0.0

    def add(self, clip: VideoClip, truths: list[Truth]) -> None:
        """Read a clip and compare."""
        reading = read_motion(clip)
        left = list(reading.events)
        self.clips += 1
        self.seconds += reading.seconds
        for truth in truths:
            hit = next((event for event in left if truth.told_by(event)), None)
            self.happened[truth.kind] = self.happened.get(truth.kind, 0) + 1
            self.told[truth.kind] = self.told.get(truth.kind, 0) + (hit is not None)
            if hit is not None:
                left.remove(hit)
        self.false += len(left)

    @property
    def recall(self) -> float:
        """Share of what happened that was told; 1 where nothing happened."""
        return sum(self.told.values()) / (sum(self.happened.values()) or 1) if self.happened else 1.0


def signals(seed: int, noise: float = 0.0) -> Iterator[tuple[VideoClip, list[Truth]]]:
    """The lamp and the ball of the app Signals, each on its own."""
    draw = Random(f"signals {seed}")
    world = SimWorld()
    world.reset(seed)
    blinks, zone = draw.randint(1, 5), draw.choice(ZONES)
    world.prepare(lambda state: replace(state, signals=replace(state.signals, blinks=blinks, zone=zone)))
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Signals"))
    world.wait(5.0)
    for start, picture, seconds in (("lamp/start", "lamp", 6.0), ("ball/play", "ball", 4.6)):
        tree = desktop.ui_tree()
        button, surface = tree.by_id(f"signals/{start}"), tree.by_id(f"signals/{picture}")
        assert button is not None and surface is not None
        desktop.act(Click(button.box.center))
        since = world.now
        world.wait(seconds)
        clip = desktop.observe({Modality.VIDEO}, since).video
        assert isinstance(clip, VideoClip)
        if picture == "lamp":
            yield noisy(clip, noise, seed), [Truth("blinked", surface.box, blinks)]
            continue
        wide, high = surface.box.right - surface.box.left, surface.box.bottom - surface.box.top
        x = surface.box.left + wide * (ZONES.index(zone) + 0.5) / len(ZONES)
        y = surface.box.bottom - 40 / 130 * high
        rest = Box(x - 0.01, y - 0.01, x + 0.01, y + 0.01)
        yield noisy(clip, noise, seed), [Truth("moved", rest), Truth("stopped", rest)]


def drawn(seed: int, noise: float = 0.0) -> tuple[VideoClip, list[Truth]]:
    """Up to three things in one clip, a row each: a lamp, a disc that slides and rests, a number that counts; and a
    busy picture beside them that stays as it is."""
    draw = Random(f"drawn {seed}")
    kinds = [kind for kind in ("lamp", "disc", "number") if draw.random() < 0.7]
    frames: list[NDArray[np.uint8]] = []
    ground = np.full((HIGH, WIDE, 3), draw.choice((30, 128, 235)), np.uint8)
    ground[300:380, 40:600] = np.random.default_rng(seed).integers(0, 256, (80, 560, 3), dtype=np.uint8)
    blinks, every, lamp_x = draw.randint(1, 5), draw.choice((6, 8)), draw.randint(60, 560)
    start, target, size = draw.randint(30, 200), draw.randint(330, 600), draw.choice((14, 20, 30))
    counts, number_x = draw.randint(3, 8), draw.randint(60, 560)
    strokes = np.random.default_rng(seed + 1).integers(0, 2, (counts + 1, 5, 4), dtype=np.uint8)
    for tick in range(FPS * SECONDS):
        picture = ground.copy()
        if "lamp" in kinds and tick >= 4:
            blink, phase = divmod(tick - 4, every)
            if blink < blinks and phase < every // 2:
                picture[30:70, lamp_x - 20 : lamp_x + 20] = (255, 190, 30)
        if "disc" in kinds:
            along = min(max((tick - 5) / 20, 0.0), 1.0)
            _disc(picture, round(start + along * (target - start)), 130, size)
        if "number" in kinds:
            shown = strokes[min(tick // 5, counts)].repeat(8, axis=0).repeat(8, axis=1)
            picture[200:240, number_x - 16 : number_x + 16][shown == 1] = (200, 40, 40)
        frames.append(picture)
    truths = []
    if "lamp" in kinds:
        truths.append(Truth("blinked", _at(lamp_x, 50), blinks))
    if "disc" in kinds:
        truths += [Truth("moved", _at(target, 130)), Truth("stopped", _at(target, 130))]
    if "number" in kinds:
        truths.append(Truth("changed", _at(number_x, 220), counts))
    images = [Image.from_array(frame, "drawn", i / FPS) for i, frame in enumerate(frames)]
    return noisy(VideoClip(images, float(SECONDS), "drawn"), noise, seed), truths


def _disc(picture: NDArray[Any], x: int, y: int, radius: int) -> None:
    rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
    picture[(rows - y) ** 2 + (columns - x) ** 2 <= radius * radius] = (40, 90, 220)


def _at(x: int, y: int) -> Box:
    return Box.from_pixels(x - 5, y - 5, x + 5, y + 5, Image.from_array(np.zeros((HIGH, WIDE, 3), np.uint8)).size)


def noisy(clip: VideoClip, sigma: float, seed: int) -> VideoClip:
    """The clip with Gaussian noise of `sigma` levels on each channel of each pixel of each frame."""
    if not sigma:
        return clip
    rng = np.random.default_rng(seed)
    frames = []
    for frame in clip.frames:
        grain = rng.normal(0, sigma, (*frame.array().shape[:2], 3)).astype(np.float32)
        pixels = np.clip(frame.array() + grain, 0, 255).astype(np.uint8)
        frames.append(Image.from_array(pixels, frame.env, frame.start))
    return VideoClip(frames, clip.end, clip.env)


def measured(seeds: range, noise: float = 0.0, kind: str = "drawn") -> Tally:
    """Read generated clips; `kind` is "drawn", "signals" or "still" (nothing happens)."""
    tally = Tally()
    for seed in seeds:
        if kind == "signals":
            for clip, truths in signals(seed, noise):
                tally.add(clip, truths)
        elif kind == "drawn":
            tally.add(*drawn(seed, noise))
        else:
            clip, _ = drawn(seed)
            tally.add(
                noisy(
                    VideoClip([frame.at("", i / FPS) for i, frame in enumerate([clip.frames[0]] * 30)], 3.0),
                    noise,
                    seed,
                ),
                [],
            )
    return tally


def table(tallies: dict[str, Tally]) -> Table:
    """One row a kind of clip."""
    kinds: tuple[Kind, ...] = ("moved", "stopped", "blinked", "changed")
    rows = tuple(
        (
            name,
            str(tally.clips),
            *(share(tally.told.get(kind, 0), tally.happened.get(kind, 0)) for kind in kinds),
            str(tally.false),
            f"{tally.seconds / tally.clips:.2f} s",
        )
        for name, tally in tallies.items()
    )
    return Table(("video", "clips", *kinds, "false alarms", "a clip"), rows)


def main() -> None:
    """Print the table."""
    plan = [
        ("signals", range(200, 204), (0.0, 5.0)),
        ("drawn", range(200, 220), (0.0, 2.0, 5.0, 10.0)),
        ("still", range(200, 205), (0.0, 10.0)),
    ]
    tallies = {
        f"{kind}, noise {noise:g}": measured(seeds, noise, kind) for kind, seeds, levels in plan for noise in levels
    }
    print(table(tallies).text())


if __name__ == "__main__":
    main()
