"""Parts written NAME:VALUE, and which parts know the truth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import pytest
from made_parts import make_part, part_of

from omnipilot.agents import AgentSpec, PartSpec, Registry, parse_part
from omnipilot.agents.assembly.build import GROUNDERS, MEMORIES, PLANNERS, gold_parts, solution_player
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.parts import name_part, part_table, set_option, written_part
from omnipilot.agents.assembly.teams import READERS
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


MODEL = PartSpec("function-calling", {"model": "ollama_chat/qwen3:8b"})


@pytest.mark.parametrize(
    ("known", "text", "part"),
    [
        (GROUNDERS, "graded:0.9", PartSpec("graded", {"accuracy": 0.9})),
        (GROUNDERS, " graded : 1 ", PartSpec("graded", {"accuracy": 1.0})),
        (PLANNERS, "ollama_chat/qwen3:8b", MODEL),
        (PLANNERS, "blind:rules", PartSpec("blind", inner=(PartSpec("rules"),))),
        (PLANNERS, "blind:ollama_chat/qwen3:8b", PartSpec("blind", inner=(MODEL,))),
        (PLANNERS, "blind:graded:0.5", PartSpec("blind", inner=(PartSpec("graded", {"accuracy": 0.5}),))),
        (GROUNDERS, "zoom:vllm:a/b", PartSpec("zoom", inner=(PartSpec("vllm", {"model": "a/b"}),))),
        (GROUNDERS, "cascade:elements, ocr", PartSpec("cascade", inner=(PartSpec("elements"), PartSpec("ocr")))),
        (THINGS, "typed:3", PartSpec("typed", {"value": 3})),
        (THINGS, "switched:false", PartSpec("switched", {"value": False})),
        (
            MEMORIES,
            "episodic + summary:openai/gpt-4o",
            PartSpec("composed", inner=(PartSpec("episodic"), PartSpec("summary", {"model": "openai/gpt-4o"}))),
        ),
    ],
)
def test_a_text_becomes_a_record(known: Registry, text: str, part: PartSpec) -> None:
    assert parse_part(text, known) == part
    assert parse_part(part_table(part, known), known) == part


@pytest.mark.parametrize("text", ["rules", "graded", "package.module:Planner", "graded.module:Planner"])
def test_names_and_paths_are_as_they_stand(text: str) -> None:
    assert parse_part(text, PLANNERS) == PartSpec(text)


def test_a_model_keeps_its_slashes_and_colons() -> None:
    assert parse_part("hosted_vllm/a/b:c", PLANNERS).model == "hosted_vllm/a/b:c"
    assert parse_part("openai/gpt-4o", GROUNDERS) == PartSpec("openai/gpt-4o")


def test_inner_parts_are_written_with_their_options_in_any_order() -> None:
    marks = PartSpec("marks", {"sources": "ocr"})
    told = {"name": "cascade", "marks": {"sources": "ocr"}, "of": ["elements", "marks"]}
    assert parse_part(told, GROUNDERS) == PartSpec("cascade", inner=(PartSpec("elements"), marks))
    tables = {"name": "cascade", "of": [{"name": "marks", "sources": "elements"}, marks]}
    two = parse_part(tables, GROUNDERS)
    assert [one.options["sources"] for one in two.inner] == ["elements", "ocr"]
    assert parse_part(part_table(two, GROUNDERS), GROUNDERS) == two
    named = {"name": "blind", "of": "openai/gpt-4o", "openai/gpt-4o": {"url": "http://h/v1"}}
    (inner,) = parse_part(named, PLANNERS).inner
    assert inner == PartSpec("function-calling", {"model": "openai/gpt-4o", "url": "http://h/v1"})


def test_later_settings_override_a_part_by_name_or_option_by_option() -> None:
    old = PartSpec("json", {"model": "openai/a", "history": 3})
    assert parse_part("openai/b", PLANNERS, old) == PartSpec("json", {"model": "openai/b", "history": 3})
    assert parse_part({"history": 4}, PLANNERS, old) == PartSpec("json", {"model": "openai/a", "history": 4})
    assert parse_part("noop", PLANNERS, old) == PartSpec("noop")
    assert parse_part("openai/b", PLANNERS, PartSpec("rules")) == PartSpec("function-calling", {"model": "openai/b"})
    inner = (PartSpec("elements"), PartSpec("marks", {"sources": "ocr"}))
    both = PartSpec("cascade", {}, inner)
    assert parse_part("cascade:marks", GROUNDERS, both) == PartSpec("cascade", {}, inner[1:])
    assert parse_part({"marks": {"sources": "elements"}}, GROUNDERS, both).inner[1].options["sources"] == "elements"
    assert set_option(both, ["marks", "sources"], "x", GROUNDERS).inner[1] == PartSpec("marks", {"sources": "x"})


def test_a_model_among_the_options_of_a_part_without_a_name_names_it() -> None:
    assert name_part(PartSpec("", {"model": "openai/o"}), PLANNERS, "rules").name == "function-calling"
    assert name_part(PartSpec("", {"turns": 2}), PLANNERS, "rules") == PartSpec("rules", {"turns": 2})
    late = name_part(PartSpec("", {"of": "rules"}), PLANNERS, "blind")
    assert late == PartSpec("blind", inner=(PartSpec("rules"),))


def test_a_part_that_a_caller_left_in_text_is_told() -> None:
    with pytest.raises(ConfigError, match="the parts that it is made of are records, .* parse_part reads 'rules'"):
        PLANNERS.make(PartSpec("blind", {"of": "rules"}))
    with pytest.raises(ConfigError, match="is PartSpec\\('function-calling', {'model'.* parse_part"):
        PLANNERS.make(PartSpec("openai/o"))
    with pytest.raises(ConfigError, match="planner 'rules' is made of no other planner"):
        PLANNERS.make(PartSpec("rules", inner=(PartSpec("noop"),)))


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
        parse_part(text, registry)


def test_a_part_is_made_with_its_value_and_within_others_too() -> None:
    one = make_part(GROUNDERS, "graded:0.25", {"errors": "offset"})
    assert isinstance(one, GradedGrounder) and (one.accuracy, one.errors) == (0.25, ("offset",))
    both = make_part(GROUNDERS, "cascade", {"of": "elements,graded:0.25", "graded": {"errors": ["neighbour"]}})
    assert isinstance(both, CascadeGrounder) and isinstance(both.of[1], GradedGrounder)
    assert (both.of[1].accuracy, both.of[1].errors) == (0.25, ("neighbour",))
    table = make_part(GROUNDERS, "vote", {"of": {"name": "graded", "accuracy": 0.25}})
    assert table.of.accuracy == 0.25
    blind = make_part(PLANNERS, "blind:rules")
    assert isinstance(blind, BlindPlanner) and isinstance(blind.of, RulesPlanner)


def test_without_its_main_option_a_part_says_how_to_give_it() -> None:
    cure = "needs the option accuracy: write graded:ACCURACY, or -o grounder.accuracy=…"
    with pytest.raises(ConfigError, match=cure):
        make_part(GROUNDERS, "graded")
    with pytest.raises(
        ConfigError, match="planner 'blind' needs the option `of`, .* write blind:rules, or -o planner.of=rules"
    ):
        make_part(PLANNERS, "blind")
    with pytest.raises(ConfigError, match="planner 'blind' combines one planner; name one"):
        make_part(PLANNERS, "blind:rules,noop")
    with pytest.raises(ConfigError, match="accuracy must be in 0..1, not 90; graded:0.9 is 90 %"):
        make_part(GROUNDERS, "graded:90")


@pytest.mark.parametrize(
    ("part", "written"),
    [
        (PartSpec("graded", {"accuracy": 0.9}), ("graded:0.9", {})),
        (PartSpec("graded", {"accuracy": 1, "errors": "offset"}), ("graded:1", {"errors": "offset"})),
        (PartSpec("graded"), ("graded", {})),
        (PartSpec("cascade", {}, (PartSpec("elements"), PartSpec("ocr"))), ("cascade:elements,ocr", {})),
        (
            PartSpec("cascade", {}, (PartSpec("elements"), PartSpec("marks", {"sources": "ocr"}))),
            ("cascade:elements,marks", {"marks": {"sources": "ocr"}}),
        ),
        (
            PartSpec("zoom", {}, (PartSpec("cascade", {}, (PartSpec("elements"), PartSpec("ocr"))),)),
            ("zoom:cascade", {"cascade": {"of": "elements,ocr"}}),
        ),
        (PartSpec("vllm", {"model": "a/B-7B", "retries": 1}), ("vllm:a/B-7B", {"retries": 1})),
        (PartSpec("elements", {"of": "ocr"}), ("elements", {"of": "ocr"})),
        (PartSpec("gone.away:Grounder", {"x": 1}), ("gone.away:Grounder", {"x": 1})),
        (PartSpec("uninstalled", {"x": 1}), ("uninstalled", {"x": 1})),
    ],
)
def test_a_part_is_shown_as_it_is_written(part: PartSpec, written: tuple[str, Any]) -> None:
    assert written_part(part, GROUNDERS) == written
    assert written_part(PartSpec("switched", {"value": True}), THINGS) == ("switched:true", {})


def spec(planner: str = "rules", grounder: str = "elements", **options: Any) -> AgentSpec:
    return AgentSpec(planner=part_of(PLANNERS, planner, options), grounder=part_of(GROUNDERS, grounder))


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
    told = AgentSpec(planner=agent.planner, grounder=agent.grounder, readers=parse_part("gold:transcript", READERS))
    assert gold_parts(told) == (*found, "readers gold")
    assert gold_parts(AgentSpec(readers=PartSpec("perception"))) == ()


def test_the_version_of_an_error_model_is_part_of_the_identity_inside_others_too() -> None:
    assert examine(spec("graded:0.5", "graded:0.5")).prompts == {"planner.errors": "1", "grounder.errors": "1"}
    for name, options in (("cascade", {"of": "elements,graded:0.5"}), ("vote", {"of": "graded:0.5"})):
        assert examine(AgentSpec(grounder=part_of(GROUNDERS, name, options))).prompts == {"grounder.errors": "1"}
    cascade = examine(AgentSpec(grounder=parse_part("cascade:elements,ocr", GROUNDERS)))
    assert (cascade.mistakes, cascade.prompts) == ((), {})


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
        MEMORIES.make(PartSpec(f"{__name__}:Stranger"))
    with pytest.raises(ConfigError, match="is a class without recall, and not what makes a memory"):
        MEMORIES.make(PartSpec(f"{__name__}:Unfinished"))
    made = MEMORIES.make(PartSpec(f"{__name__}:Stateless"))
    assert made.drain_events() == () and made.budget is None and not made.knows_anchors


def test_a_misspelt_module_or_class_is_told_with_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_spelt.py").write_text("class Clerk:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    known = {kind: Registry(kind, {"noop": "m:N"}) for kind in ("planner", "suite")}
    for kind, given, meant in (
        ("planner", "own_spelt:Clark", "own_spelt:Clerk"),
        ("planner", "own_spelt.py:Clerk", "own_spelt:Clerk"),
        ("planner", "own_spelt", "own_spelt:CLASS"),
        ("suite", "own_spelt", "own_spelt.py"),
    ):
        with pytest.raises(ConfigError, match=rf"(did you mean|write) {re.escape(meant)}"):
            known[kind].load(given)
