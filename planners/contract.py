"""Whether a planner keeps the contract of `omnipilot.planners.base`: a check to call from any test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from omnipilot.envs import (
    Absent,
    AudioClip,
    Box,
    Click,
    Context,
    Custom,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Size,
    VideoClip,
)
from omnipilot.envs import ContractBroken as ContractBroken
from omnipilot.envs.contract.breaches import Breaches, told
from omnipilot.envs.types.actions import CONTROL, Verb
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory import MalformedReply, ModelUnavailable, Move, Outcome, Recalled, Usage
from omnipilot.planners.base import Brief, Decision, Feedback, Left, Planner, Request, Verbs

SIZE = Size(64, 48)
BRIEF = Brief(
    'Click "Save" on the phone, then type "hello" into Title on the desktop.',
    {
        "phone": Verbs("phone", frozenset({"click", "long_press", "swipe", "type", "system", "open_app"})),
        "desktop": Verbs("desktop", frozenset({"click", "scroll", "type", "press", "drag"})),
    },
    seed=7,
)
"""The episode that is played; the two devices show three elements each, whatever is done."""


def check_planner(
    make: Callable[[], Planner],
    *,
    brief: Brief = BRIEF,
    demonstration: Sequence[Move] | None = None,
    repeatable: bool = True,
    turns: int = 3,
) -> None:
    """Try a planner against the contract, over short episodes on two still screens.

    Checked: that each decision is a `Decision` whose moves name environments of the brief and verbs that these have, or
    control verbs that the brief allows; that it decides too where modalities are withheld, nothing at all is seen, or
    moves failed; that nothing but `MalformedReply` and `ModelUnavailable` is raised, and not always; that the request
    is left as it was; that an episode after another one, and that of a new planner, go as the first did; that `reads`,
    `needs` and `sees`, where it has them, are sets of modalities. It is asked 15 + 4 * `turns` times.

    In a plug-in's test:

        def test_my_planner_keeps_the_contract():
            check_planner(MyPlanner)

    Args:
        make: makes a new planner.
        brief: of the episodes, with environments of your own where it needs such.
        demonstration: is told to the planner, as to `oracle`.
        repeatable: whether equal briefs (the seed too) and requests give equal decisions; false for a model that
            samples. Whether it remembers the last episode cannot be seen then.
        turns: of an episode that is played from its beginning.

    Raises:
        ContractBroken: with every breach and its cure.
    """
    planner = make()
    found = Breaches(type(planner).__name__)
    brief = replace(brief, demonstration=None if demonstration is None else tuple(demonstration))
    check = _Check(found, brief)
    for name in ("reads", "needs", "sees"):
        declared: Any = getattr(planner, name, frozenset())
        found.check(
            isinstance(declared, frozenset) and all(isinstance(one, Modality) for one in declared),
            f"its `{name}` is {declared!r:.80}: it is a frozenset of Modality",
        )
    first = check.episode(planner, brief, turns)
    check.hard(planner)
    other = replace(brief, seed=brief.seed + 1, instruction='Click "Cancel".')
    check.episode(planner, other, turns)
    again, fresh = check.episode(planner, brief, turns), check.episode(make(), brief, turns)
    if repeatable:
        cure = "begin() forgets all of the last one and seeds whatever is drawn with brief.seed"
        found.check(again == first, f"after other episodes the same one goes otherwise: {cure}")
        found.check(fresh == first, f"a new planner decides otherwise in the same episode: {cure}")
    if check.failed and not check.decided:
        found.note(f"no decision came, each time {check.failed}: nothing could be checked; see to its model")
    found.settle()


class _Check:
    """Asks planners."""

    def __init__(self, found: Breaches, brief: Brief) -> None:
        self.found = found
        self.brief = brief
        self.decided = 0
        self.failed = ""

    def begin(self, planner: Planner, brief: Brief) -> bool:
        """Begin an episode; whether that worked."""
        try:
            planner.begin(brief)
        except Exception as error:
            self.found.note(f"begin() raised {told(error)}: it takes every brief; models are asked in plan()")
            return False
        return True

    def episode(self, planner: Planner, brief: Brief, turns: int) -> list[object]:
        """What a planner decides in the first turns; each move is said to have been done."""
        decisions: list[object] = []
        feedback: tuple[Feedback, ...] = ()
        if not self.begin(planner, brief):
            return decisions
        for turn in range(turns):
            left = Left(turns=turns - turn)
            request = Request(brief, turn, _seen(brief, float(turn)), _recalled(brief, turn), feedback, left)
            decision = self.plan(planner, request)
            if decision is None:
                decisions.append(None)
                continue
            decisions.append((decision.moves, decision.thought, decision.notes, decision.expectations))
            feedback = tuple(Feedback(move, Outcome("done")) for move in decision.moves)
        return decisions

    def hard(self, planner: Planner) -> None:
        """Requests with little to go on, each in an episode of its own."""
        seen = _seen(self.brief, 0.0)
        granted = [frozenset(Modality) - {modality} for modality in Modality]
        looks: list[Mapping[str, Observation]] = [
            {env: look.only(modalities) for env, look in seen.items()} for modalities in (*granted, frozenset())
        ]
        failed = Absent("failed", "the capture took too long")
        looks.append({env: replace(look, screenshot=failed, elements=failed) for env, look in seen.items()})
        looks.append({env: replace(look, elements=Elements(())) for env, look in seen.items()})
        looks.append({})
        for look in looks:
            if self.begin(planner, self.brief):
                self.plan(planner, Request(self.brief, 0, look))
        lost = Move(next(iter(self.brief.envs)), Click("Nothing"))
        for feedback in (
            (Feedback(lost, Outcome("not_found", "there is no Nothing")),),
            (Feedback(None, Outcome("malformed", "the reply was no JSON")),),
            (Feedback(lost, Outcome("rejected", "")), Feedback(lost, Outcome("skipped", ""))),
        ):
            if self.begin(planner, self.brief):
                self.plan(planner, Request(self.brief, 0, seen))
                self.plan(planner, Request(self.brief, 1, seen, (), feedback, Left(turns=1)))

    def plan(self, planner: Planner, request: Request) -> Decision | None:
        """One decision, looked over; None where there was none."""
        kept = dict(request.observations)
        try:
            decision: Any = planner.plan(request)
        except (MalformedReply, ModelUnavailable) as error:
            self.failed = told(error)
            return None
        except Exception as error:
            what = "with " + _plain(request)
            self.found.note(
                f"plan() raised {told(error)} {what}: decide without what is missing; only MalformedReply and "
                "ModelUnavailable are known"
            )
            return None
        self.decided += 1
        self.found.check(dict(request.observations) == kept, "plan() changed the request: it may only read it")
        if not self.found.check(
            isinstance(decision, Decision), f"plan() returned {decision!r:.60}: it has to return a Decision"
        ):
            return None
        moves = decision.moves
        if not self.found.check(
            isinstance(moves, tuple) and all(isinstance(move, Move) for move in moves),
            f"a decision's moves are {moves!r:.60}: they are a tuple of Move",
        ):
            return None
        for move in moves:
            self._move(move, request.brief)
        words = [decision.thought, *decision.notes, *decision.expectations]
        self.found.check(
            isinstance(decision.notes, tuple)
            and isinstance(decision.expectations, tuple)
            and all(isinstance(one, str) for one in words),
            "a decision's thought is text, its notes and expectations are tuples of text",
        )
        self.found.check(isinstance(decision.usage, Usage), "a decision's usage is a Usage, Usage() without a model")
        return cast(Decision, decision)

    def _move(self, move: Move, brief: Brief) -> None:
        intent, env = move.intent, move.env
        if not self.found.check(isinstance(intent, Verb), f"a move's intent is {intent!r:.60}: it is a verb"):
            return
        kind = intent.kind
        if kind in CONTROL:
            self.found.check(
                kind in brief.control, f"a move is {kind!r}, which brief.control does not allow: choose among those"
            )
            self.found.check(
                env in ("", *brief.envs), f"a move names {env!r}, which is no environment of the brief: name one, or ''"
            )
            return
        if self.found.check(
            env in brief.envs,
            f"a move names {env!r}, which is no environment of the brief: name one that is",
        ):
            has = brief.envs[env]
            known = intent.name in has.custom if isinstance(intent, Custom) else kind in has.kinds
            shown = intent.name if isinstance(intent, Custom) else kind
            self.found.check(known, f"a move is {shown!r}, which {env} cannot do: choose among the verbs in brief.envs")


def _plain(request: Request) -> str:
    """What is special about a request, in a few words."""
    if not request.observations:
        return "nothing observed"
    look = next(iter(request.observations.values()))
    absent = [modality.value for modality in Modality if not look.has(modality)]
    bad = [feedback.outcome.result for feedback in request.feedback if feedback.outcome.result != "done"]
    told = [f"{', '.join(absent)} absent"] * bool(absent) + [f"feedback {', '.join(bad)}"] * bool(bad)
    return " and ".join(told) or "everything observed"


def _seen(brief: Brief, time: float) -> dict[str, Observation]:
    return {env: _look(env, time) for env in brief.envs}


def _look(env: str, time: float) -> Observation:
    grey = Image.raw(SIZE, bytes([90]) * (SIZE.pixels * 3), env, time)
    items = (("heading", "Notes"), ("button", "Save"), ("textbox", "Title"))
    elements = tuple(
        Element(role, name, Box(0.1, 0.3 * row, 0.9, 0.3 * row + 0.2), id=f"{env}-{row}")
        for row, (role, name) in enumerate(items)
    )
    start = max(0.0, time - 0.5)
    return Observation(
        env,
        time,
        SIZE,
        grey,
        Elements(elements),
        AudioClip(bytes(2 * round((time - start) * SAMPLE_RATE)), env, start),
        VideoClip([grey.at(env, start), grey], time, env),
        Context("notes", "Notes"),
    )


def _recalled(brief: Brief, turn: int) -> tuple[Recalled, ...]:
    if not turn:
        return ()
    env = next(iter(brief.envs))
    return (
        Recalled("Save comes first.", "thought", "", float(turn - 1), turn - 1),
        Recalled(_look(env, float(turn - 1)).screenshot, "screenshot", env, float(turn - 1), turn - 1),  # type: ignore[arg-type]
    )
