"""A conformance check for memories (`omnipilot.memory.base`), to be called from any test."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from omnipilot.envs import (
    AudioClip,
    Box,
    Click,
    Context,
    Done,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Point,
    Size,
    TypeText,
    VideoClip,
)
from omnipilot.envs import ContractBroken as ContractBroken
from omnipilot.envs.contract.breaches import Breaches
from omnipilot.envs.types import ALL_MODALITIES, SAMPLE_RATE
from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.messages import Usage
from omnipilot.memory.trajectory import Move, Outcome, Step, Turn

ENVS = ("phone", "desktop")
TURNS = 4
SIZE = Size(16, 12)
BUDGETS = (
    Budget(),
    Budget(texts=1),
    Budget(texts=0),
    Budget(images=0),
    Budget(images=1),
    Budget(clips=0),
    Budget(clips=1),
    Budget(characters=40),
    Budget(characters=0),
    Budget(tokens=12),
    Budget(tokens=0),
    Budget(audio_seconds=0.25, video_seconds=0.0),
    Budget(0, 0, 0, 0),
)
QUERIES = ("save the invoice", "", "Zoë, 漢字 and 🙂\n\tin two lines", "word " * 2000)


def check_memory(make: Callable[[], Memory], *, repeatable: bool = True) -> None:
    """Check a memory against the contract, in an episode of four turns on a phone and a desktop.

    Checked: each recall is within its budget and in order of time (unless the memory names another order by an
    attribute `order`), and each part names its source, environment, time and turn; it returns nothing from environments
    that were not requested or granted, and nothing that shows a withheld modality (images and clips by kind, elements
    and context by their words); any query and unusual turns are accepted; recalling changes nothing; `clear` forgets,
    and two memories share nothing. Words that a memory derives from audio, video or pixels are not recognized.

    Optional, and so not asked for here: `watch`, `conclude`, `take_store`; `take_events` and `drain_events` of one that
    keeps a timeline (`keeps_timeline`); `fill_anchor` of one that gives names (`knows_anchors`); `budget`;
    `drain_usage` of one that calls models; and all of `AgentPart`. Each has a body in `Memory` that does nothing.

    In a plug-in's test:

        def test_my_memory_keeps_the_contract():
            check_memory(MyMemory)

    Args:
        make: creates a new memory.
        repeatable: whether the same query gets the same answer; false if it uses a model that samples.

    Raises:
        ContractBroken: lists every breach and its fix.
    """
    memory = make()
    found = Breaches(type(memory).__name__)
    found.require_base(memory, Memory)
    check = _Check(found, memory)
    check.nothing("a new memory", "instances must share nothing, and there is nothing to recall before the first turn")
    turns = [_turn(index, "first") for index in range(TURNS)]
    for turn in turns:
        found.carry_out("record()", partial(memory.record, turn), "it must accept every turn")
    first = check.recall()
    for budget in BUDGETS:
        check.within(budget, turns)
    for query in QUERIES:
        check.recall(query)
    for envs in (*((env,) for env in ENVS), ()):
        check.of_envs(envs, Role("planner"), f"for {', '.join(envs) or 'no environment'}")
        check.of_envs(ENVS, Role("planner", envs=frozenset(envs)), f"to a role that sees {', '.join(envs) or 'none'}")
    for modality in Modality:
        check.withheld(turns, ALL_MODALITIES - {modality})
    check.withheld(turns, frozenset())
    if repeatable:
        check.same(first)
    found.carry_out("clear()", memory.clear, "it must forget, and raise nothing")
    found.carry_out("a second clear()", memory.clear, "clearing an empty memory must work")
    check.nothing("after clear(), it", "forget everything: the next episode must not know of the last")
    for turn in _unusual():
        found.carry_out("record()", partial(memory.record, turn), "it must accept every turn")
        check.recall("")
    words = " ".join(one.part for one in check.recall("first") if isinstance(one.part, str))
    found.check("first" not in words, "after clear() it recalls words of the previous episode: forget everything")
    other = make()
    check = _Check(found, other)
    check.nothing("a new memory", "instances must share nothing, and there is nothing to recall before the first turn")
    found.settle()


class _Check:
    """Runs the checks on one memory."""

    def __init__(self, found: Breaches, memory: Memory) -> None:
        self.found = found
        self.memory = memory

    def recall(
        self,
        query: str = QUERIES[0],
        budget: Budget | None = None,
        role: Role | None = None,
        envs: Collection[str] = ENVS,
    ) -> tuple[Recalled, ...]:
        """What it recalls; nothing if it raises or does not return a tuple of `Recalled`."""
        recalled: Any = self.found.attempt(
            f"recall({query!r:.40})",
            lambda: self.memory.recall(query, budget or Budget(), role or Role("planner"), envs),
            "answer any query, budget and role, with () if there is nothing",
        )
        if recalled is None:
            return ()
        fine = isinstance(recalled, tuple) and all(isinstance(one, Recalled) for one in recalled)
        self.found.check(fine, "recall() must return a tuple of Recalled")
        return recalled if fine else ()

    def nothing(self, who: str, cure: str) -> None:
        """Check that it recalls nothing."""
        self.found.check(not self.recall(), f"{who} recalls something: {cure}")

    def within(self, budget: Budget, turns: Sequence[Turn]) -> None:
        """Check that a recall is within its budget and in order, and that each part has its provenance."""
        recalled = self.recall(budget=budget)
        texts = [one.part for one in recalled if isinstance(one.part, str)]
        counts = {
            "texts": len(texts),
            "images": sum(isinstance(one.part, Image) for one in recalled),
            "clips": sum(isinstance(one.part, AudioClip | VideoClip) for one in recalled),
            "characters": sum(map(len, texts)),
            "audio_seconds": sum(one.part.seconds for one in recalled if isinstance(one.part, AudioClip)),
            "video_seconds": sum(one.part.seconds for one in recalled if isinstance(one.part, VideoClip)),
        }
        if budget.tokens is not None:
            counts["tokens"] = sum(map(estimate_tokens, texts))
        for name, count in counts.items():
            most = getattr(budget, name)
            self.found.check(
                count <= most + 1e-6, f"a recall has {count} {name}, but the budget is {most}: drop the least relevant"
            )
        times = [one.time for one in recalled]
        by_time = self.memory.order == "time"
        self.found.check(
            not by_time or times == sorted(times),
            "a recall is not in order of time: return the oldest first, or name its order by an attribute `order`",
        )
        last = max((step.end for turn in turns for step in turn.steps), default=0.0)
        known = {turn.index for turn in turns}
        for one in recalled:
            self.found.check(
                isinstance(one.part, str | Image | AudioClip | VideoClip),
                f"a part is a {type(one.part).__name__}: it must be a str, Image, AudioClip or VideoClip",
            )
            self.found.check(one.source, "a part has no source: name one, such as 'thought' or 'screenshot'")
            self.found.check(
                one.env in (*ENVS, ""), f'a part names the unknown environment {one.env!r}: use "" for none'
            )
            self.found.check(
                math.isfinite(one.time) and 0 <= one.time <= last,
                f"a part has the time {one.time:g} s, when there was no turn: use the world's clock",
            )
            self.found.check(one.turn in known, f"a part names turn {one.turn}, which was not recorded: give its turn")

    def of_envs(self, envs: Collection[str], role: Role, how: str) -> None:
        """Check that only requested and granted environments are recalled."""
        for one in self.recall(role=role, envs=envs):
            for other in [env for env in ENVS if env not in envs or not role.sees(env)]:
                if one.env == other or _shows(one, other):
                    self.found.note(
                        f"recall() {how} reveals {other}: leave out what belongs to other environments, `source` "
                        f"{one.source!r}"
                    )

    def withheld(self, turns: Sequence[Turn], granted: frozenset[Modality]) -> None:
        """Check that nothing shows a modality that is not granted."""
        role = Role("planner", granted)
        for one in self.recall(role=role):
            for modality in set(Modality) - granted:
                if _reveals(one, modality, turns, granted):
                    self.found.note(
                        f"recall() showed the {modality} to a role that may not see it, `source` {one.source!r}: leave "
                        "out everything from modalities that are not in role.modalities"
                    )

    def same(self, first: tuple[Recalled, ...]) -> None:
        """Check that it answers as it did before all the other queries."""
        self.found.check(
            self.recall() == first, "the same query gets another answer the second time: recalling must change nothing"
        )


def _secret(env: str, modality: Modality) -> str:
    """A word that occurs only in one modality of one environment."""
    return f"{modality.value}-word-of-{env}"


def _shows(one: Recalled, env: str) -> bool:
    """Whether a part contains anything seen, heard or typed in an environment, whatever origin it claims."""
    if isinstance(one.part, str):
        return f"typed-in-{env}" in one.part or any(_secret(env, modality) in one.part for modality in Modality)
    return bool(one.part.env == env)


def _reveals(one: Recalled, modality: Modality, turns: Sequence[Turn], granted: Collection[Modality]) -> bool:
    part = one.part
    if modality is Modality.AUDIO:
        return isinstance(part, AudioClip)
    if modality is Modality.VIDEO:
        return isinstance(part, VideoClip)
    if modality is Modality.SCREENSHOT:
        # If video is granted, an image may be a frame of it.
        shots = [seen.screenshot for turn in turns for seen in turn.observations.values()]
        return isinstance(part, Image) and (Modality.VIDEO not in granted or part in shots)
    return isinstance(part, str) and any(_secret(env, modality) in part for env in ENVS)


def _turn(index: int, episode: str) -> Turn:
    time = 2.0 * index
    seen = {env: _observation(env, index, time) for env in ENVS}
    moves = [*(Move(env, TypeText(f"typed-in-{env} {episode} {index}")) for env in ENVS), Move("phone", Click("Save"))]
    steps = []
    for number, move in enumerate(moves):
        begin = time + 0.25 * (number + 1)
        outcome = Outcome("done") if number < 2 else Outcome("not_found", "there is no Save")
        executed: Any = move.intent if number < 2 else None
        steps.append(
            Step(3 * index + number, index, move, executed, outcome, seen[move.env], start=begin, end=begin + 0.25)
        )
    return Turn(index, seen, f"thought {episode} {index}", (f"note {episode} {index}",), tuple(steps), Usage())


def _observation(env: str, index: int, time: float) -> Observation:
    number = 2 * index + ENVS.index(env)
    box = Box(0.1, 0.1, 0.5, 0.5)
    start = max(0.0, time - 0.5)
    length = round((time - start) * SAMPLE_RATE)
    return Observation(
        env,
        time,
        SIZE,
        _shade(number, env, time),
        Elements((Element("button", _secret(env, Modality.ELEMENTS), box, id=f"{env}-{index}"),)),
        AudioClip(bytes([number + 1, 0]) * length, env, start),
        VideoClip([_shade(100 + number, env, start), _shade(200 + number, env, time)], time, env),
        Context("app", _secret(env, Modality.CONTEXT)),
    )


def _shade(number: int, env: str, time: float) -> Image:
    return Image.raw(SIZE, bytes([number]) * (SIZE.pixels * 3), env, time)


def _unusual() -> list[Turn]:
    """Unusual turns: nothing seen, nothing done, an unreadable reply, the end of an episode."""
    bare = Observation("phone", 1.0, SIZE)
    done = Step(1, 2, Move("", Done()), Done(), Outcome("control"), start=3.0, end=3.0)
    malformed = Step(0, 1, None, None, Outcome("malformed", "no JSON"), start=1.0, end=1.0)
    pointed = replace(done, index=2, proposed=Move("phone", Click(Point(0.5, 0.5))), executed=Click(Point(0.5, 0.5)))
    seen: list[tuple[Mapping[str, Observation], tuple[Step, ...]]] = [
        ({}, ()),
        ({"phone": bare}, (malformed,)),
        ({"phone": bare}, (done, pointed)),
    ]
    return [Turn(index, looks, "", (), steps, Usage()) for index, (looks, steps) in enumerate(seen)]
