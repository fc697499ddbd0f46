"""The check of planners: ours keep the contract, and planners that break it are told where."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from chat_server import Answer, ChatServer
from fixed_truth import FixedTruth, told
from made_parts import make_part
from scripted_model import ScriptedModel, calls

from omnipilot.agents.assembly.build import PLANNERS
from omnipilot.envs import Answer as AnswerVerb
from omnipilot.envs import Box, Click, ConfigError, Custom, Done, Element, Modality, Noop, Ref, System
from omnipilot.memory import MalformedReply, ModelUnavailable, Move
from omnipilot.planners import (
    BlindPlanner,
    Brief,
    Decision,
    FunctionCallingPlanner,
    GoldPlanner,
    GradedPlanner,
    NoopPlanner,
    OraclePlanner,
    RandomPlanner,
    Request,
    check_planner,
)
from omnipilot.planners import Planner as Contract
from omnipilot.planners.contract import BRIEF, ContractBroken


@pytest.mark.parametrize(
    "make",
    [NoopPlanner, RandomPlanner, lambda: BlindPlanner(RandomPlanner())],
    ids=["noop", "random", "blind"],
)
def test_our_planners_keep_the_contract(make: Callable[[], NoopPlanner]) -> None:
    check_planner(make, turns=5)


TRUTH = FixedTruth(
    {"phone": [Element("button", "Save", Box(0.1, 0.1, 0.4, 0.2), id="s")]},
    [Move("phone", Click(Ref("s"))), Move("", AnswerVerb("hello"))],
)


@pytest.mark.parametrize(
    "make", [OraclePlanner, GoldPlanner, lambda: GradedPlanner(0.5)], ids=["oracle", "gold", "graded"]
)
def test_planners_that_know_the_solution_keep_the_contract(make: Callable[[], OraclePlanner]) -> None:
    check_planner(lambda: told(make(), TRUTH))
    with pytest.raises(ContractBroken, match="begin\\(\\) raised ConfigError"):
        check_planner(make)


def replies(name: str) -> Answer:
    """What a model says, in the form that a planner reads."""
    if name == "json":
        return Answer('{"thought": "Save.", "actions": [{"kind": "click", "device": "phone", "at": "Save"}]}')
    return Answer("Save.", (("click_in_phone", '{"target": "Save"}'),))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["function-calling", "json"])
def test_planners_of_language_models_keep_the_contract(name: str) -> None:
    with ChatServer([replies(name)]) as server:
        options = {"model": "hosted_vllm/tiny", "url": server.url}
        check_planner(lambda: make_part(PLANNERS, name, options))  # type: ignore[arg-type, return-value]


class Planner(Contract):
    """Clicks on the phone, then is done; what breaks the contract changes one thing."""

    clicks = 2

    def begin(self, brief: Brief) -> None:
        self.turn = 0

    def plan(self, request: Request) -> Decision:
        self.turn += 1
        move = Move("phone", Click("Save")) if self.turn <= self.clicks else Move("", Done())
        return Decision((move,), f"turn {self.turn}")


class Leaking(Planner):
    turn = 0

    def begin(self, brief: Brief) -> None:
        """Nothing is forgotten."""


class Undetermined(Planner):
    """Draws, whatever the seed."""

    made = 0

    def begin(self, brief: Brief) -> None:
        super().begin(brief)
        Undetermined.made += 1

    def plan(self, request: Request) -> Decision:
        return Decision((Move("", Noop()),), f"drawn {self.made}")


class Lost(Planner):
    def plan(self, request: Request) -> Decision:
        return Decision((Move("tablet", Click("Save")),))


class Unable(Planner):
    def plan(self, request: Request) -> Decision:
        return Decision((Move("desktop", System("back")), Move("phone", Custom("fly"))))


class Placeless(Planner):
    def plan(self, request: Request) -> Decision:
        return Decision((Move("nowhere", Done()),))


class Staring(Planner):
    """Reads the elements, whether they are there or not."""

    def plan(self, request: Request) -> Decision:
        for seen in request.observations.values():
            assert seen.elements.items is not None  # type: ignore[union-attr]
        return super().plan(request)


class FirstSight(Planner):
    def plan(self, request: Request) -> Decision:
        next(iter(request.observations.values()))
        return super().plan(request)


class Proud(Planner):
    """Knows no failure."""

    def plan(self, request: Request) -> Decision:
        if any(told.move is None for told in request.feedback):
            raise ConfigError("this cannot be")
        return super().plan(request)


class Wordy(Planner):
    def plan(self, request: Request) -> str:  # type: ignore[override]
        return "click Save"


class ListOfMoves(Planner):
    def plan(self, request: Request) -> Decision:
        return Decision([Move("phone", Click("Save"))])  # type: ignore[arg-type]


class Mistyped(Planner):
    reads = ("elements",)

    def plan(self, request: Request) -> Decision:
        return Decision((Move("phone", "click"),), notes="none", usage=3)  # type: ignore[arg-type]


class Taking(Planner):
    def plan(self, request: Request) -> Decision:
        request.observations.clear()  # type: ignore[attr-defined]
        return super().plan(request)


class Down(Planner):
    def plan(self, request: Request) -> Decision:
        raise ModelUnavailable("no server at http://localhost:1")


class Deaf(Planner):
    """Its model answers nonsense where nothing is seen, which the contract allows."""

    def plan(self, request: Request) -> Decision:
        if not any(seen.has(Modality.ELEMENTS) for seen in request.observations.values()):
            raise MalformedReply("no JSON")
        return super().plan(request)


BREACHES: list[tuple[Callable[[], Planner], tuple[str, ...]]] = [
    (Leaking, ("the same episode goes differently after other episodes", "begin() must forget the last episode")),
    (Undetermined, ("a new planner decides differently in the same episode", "brief.seed")),
    (Lost, ("a move names 'tablet', which is not in brief.envs",)),
    (Unable, ("a move is 'system', which desktop cannot do", "a move is 'fly', which phone cannot do")),
    (Placeless, ("a move names 'nowhere', which is not in brief.envs: use one of those, or ''",)),
    (Staring, ("'Absent' object has no attribute 'items') with elements absent: decide without",)),
    (FirstSight, ("plan() raised StopIteration with nothing observed",)),
    (Proud, ("plan() raised ConfigError (this cannot be) with feedback malformed",)),
    (Wordy, ("plan() returned 'click Save': it must return a Decision",)),
    (ListOfMoves, ("they must be a tuple of Move",)),
    (
        Mistyped,
        ("`reads` is ('elements',)", "a move's intent is 'click'", "its notes a tuple of str", "usage must be a Usage"),
    ),
    (Taking, ("plan() changed the request",)),
    (Down, ("every call failed (ModelUnavailable (no server at http://localhost:1))", "fix its model")),
]


@pytest.mark.parametrize(("make", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_planner_is_told(make: Callable[[], Planner], told: tuple[str, ...]) -> None:
    check_planner(Planner)
    with pytest.raises(ContractBroken) as error:
        check_planner(make)
    assert error.value.part == make.__name__
    for words in told:
        assert words in str(error.value)


def test_what_the_contract_allows_is_no_breach() -> None:
    check_planner(Deaf)
    check_planner(Undetermined, repeatable=False)


def test_control_verbs_that_the_brief_withholds_are_told() -> None:
    brief = Brief(BRIEF.instruction, BRIEF.envs, control=frozenset({"noop"}))
    with pytest.raises(ContractBroken, match="'done', which is not in brief.control"):
        check_planner(Planner, brief=brief)


def test_a_planner_with_a_model_is_asked_as_often_as_it_says() -> None:
    model = ScriptedModel(calls(("click_in_phone", {"target": "Save"})))
    check_planner(lambda: FunctionCallingPlanner.over(model), turns=2)  # type: ignore[arg-type]
    assert len(model.asked) == 15 + 4 * 2


def test_what_inherits_nothing_is_told_what_to_inherit() -> None:
    class Stranger:
        def begin(self, brief: Brief) -> None: ...

        def plan(self, request: Request) -> Decision:
            return Decision(())

    with pytest.raises(ContractBroken, match=r"no Planner: let its class inherit omnipilot\.planners\.base\.Planner"):
        check_planner(Stranger)  # type: ignore[arg-type]
