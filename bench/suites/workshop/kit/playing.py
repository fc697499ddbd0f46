"""Players: recordings and films that they hold, how they are played, and judges of what was played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

from omnipilot.bench.suites.workshop.kit.checks import file_played, paused_between
from omnipilot.bench.suites.workshop.kit.media import speech
from omnipilot.bench.suites.workshop.kit.steps import keys, step, until
from omnipilot.bench.suites.workshop.template import DemonstratedStep, Draw
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, TypeText

MEMO = "Music/memo.wav"
MEMO_SECONDS = 10.0
"""How long a memo is, whatever it says."""
SAID = 4.0
"""Seconds after which what a memo says has been said once."""
HALF_SPEED = "{"
"""The key of mpv that halves its speed."""
SKIPS = {"up": 60.0, "right": 5.0}
"""Seconds that keys of mpv skip, the longest first."""


def waiting_player(path: str) -> tuple[str, ...]:
    """The command line of the player that holds a file and has not begun; at its end it keeps it."""
    return ("mpv", "--pause", "--keep-open=yes", path)


def memo(draw: Draw, text: str) -> Callable[[], bytes]:
    """A voice memo that says a text twice: "the code is 4711"."""
    voice = f"{draw.choice(['en-a', 'en-b'])}:{text}"
    return partial(speech, voice, voice, seconds=MEMO_SECONDS)


def play(path: str, seconds: float = SAID) -> DemonstratedStep:
    """Let the player in front play what it holds for so many seconds, and listen or watch."""
    return step("play it", keys("space"), until(file_played(PurePosixPath(path).name, seconds), lasts=seconds))


def skip_to(seconds: float) -> DemonstratedStep:
    """Skip ahead in the player in front, from the start to a multiple of 5 s."""
    presses: list[Intent] = []
    for key, length in SKIPS.items():
        presses += [keys(key)] * int(seconds // length)
        seconds %= length
    return step("skip ahead", *presses)


def pause_at(path: str, seconds: float) -> tuple[DemonstratedStep, ...]:
    """Play from just before a moment on, and pause once it is past.

    At a quarter of the speed: what it is to be paused in lasts a few seconds, and on a busy machine as many may pass
    between a look at the player and the key that pauses it.
    """
    name = PurePosixPath(path).name
    return (
        step(
            "play it slowly",
            TypeText(HALF_SPEED * 2),
            keys("space"),
            until(file_played(name, seconds + 0.8), lasts=4.0),
        ),
        step("pause it", keys("space"), until(paused_between(name, seconds, seconds + 60.0))),
    )


def listen_to_all(seconds: float) -> DemonstratedStep:
    """Let the terminal in front play all of the music, and listen; to know the end is enough, so it is not needed."""
    return step(
        "listen to them",
        TypeText("mpv --no-terminal --no-video Music/*.wav", submit=True),
        until(sounds(True)),
        until(sounds(False), lasts=seconds),
        needed=False,
    )


def play_with_celluloid(path: str, seconds: float) -> DemonstratedStep:
    """Play a recording with the player Celluloid, from the terminal in front, and listen for so many seconds."""
    return step(
        "play it",
        TypeText(f"celluloid {path} &", submit=True),
        until(celluloid_played(path, seconds), lasts=seconds),
    )


def sounds(wanted: bool) -> Judge:
    """Something sounds, or nothing does."""
    return Judge(
        "something sounds" if wanted else "it is silent",
        lambda case: wanted is any(not one.corked for one in case.state.desktop.streams),
        env="desktop",
    )


def celluloid_played(path: str, seconds: float) -> Judge:
    """The player Celluloid, which tells no file over MPRIS but in its title, has played one beyond so many seconds.

    Now and then it does not come to the bus at all: then it is enough that it plays.
    """
    name = PurePosixPath(path).name

    def ask(case: Case) -> Verdict:
        desktop = case.state.desktop
        if not any("celluloid" in one.program.casefold() and name in one.title for one in desktop.windows):
            return Verdict(0.0, f"Celluloid does not hold {name}")
        if not desktop.players:
            plays = any("celluloid" in one.program.casefold() and not one.corked for one in desktop.streams)
            return Verdict(float(plays), f"Celluloid {'plays' if plays else 'does not play'} {name}")
        at = max(one.position for one in desktop.players)
        return Verdict(min(1.0, at / seconds), f"{name} at {at:.1f} s")

    return Judge(f"{name} was played", ask, env="desktop")


def memo_played() -> Judge:
    """The memo was played until it has said all once."""
    return file_played("memo.wav", SAID)
