"""Parts written NAME:VALUE, and which parts know the truth."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest

from omnipilot.agents import AgentSpec, PartSpec, Registry
from omnipilot.agents.assembly.build import GROUNDERS, MEMORIES, PLANNERS, gold_parts, prompts, solution_player
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import Declared
from omnipilot.grounders import CascadeGrounder, GradedGrounder
from omnipilot.memory import Memory
from omnipilot.planners import BlindPlanner
from omnipilot.planners.rules import RulesPlanner


class Typed:
    """A part of each type of main option, chosen by a test."""

    main_option: ClassVar[str] = "value"

    def __init__(self, value: int, other: str = "") -> None:
        self.value, self.other = value, other


class Switched(Typed):
    """With a main option that is true or false."""

    def __init__(self, value: bool) -> None:
        self.value = value


THINGS = Registry("thing", {"typed": f"{__name__}:Typed", "switched": f"{__name__}:Switched"})


def test_a_value_after_a_name_is_its_main_option() -> None:
    assert GROUNDERS.split("graded:0.9") == ("graded", {"accuracy": 0.9})
    assert GROUNDERS.split(" graded : 1 ") == ("graded", {"accuracy": 1.0})
    assert PLANNERS.split("blind:rules") == ("blind", {"of": "rules"})
    assert PLANNERS.split("blind:ollama_chat/qwen3:8b") == ("blind", {"of": "ollama_chat/qwen3:8b"})
    assert PLANNERS.split("blind:graded:0.5") == ("blind", {"of": "graded:0.5"})
    assert THINGS.split("typed:3") == ("typed", {"value": 3})
    assert THINGS.split("switched:false") == ("switched", {"value": False})


@pytest.mark.parametrize(
    "text",
    [
        "rules",
        "graded",
        "ollama_chat/qwen3:8b",
        "hosted_vllm/a/b:c",
        "package.module:Planner",
        "graded.module:Planner",
        "",
    ],
)
def test_names_models_and_paths_are_as_they_stand(text: str) -> None:
    assert PLANNERS.split(text) == (text, {})


@pytest.mark.parametrize(
    ("registry", "text", "says"),
    [
        (GROUNDERS, "graded:high", "the value after the colon is its option accuracy: a number, such as 0.9, not 'h"),
        (GROUNDERS, "graded:", "a number, such as 0.9, not ''"),
        (PLANNERS, "blind:", "its option of: a value, not ''"),
        (THINGS, "typed:1.5", "its option value: a whole number, not '1.5'"),
        (THINGS, "switched:maybe", "its option value: true or false, not 'maybe'"),
        (GROUNDERS, "elements:0.9", "grounder 'elements' takes no value after a colon; .* -o grounder.KEY=VALUE"),
        (GROUNDERS, "grated:0.9", "there is no grounder 'grated'; did you mean graded"),
        (MEMORIES, "episodic+", "memory 'episodic\\+' lacks a name beside a \\+; write NAME\\+NAME"),
        (MEMORIES, "+episodic", "lacks a name beside"),
        (MEMORIES, "window:4", "memory 'window' takes no value after a colon"),
    ],
)
def test_a_value_that_cannot_be_is_refused(registry: Registry, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        registry.split(text)


def test_a_part_is_made_with_its_value_and_within_others_too() -> None:
    one = GROUNDERS.make("graded:0.25", {"errors": "offset"})
    assert isinstance(one, GradedGrounder) and (one.accuracy, one.errors) == (0.25, ("offset",))
    both = GROUNDERS.make("cascade", {"of": "elements,graded:0.25", "graded": {"errors": ["neighbour"]}})
    assert isinstance(both, CascadeGrounder) and isinstance(both.of[1], GradedGrounder)
    assert (both.of[1].accuracy, both.of[1].errors) == (0.25, ("neighbour",))
    table = GROUNDERS.make("vote", {"of": {"name": "graded", "accuracy": 0.25}})
    assert table.of.accuracy == 0.25
    blind = PLANNERS.make("blind:rules", {})
    assert isinstance(blind, BlindPlanner) and isinstance(blind.of, RulesPlanner)


def test_without_its_main_option_a_part_says_how_to_give_it() -> None:
    cure = "needs the option accuracy: write graded:ACCURACY, or -o grounder.accuracy=…"
    with pytest.raises(ConfigError, match=cure):
        GROUNDERS.make("graded", {})
    with pytest.raises(
        ConfigError, match="planner 'blind' needs the option `of`, .* write blind:rules, or -o planner.of=rules"
    ):
        PLANNERS.make("blind", {})
    with pytest.raises(ConfigError, match="planner 'blind' combines one planner; name one"):
        PLANNERS.make("blind:rules,noop", {})
    with pytest.raises(ConfigError, match="accuracy must be in 0..1, not 90; graded:0.9 is 90 %"):
        GROUNDERS.make("graded:90", {})


@pytest.mark.parametrize(
    ("name", "options", "joined"),
    [
        ("graded", {"accuracy": 0.9}, ("graded:0.9", {})),
        ("graded", {"accuracy": 1, "errors": "offset"}, ("graded:1", {"errors": "offset"})),
        ("graded", {}, ("graded", {})),
        ("cascade", {"of": "elements,ocr"}, ("cascade:elements,ocr", {})),
        ("vllm", {"model": "osunlp/UGround-V1-7B", "retries": 1}, ("vllm:osunlp/UGround-V1-7B", {"retries": 1})),
        ("elements", {"of": "ocr"}, ("elements", {"of": "ocr"})),
        ("gone.away:Grounder", {"x": 1}, ("gone.away:Grounder", {"x": 1})),
        ("uninstalled", {"x": 1}, ("uninstalled", {"x": 1})),
    ],
)
def test_a_part_is_shown_as_it_is_written(name: str, options: dict[str, Any], joined: tuple[str, Any]) -> None:
    assert GROUNDERS.join(name, options) == joined
    assert THINGS.join("switched", {"value": True}) == ("switched:true", {})


def spec(planner: str = "rules", grounder: str = "elements", **options: Any) -> AgentSpec:
    return AgentSpec(planner=PartSpec(planner, options), grounder=PartSpec(grounder))


@pytest.mark.parametrize(
    ("agent", "found", "player"),
    [
        (spec(), (), ""),
        (spec("oracle"), ("planner oracle",), "oracle"),
        (spec("gold", "gold"), ("planner gold", "grounder gold"), "gold"),
        (spec("graded:0.5", "graded:0.9"), ("planner graded", "grounder graded"), "graded"),
        (spec("blind", of="oracle"), ("planner oracle",), "oracle"),
        (spec("blind:rules"), (), ""),
        (spec("blind:openai/gpt-4o", "random-element"), (), ""),
        (spec("omnipilot.planners.baselines.oracle:OraclePlanner", "centre"), (), ""),
        (spec("not.there:Planner", "nor.this:Grounder", of="gold"), (), ""),
    ],
)
def test_gold_parts_are_named_inner_ones_included(agent: AgentSpec, found: tuple[str, ...], player: str) -> None:
    assert gold_parts(agent) == found
    assert solution_player(agent) == player
    told = AgentSpec(planner=agent.planner, grounder=agent.grounder, readers=PartSpec("gold:transcript"))
    assert gold_parts(told) == (*found, "readers gold")
    assert gold_parts(AgentSpec(readers=PartSpec("perception"))) == ()


def test_the_version_of_an_error_model_is_part_of_the_identity_inside_others_too() -> None:
    assert prompts(spec("graded:0.5", "graded:0.5")) == {"planner.errors": "1", "grounder.errors": "1"}
    for name, options in (("cascade", {"of": "elements,graded:0.5"}), ("vote", {"of": "graded:0.5"})):
        assert prompts(AgentSpec(grounder=PartSpec(name, options))) == {"grounder.errors": "1"}
    assert prompts(AgentSpec(grounder=PartSpec("cascade", {"of": "elements,ocr"}))) == {}


def test_no_other_package_makes_a_name_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = Declared("gold", f"{__name__}:Typed", "somebody", ours=False)
    registry = Registry("thing", {}, "planners", gold=("gold",))
    monkeypatch.setattr(registry, "_declared", lambda: (declared,))
    assert registry.load("gold") is Typed and registry.gold == frozenset()


class Stranger:
    """Has what a memory must have, and inherits nothing."""

    def clear(self) -> None: ...

    def record(self, turn: object) -> None: ...

    def recall(self, *asked: object) -> tuple[()]:
        return ()


class Unfinished(Memory):
    """Inherits the base class of memories, and cannot recall."""

    def clear(self) -> None: ...

    def record(self, turn: object) -> None: ...


class Stateless(Unfinished):
    """Has what a memory must have; all else is that of its base class."""

    def recall(self, *asked: object) -> tuple[()]:
        return ()


def test_a_part_inherits_the_base_class_of_its_kind() -> None:
    told = "is a Stranger, which is no Memory: let its class inherit omnipilot.memory.base.Memory"
    with pytest.raises(ConfigError, match=re.escape(told)):
        MEMORIES.make(f"{__name__}:Stranger", {})
    with pytest.raises(ConfigError, match="is a class without recall, and not what makes a memory"):
        MEMORIES.make(f"{__name__}:Unfinished", {})
    made = MEMORIES.make(f"{__name__}:Stateless", {})
    assert made.drain_events() == () and made.budget is None and not made.knows_anchors
