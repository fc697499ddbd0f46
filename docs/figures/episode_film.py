"""`python docs/figures/episode_film.py docs/pictures/episode.gif`: the moving picture of README.md.

It plays the demonstration of one task across the embedded phone and desktop, and shows both screens before each move
and at its end, with the sound of both devices below, on one clock.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import typer
from duet_strip import describe_move
from picture_board import INK, LINE, MARK, MUTED, Board
from PIL import Image as pil
from sim_shots import photograph
from small_png import common_palette

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.envs import AudioClip, Image, Modality, Point, Size
from omnipilot.envs.types.media import SAMPLE_RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

TASK, INSTANCE = "spoken-code-to-log", 0
BOARD = Size(900, 560)
SCREENS = {"desktop": (20, 72, Size(634, 357)), "phone": (692, 72, Size(161, 357))}
TRACK = (20, 462, 860, 40)
"""Left, top, width and height of the track of the phone's sound."""
STEP, LAST = 1300, 3500
"""Milliseconds for which a frame stays, and the last one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown at once.

    Attributes:
        now: in seconds of the episode. env, at: the device that is acted on, and where, in shares of its screen.
    """

    screens: dict[str, Image]
    words: str
    now: float
    env: str = ""
    at: Point | None = None


def film() -> bytes:
    """The picture, as a GIF that repeats."""
    task = Duet().instantiate(TASK, INSTANCE)
    trial = Rehearsal(task)
    world = trial.world
    assert task.solution is not None
    begun, frames, heard = world.now, [], []

    def screens() -> dict[str, Image]:
        return {env: photograph(world, env) for env in world.envs}

    for move in task.solution(world):
        words, at = describe_move(world, move)
        frames.append(Frame(screens(), words, world.now - begun, move.env, at))
        before = world.now
        trial.play([move], ended=False)
        for env in world.envs.values():
            clip = env.observe((Modality.AUDIO,), before).audio
            if isinstance(clip, AudioClip):
                heard.append((clip.start - begun, clip.array()))
    trial.play([])
    solved = "Solved: the judges found all sub-goals" if not trial.missing else "Not solved"
    frames.append(Frame(screens(), solved, world.now - begun))
    loudness = _loudness(heard, world.now - begun)
    return _gif([_drawn(frame, trial.instruction, loudness, world.now - begun) for frame in frames])


def _loudness(heard: list[tuple[float, NDArray[np.int16]]], whole: float) -> NDArray[np.float64]:
    """The peak of both devices' sound in each column of the track, from 0 to 1."""
    wide = TRACK[2]
    peaks: NDArray[np.float64] = np.zeros(wide)
    for start, samples in heard:
        places = ((start + np.arange(len(samples)) / SAMPLE_RATE) / whole * wide).astype(int).clip(0, wide - 1)
        np.maximum.at(peaks, places, np.abs(samples.astype(np.float64)))
    peaks /= max(1.0, float(peaks.max()))
    return peaks


def _drawn(frame: Frame, told: str, loudness: NDArray[np.float64], whole: float) -> Board:
    board = Board(BOARD.width, BOARD.height)
    board.words(20, 14, told, BOARD.width - 40)
    for env, (x, y, size) in SCREENS.items():
        board.screen(x, y, frame.screens[env], size)
        if env == frame.env and frame.at is not None:
            board.mark(x + round(frame.at.x * size.width), y + round(frame.at.y * size.height))
    left, top, wide, high = TRACK
    middle, at = top + high // 2, round(frame.now / whole * wide)
    board.rect(left, middle, wide, 1, LINE)
    for column, peak in enumerate(loudness):
        reach = round(float(peak) * high / 2)
        if reach:
            board.rect(left + column, middle - reach, 1, 2 * reach + 1, MUTED if column > at else INK)
    board.rect(left + min(at, wide - 2), top, 2, high, MARK)
    board.text(left, top + high + 6, "sound of both devices", 12, soft=True)
    board.text(left + 150, top + high + 6, f"{frame.now:.1f} s", 12, soft=True)
    board.text(left, top + high + 26, f"{frame.env}: {frame.words}" if frame.env else frame.words, 16, bold=True)
    return board


def _gif(boards: list[Board]) -> bytes:
    """All frames in the colours of one palette, so that what stands still costs nothing."""
    pictures = [pil.fromarray(board.pixels) for board in boards]
    palette = common_palette(np.concatenate([board.pixels for board in boards]))
    few = [picture.quantize(palette=palette, dither=pil.Dither.NONE) for picture in pictures]
    file = BytesIO()
    times = [STEP] * (len(few) - 1) + [LAST]
    few[0].save(file, "gif", save_all=True, append_images=few[1:], duration=times, loop=0, optimize=False)
    return file.getvalue()


def main(path: Path) -> None:
    """Draw the picture into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(film())
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    typer.run(main)
