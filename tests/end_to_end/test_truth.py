"""The truth reaches gold parts only: parts of other packages in the same agent look for it, and do not find it."""

from __future__ import annotations

from typing import Any

import pytest
from hostile_parts import GIVEN, reachable
from made_parts import make_part

from omnipilot.agents import AgentSpec, PartSpec, Registry, build
from omnipilot.agents.assembly import registry
from omnipilot.agents.assembly.build import CRITICS, GROUNDERS, MEMORIES, PLANNERS, gold_parts
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench import RunSpec, Task
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError, Element, Plugin
from omnipilot.envs.installed_plugins import Installed, Plugins, installed_plugins
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.world import SimWorld
from omnipilot.grounders import GoldGrounder
from omnipilot.memory import MediaStore
from omnipilot.planners import Brief, GoldPlanner, OraclePlanner

GOLD = {"planner": PartSpec("gold"), "grounder": PartSpec("gold"), "readers": PartSpec("gold")}
ROLES = {
    "planner": "Planner",
    "grounder": "Grounder",
    "memory": "Memory",
    "critic": "Critic",
    "progress": "Tracker",
    "readers": "Reader",
}
"""Parts of others that may stand beside gold ones."""
HANDED = {"loops": "Around", "skills": "Around", "system": "Around"}
"""Parts of others that would be handed the gold parts themselves."""
SECRETS = (EpisodeTruth, SimWorld, WorldState, Task, GoldGrounder, OraclePlanner, GoldPlanner)
"""Kinds of things from which the truth can be read."""
TABLES = {
    "planners": "planner",
    "grounders": "grounder",
    "memories": "memory",
    "critics": "critic",
    "trackers": "progress",
    "readers": "readers",
    "agents": "system",
}
"""The tables of a plug-in, each with the role of its parts."""


@pytest.fixture(autouse=True)
def hostile_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that declares hostile parts under two names: one of their own, and "gold"; and wants to stand first."""
    GIVEN.clear()
    tables = {
        table: {name: f"hostile_parts:{ {**ROLES, **HANDED}[role] }" for name in ("hostile", "gold")}
        for table, role in TABLES.items()
    }
    theirs = Installed(Plugin(name="hostile", place=-999, **tables), "hostile-parts", ours=False)
    ours = installed_plugins()
    monkeypatch.setattr(registry, "installed_plugins", lambda: Plugins((*ours.working, theirs), ours.broken))


def play(**parts: Any) -> EpisodeTruth:
    """An episode of a gold agent with other parts in it, none of which is granted elements."""
    agent = AgentSpec(**{**GOLD, **parts, "modalities": modalities("screenshot,context")})
    truth = EpisodeTruth()
    spec = RunSpec(agent, PartSpec("duet"))
    player = EpisodeRunner(spec, Duet(), build(agent, truth), MediaStore(), lambda _: None, truth)
    player.play(Slot("beeps-to-table", 0, 0), 1)
    player.close()
    return truth


BESIDE = [
    *((role, name) for role in ROLES for name in ("hostile", f"hostile_parts:{ROLES[role]}")),
    ("progress", "gold"),
]


@pytest.mark.parametrize(("role", "name"), BESIDE)
def test_what_others_are_given_leads_to_no_truth(role: str, name: str) -> None:
    play(**{role: PartSpec(name)})
    assert len(GIVEN) > 1, "it was asked"
    found = list(reachable(GIVEN))
    assert [one for one in found if isinstance(one, SECRETS)] == []
    assert [one for one in found if isinstance(one, Element)] == []
    assert [one for one in found if hasattr(one, "demonstration")] == []


def test_an_agent_system_of_others_is_given_nothing_that_leads_to_the_world() -> None:
    play(system="hostile_parts:System", planner=PartSpec("rules"), grounder=PartSpec("elements"), readers=None)
    assert len(GIVEN) > 3, "it decided"
    assert [one for one in reachable(GIVEN) if isinstance(one, (*SECRETS, Element))] == []


def test_the_search_finds_what_there_is_to_find() -> None:
    truth = EpisodeTruth()
    agent = build(AgentSpec(**GOLD), truth)
    assert truth in list(reachable({"handed": [agent.decide]}))


@pytest.mark.parametrize("role", ["planner", "grounder", "memory", "critic"])
def test_a_name_of_ours_is_ours_whoever_else_declares_it(role: str) -> None:
    known = {"planner": PLANNERS, "grounder": GROUNDERS, "memory": MEMORIES, "critic": CRITICS}[role]
    assert type(make_part(known, "gold")).__module__.startswith("omnipilot.")
    assert known.where("gold") == "omnipilot"


@pytest.mark.parametrize(
    ("role", "name"), [*((role, "hostile_parts:Around") for role in HANDED), ("system", "hostile"), ("system", "gold")]
)
@pytest.mark.parametrize(
    "gold",
    [("planner", "oracle"), ("grounder", "graded"), ("readers", "gold"), ("memory", "gold"), ("critic", "gold")],
)
def test_parts_that_would_be_handed_gold_ones_are_refused(role: str, name: str, gold: tuple[str, str]) -> None:
    options = {"accuracy": 0.5} if gold[1] == "graded" else {}
    what: dict[str, Any] = {gold[0]: PartSpec(gold[1], options), role: name if role == "system" else PartSpec(name)}
    with pytest.raises(ConfigError, match=f"{name!r} is no part of omnipilot and would be handed the {' '.join(gold)}"):
        build(AgentSpec(**what), EpisodeTruth())
    assert GIVEN == []


@pytest.mark.parametrize("of", ["gold", {"name": "gold"}, ["gold"], "graded:0.5"])
@pytest.mark.parametrize("known", [PLANNERS, GROUNDERS], ids=lambda one: one.kind)
def test_a_composite_of_others_is_not_made_of_gold_parts(known: Registry, of: Any) -> None:
    with pytest.raises(ConfigError, match="may not be made of '(gold|graded)', which knows"):
        make_part(known, "hostile_parts:Composite", {"of": of}, EpisodeTruth())
    assert GIVEN == []
    make_part(known, "hostile_parts:Composite", {"of": "noop" if known is PLANNERS else "elements"}, EpisodeTruth())
    assert len(GIVEN) == 1


def test_composites_of_ours_hide_no_gold_part_from_the_refusal() -> None:
    cascade = PartSpec("cascade", inner=(PartSpec("elements"), PartSpec("gold")))
    assert gold_parts(AgentSpec(grounder=PartSpec("vote", inner=(cascade,)))) == ("grounder gold",)
    with pytest.raises(ConfigError, match="may not be made of 'gold'"):
        make_part(GROUNDERS, "hostile_parts:Composite", {"of": cascade}, EpisodeTruth())
    with pytest.raises(ConfigError, match="would be handed the grounder gold"):
        vote, around = PartSpec("vote", inner=(cascade,)), PartSpec("hostile_parts:Around")
        build(AgentSpec(grounder=vote, skills=around), EpisodeTruth())


def test_a_class_of_ours_by_its_path_gets_no_truth() -> None:
    planner = make_part(PLANNERS, "omnipilot.planners.baselines.oracle:OraclePlanner", {}, EpisodeTruth())
    with pytest.raises(ConfigError, match="planner 'oracle' takes its answers from the runner, and there is none here"):
        planner.begin(Brief("", {}))


def test_a_tool_agent_has_no_solution_to_play() -> None:
    spec = AgentSpec("by-function", PartSpec("rules"), tool_agent=PartSpec("oracle"))
    with pytest.raises(ConfigError, match="the tool agent cannot be 'oracle'"):
        build(spec, EpisodeTruth())
