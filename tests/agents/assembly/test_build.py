"""Names become objects: registries, options and warnings."""

from __future__ import annotations

import subprocess
import sys

import pytest
from made_parts import make_part

from omnipilot.agents import AgentSpec, PartSpec, Registry, SingleAgent, build
from omnipilot.agents.assembly.build import AGENTS, GROUNDERS, MEMORIES, PLANNERS
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.spec import modalities
from omnipilot.envs import ConfigError

REGISTRIES = (PLANNERS, GROUNDERS, MEMORIES, AGENTS)
BUILTIN = [(registry, name) for registry in REGISTRIES for name in registry._builtin]


@pytest.mark.parametrize(("registry", "name"), BUILTIN, ids=[f"{registry.kind}-{name}" for registry, name in BUILTIN])
def test_every_builtin_name_is_listed_and_loads(registry, name):
    assert name in registry.names()
    assert isinstance(registry.load(name), type)


def test_listing_names_imports_none_of_them():
    code = (
        "import sys; from omnipilot.agents.assembly.build import PLANNERS; PLANNERS.names();"
        "print([m for m, module in sys.modules.items() if m.startswith('omnipilot.planners.')"
        " and m != 'omnipilot.planners.base' and not m.endswith('.plugin') and not hasattr(module, '__path__')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(("asked", "near"), [("rule", "rules"), ("Oracel", "oracle"), ("randm", "random")])
@pytest.mark.exhibit("rules", "mini")
def test_an_unknown_name_gets_the_nearest_known_ones_and_the_list(asked, near):
    with pytest.raises(ConfigError) as error:
        PLANNERS.load(asked)
    assert f"did you mean {near}" in str(error.value)
    assert "rules, mini, oracle, gold, graded, lingering, gullible, replay, from-memory, blind, random, noop" in str(
        error.value
    )


def test_a_name_like_nothing_gets_the_list_without_a_guess():
    with pytest.raises(ConfigError, match=r"There are: a, b$") as error:
        Registry("thing", {"a": "x:y", "b": "x:y"}).load("zzzzzz")
    assert "did you mean" not in str(error.value)


def test_a_module_and_attribute_need_no_registration():
    assert PLANNERS.load("omnipilot.planners.baselines.noop:NoopPlanner") is PLANNERS.load("noop")
    with pytest.raises(ConfigError, match="cannot be imported: ModuleNotFoundError"):
        PLANNERS.load("no_such_module:Planner")


@pytest.mark.exhibit("rules", "mini")
def test_the_default_specification_builds_a_single_agent():
    agent = build(AgentSpec())
    assert isinstance(agent, SingleAgent)
    assert [type(part).__name__ for part in (agent.planner, agent.grounder, agent.memory)] == [
        "RulesPlanner",
        "ElementsGrounder",
        "WindowMemory",
    ]


def test_two_builds_share_nothing():
    one, other = build(AgentSpec()), build(AgentSpec())
    assert one is not other
    assert one.planner is not other.planner and one.memory is not other.memory


def test_options_reach_the_part():
    agent = build(AgentSpec(planner=PartSpec("noop", {"patience": 7}), memory=PartSpec("window", {"turns": 5})))
    assert agent.planner.patience == 7


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (PartSpec("noop", {"patienc": 7}), "did you mean patience"),
        (PartSpec("noop", {"patience": "long"}), "must be of type int, not 'long'"),
        (PartSpec("noop", {"patience": True}), "must be of type int"),
        (PartSpec("noop", {"patience": -1}), "at least 0"),
        (PartSpec("random", {"turns": 0}), "at least 1"),
    ],
)
def test_an_option_that_a_part_does_not_take_is_refused(part, says):
    with pytest.raises(ConfigError, match=says):
        build(AgentSpec(planner=part))


def test_an_option_that_is_needed_is_named():
    registry = Registry("thing", {"a": "omnipilot.agents.assembly.spec:PartSpec"})
    with pytest.raises(ConfigError, match="needs the option name"):
        make_part(registry, "a")


@pytest.mark.exhibit("rules", "mini")
def test_roles_are_granted_what_the_specification_says():
    spec = AgentSpec(modalities=modalities("screenshot,elements,audio"), planner_modalities=modalities("audio"))
    agent = build(spec)
    assert agent.planner_role.modalities == modalities("audio")
    assert agent.modalities <= modalities("screenshot,elements,audio")


def test_a_role_is_not_granted_what_its_part_never_looks_at():
    agent = build(AgentSpec(planner=PartSpec("noop")))
    assert agent.planner_role.modalities == frozenset()
    assert agent.grounder_role.modalities == agent.modalities == modalities("elements")


def test_a_role_that_is_granted_nothing_is_granted_nothing():
    agent = build(AgentSpec(planner_modalities=frozenset()))
    assert agent.planner_role.modalities == frozenset()


def test_nothing_to_warn_of_in_the_default_specification():
    assert examine(AgentSpec()).warnings() == []


def test_a_grounder_without_what_it_needs_is_warned_of_with_the_cure():
    spec = AgentSpec(planner=PartSpec("noop"), modalities=modalities("screenshot,audio,video"))
    (warning,) = examine(spec).warnings()
    assert "grounder 'elements' cannot point without elements, which --modalities withholds" in warning
    assert "add elements there" in warning
    (warning,) = examine(AgentSpec(planner=PartSpec("noop"), grounder_modalities=modalities("screenshot"))).warnings()
    assert "which --grounder-modalities withholds" in warning


@pytest.mark.exhibit("rules", "mini")
def test_a_planner_without_what_it_reads_is_warned_of():
    (warning,) = examine(AgentSpec(planner_modalities=modalities("elements,video,context,screenshot"))).warnings()
    assert "planner 'rules' reads audio, which --planner-modalities withholds" in warning
