"""The past of the tasks whose lure is remembered: a mail told it, was read, and was taken back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from omnipilot.bench.suites.duet_memory.stage import Stage, read_and_lose
from omnipilot.bench.suites.duet_memory.wandering import wander
from omnipilot.bench.tasks.task import Prologue, seed_of
from omnipilot.envs import Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.account import Mail, fresh_id
from omnipilot.memory import Move

BEFORE, AFTER = 6, 10
"""Turns before the mail is read, and since it was."""
READING = 4
SENDER, SUBJECT = "desk@city-sports.example", "From the desk"


def past(words: str, seed: int) -> Prologue:
    """A past in which a mail with these words was read."""

    def play(world: SimWorld) -> Iterator[Move]:
        stage, dice = Stage(world), Random(seed_of(seed, "past"))
        yield from wander(stage, dice, BEFORE, _nothing)
        yield from _read(stage, words)
        yield from wander(stage, dice, AFTER, _nothing)

    return Prologue(BEFORE + READING + AFTER, play)


def _read(stage: Stage, words: str) -> Iterator[Move]:
    account = stage.world.state().account
    mail = Mail(fresh_id("mail", account.mails), SENDER, account.owner.email, SUBJECT, words, 0.0)
    yield from read_and_lose(stage, mail)


def _nothing(stage: Stage, dice: Random) -> Iterator[Move]:  # noqa: ARG001
    yield Move("", Wait(2.0))
