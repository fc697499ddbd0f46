"""A conformance check for planners (`omnipilot.planners.base`), to be called from any test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from omnipilot.envs.contract.breaches import Breaches, describe_error
from omnipilot.envs.types import CONTROL_VERBS, SAMPLE_RATE
from omnipilot.envs.types.actions import Verb
from omnipilot.memory import Expectation, MalformedReply, ModelUnavailable, Move, Outcome, Recalled, Usage
from omnipilot.planners.base import Brief, Decision, Feedback, Left, Planner, Request, Verbs, decision_problem

SIZE = Size(64, 48)
BRIEF = Brief(
    'Click "Save" on the phone, then type "hello" into Title on the desktop.',
    {
        "phone": Verbs("phone", frozenset({"click", "long_press", "swipe", "type", "system", "open_app"})),
        "desktop": Verbs("desktop", frozenset({"click", "scroll", "type", "press", "drag"})),
    },
    seed=7,
)
"""The brief of the test episode; both devices always show the same three elements."""


def check_planner(
    make: Callable[[], Planner],
    *,
    brief: Brief = BRIEF,
    repeatable: bool = True,
    turns: int = 3,
) -> None:
    """Check a planner against the contract, in short episodes on two static screens.

    Checked: each decision is a `Decision` whose moves name environments of the brief and verbs they support, or
    control verbs that the brief allows; it also decides when modalities are withheld, nothing is seen, or moves
    failed; it raises only `MalformedReply` and `ModelUnavailable`, and not always; it does not change the request;
    a later episode, and one of a new planner, go like the first; `reads`, `needs` and `untaken` are sets of modalities.
    The planner is called 15 + 4 * `turns` times.

    Optional, and so not asked for here: `points`, `takes_notes`, `untaken`, `preview`, and all of `AgentPart`. Each has
    a body in `Planner`.

    In a plug-in's test:

        def test_my_planner_keeps_the_contract():
            check_planner(MyPlanner)

    Args:
        make: creates a new planner; one that takes its answers from the runner is handed a truth here.
        brief: of the episodes, with your own environments if it needs them.
        repeatable: whether equal briefs (seed included) and requests give equal decisions; false for a model that
            samples. State left over from the last episode cannot be detected then.
        turns: length of the episodes played from the start.

    Raises:
        ContractBroken: lists every breach and its fix.
    """
    planner = make()
    found = Breaches(type(planner).__name__)
    check = _Check(found, brief)
    found.require_base(planner, Planner)
    declarations: dict[str, Any] = {"needs": planner.needs, "untaken": planner.untaken, "reads": planner.reads}
    for name, declared in declarations.items():
        found.check(
            (declared is None and name != "needs")
            or (isinstance(declared, frozenset) and all(isinstance(one, Modality) for one in declared)),
            f"its `{name}` is {declared!r:.80}: it must be a frozenset of Modality",
        )
    first = check.episode(planner, brief, turns)
    check.hard(planner)
    other = replace(brief, seed=brief.seed + 1, instruction='Click "Cancel".')
    check.episode(planner, other, turns)
    again, fresh = check.episode(planner, brief, turns), check.episode(make(), brief, turns)
    if repeatable:
        cure = "begin() must forget the last episode and seed all randomness with brief.seed"
        found.check(again == first, f"the same episode goes differently after other episodes: {cure}")
        found.check(fresh == first, f"a new planner decides differently in the same episode: {cure}")
    if check.failed and not check.decided:
        found.note(f"every call failed ({check.failed}), so nothing could be checked: fix its model")
    found.settle()


class _Check:
    """Runs the checks on planners."""

    def __init__(self, found: Breaches, brief: Brief) -> None:
        self.found = found
        self.brief = brief
        self.decided = 0
        self.failed = ""

    def begin(self, planner: Planner, brief: Brief) -> bool:
        """Begin an episode; returns whether that worked."""
        try:
            planner.begin(brief)
        except Exception as error:
            self.found.note(
                f"begin() raised {describe_error(error)}: it must accept every brief; call models in plan()"
            )
            return False
        return True

    def episode(self, planner: Planner, brief: Brief, turns: int) -> list[object]:
        """A planner's decisions in the first turns; every move is reported as done."""
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
        """Requests with little information, each in its own episode."""
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
        """One decision, checked; None if there was none."""
        kept = dict(request.observations)
        try:
            decision: Any = planner.plan(request)
        except (MalformedReply, ModelUnavailable) as error:
            self.failed = describe_error(error)
            return None
        except Exception as error:
            what = "with " + _plain(request)
            self.found.note(
                f"plan() raised {describe_error(error)} {what}: decide without what is missing; only MalformedReply "
                "and ModelUnavailable may be raised"
            )
            return None
        self.decided += 1
        self.found.check(dict(request.observations) == kept, "plan() changed the request: it must not modify it")
        problem = decision_problem(decision)
        if not self.found.check(not problem, problem):
            return None
        for move in decision.moves:
            self._move(move, request.brief)
        words = [decision.thought, *decision.notes]
        self.found.check(
            isinstance(decision.notes, tuple) and all(isinstance(one, str) for one in words),
            "a decision's thought must be a str, its notes a tuple of str",
        )
        self.found.check(
            isinstance(decision.expectations, tuple)
            and all(isinstance(one, Expectation) for one in decision.expectations),
            "a decision's expectations must be a tuple of Expectation",
        )
        self.found.check(isinstance(decision.usage, Usage), "a decision's usage must be a Usage, also without a model")
        return cast(Decision, decision)

    def _move(self, move: Move, brief: Brief) -> None:
        intent, env = move.intent, move.env
        if not self.found.check(isinstance(intent, Verb), f"a move's intent is {intent!r:.60}: it must be a verb"):
            return
        kind = intent.kind
        if kind in CONTROL_VERBS:
            self.found.check(
                kind in brief.control, f"a move is {kind!r}, which is not in brief.control: use only those"
            )
            self.found.check(
                env in ("", *brief.envs), f"a move names {env!r}, which is not in brief.envs: use one of those, or ''"
            )
            return
        if self.found.check(
            env in brief.envs,
            f"a move names {env!r}, which is not in brief.envs: use one of those",
        ):
            has = brief.envs[env]
            known = intent.name in has.custom if isinstance(intent, Custom) else kind in has.kinds
            shown = intent.name if isinstance(intent, Custom) else kind
            self.found.check(known, f"a move is {shown!r}, which {env} cannot do: use the verbs in brief.envs")


def _plain(request: Request) -> str:
    """The special feature of a request, in a few words."""
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
