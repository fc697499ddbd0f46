"""An agent that says that no part of it knows the truth has none, however one is put in; and tables say so."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from made_runs import a_run, episode
from made_settings import spec_of

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.agents.assembly.build import GROUNDERS, MEMORIES, PLANNERS, check_agent, gold_parts, parts_by_themselves
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.honesty import HONEST, PIXELS, SAID, SENSES
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.teams import CHECKS, CRITICS, LOOPS, READERS, SKILLS, STOPS, TRACKERS
from omnipilot.bench import RunSpec
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.main_table import main_table, task_table
from omnipilot.bench.report.method_notes import bound_notes_of, honest_notes
from omnipilot.bench.report.page_about import _facts
from omnipilot.bench.report.run_sentences import run_sentences
from omnipilot.bench.run import run
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import ExperienceSpec, ForkSpec
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory.truth import TakesTruth

KNOWN: dict[str, Registry] = {
    "planner": PLANNERS,
    "grounder": GROUNDERS,
    "memory": MEMORIES,
    "readers": READERS,
    "critic": CRITICS,
    "progress": TRACKERS,
    "stop": STOPS,
    "loops": LOOPS,
    "skills": SKILLS,
    "checks": CHECKS,
}
WRITTEN = {"graded": "graded:0.5", "gold": "gold", "replay": "replay"}
GOLD = [(role, name) for role, known in KNOWN.items() for name in sorted(known.gold)]
INSIDE = [
    ("planner", "blind:oracle"),
    ("planner", "blind:graded:0.5"),
    ("grounder", "cascade:elements,gold"),
    ("grounder", "vote:graded:0.9"),
    ("grounder", {"name": "zoom", "of": {"name": "cascade", "of": ["ocr", "gold"]}}),
    ("memory", "window+gold"),
    ("readers", "perception:transcript+gold"),
]
TOY = {"suite": "toy", "planner": "random"}
REFUSED = "to be honest .*knows the solution or the true screen"


def written(name: str) -> str:
    return WRITTEN.get(name, name)


def test_whatever_takes_the_truth_is_known_to_be_gold() -> None:
    names = {known.load(name) for role, known in KNOWN.items() for name in known.gold}
    assert names >= {one for one in _subclasses(TakesTruth) if one.__module__.startswith("omnipilot.")}
    assert len(GOLD) >= 12


def test_every_part_of_an_agent_is_asked() -> None:
    parts = {spec.name for spec in fields(AgentSpec) if "PartSpec" in str(spec.type)}
    asked = {role for role, *_ in parts_by_themselves(AgentSpec(**dict.fromkeys(parts, PartSpec("gold"))))}
    assert parts - asked == {"tool_agent", "loops", "skills", "checks"}
    assert gold_parts(AgentSpec(tool_agent=PartSpec("oracle")))[-1] == "tool agent oracle"


@pytest.mark.parametrize("honest", HONEST)
@pytest.mark.parametrize(("role", "name"), GOLD)
def test_every_gold_part_is_refused_by_flag_by_file_and_in_a_record(role: str, name: str, honest: str) -> None:
    for file, flags in (({}, {role: written(name)}), ({role: {"name": name}}, {})):
        with pytest.raises(ConfigError, match=REFUSED) as error:
            spec_of({**TOY, "honest": honest, **file}, flags)
        assert f"{role} {name}" in str(error.value)
    agent = AgentSpec(honest=honest, modalities=SENSES)
    with pytest.raises(ConfigError, match=REFUSED):
        build(replace(agent, **{role: PartSpec(name)}))
    with pytest.raises(ConfigError, match=REFUSED):
        RunSpec(replace(agent, **{role: PartSpec(name)}), PartSpec("toy"))


@pytest.mark.parametrize(("role", "part"), INSIDE, ids=str)
def test_a_gold_part_within_another_is_refused(role: str, part: Any) -> None:
    with pytest.raises(ConfigError, match=REFUSED):
        spec_of({**TOY, "honest": "parts", role: part})


@pytest.mark.parametrize("option", ["readers.name=gold", "grounder.name=gold", "planner.name=oracle", "stop.name=gold"])
def test_a_gold_part_is_refused_as_an_option(option: str) -> None:
    with pytest.raises(ConfigError, match=REFUSED):
        spec_of({**TOY, "honest": "parts", "readers": "perception", "stop": "watch"}, options=[option])


def test_a_gold_worker_of_a_team_is_refused() -> None:
    given = {"suite": "toy", "honest": "parts", "planner": "openai/gpt-4o", "agent": "by-function"}
    with pytest.raises(ConfigError, match="tool agent oracle"):
        spec_of({**given, "tool_agent": "oracle"})


def test_solutions_and_hints_are_refused_besides() -> None:
    spec = spec_of({"suite": "toy", "honest": "parts", "planner": "random"})
    assert replace(spec, experience=ExperienceSpec(("runs/a",)))
    with pytest.raises(ConfigError, match="--demonstrations"):
        replace(spec, experience=ExperienceSpec(("runs/a",), demonstrations=True))
    with pytest.raises(ConfigError, match="--hint way"):
        replace(spec, forked=ForkSpec("runs/a", "0", "a#0.0", 1, 1, hint="way"))


def test_a_part_of_others_is_handed_no_truth() -> None:
    spec = AgentSpec(planner=PartSpec("omnipilot.planners.baselines.oracle:OraclePlanner"), honest="parts")
    check_agent(spec)
    assert isinstance(PLANNERS.make(spec.planner, None), TakesTruth)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, "--modalities grants context"),
        ({"modalities": "screenshot,context"}, "--modalities grants context"),
        ({"modalities": "screenshot,elements"}, "the tree of elements"),
        ({"modalities": "all", "perception": "detact"}, "--modalities grants context"),
    ],
)
def test_pixels_alone_are_no_tree_and_no_context(more: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        spec_of({"suite": "toy", "honest": PIXELS, "planner": "random", **more})
    assert spec_of({"suite": "toy", "honest": "parts", "planner": "random", **more}).agent.honest == "parts"


def test_a_source_that_reads_the_tree_is_refused_before_a_run_begins(tmp_path: Path) -> None:
    given = {"suite": "toy", "honest": PIXELS, "planner": "random", "modalities": "screenshot,elements"}
    assert Modality.ELEMENTS in spec_of({**given, "perception": "detact"}).agent.modalities
    told = "perception 'listed' reads the elements of the device"
    listed = spec_of({**given, "perception": "listed"})
    with pytest.raises(ConfigError, match=told):
        build(listed.agent)
    first, second = map(str, examine(replace(listed.agent, memory=PartSpec("no-memory"))).mistakes)
    assert "there is no memory 'no-memory'" in first and told in second
    with pytest.raises(ConfigError, match=told):
        run(listed, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_only_two_ways_of_being_honest_are_known() -> None:
    with pytest.raises(ConfigError, match="honest must be parts or pixels"):
        spec_of({"suite": "toy", "honest": "very", "planner": "random"})


def test_flags_over_a_file_that_says_so_are_refused_too(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('suite = "toy"\nplanner = "random"\nhonest = "parts"\n')
    assert spec_from(resolve_settings(file, RunSettings())).agent.honest == "parts"
    with pytest.raises(ConfigError, match=REFUSED):
        spec_from(resolve_settings(file, RunSettings(readers="gold")))


def test_it_is_part_of_a_runs_identity_and_survives_json() -> None:
    plain = spec_of({"suite": "toy", "planner": "random"})
    honest = spec_of({"suite": "toy", "planner": "random", "honest": "parts"})
    assert plain.identity != honest.identity
    assert RunSpec.from_json(honest.to_json()) == honest
    changed = honest.to_json()
    changed["agent"]["readers"] = {"name": "gold", "options": {}}
    with pytest.raises(ConfigError, match=REFUSED):
        RunSpec.from_json(changed)


def runs() -> list[Run]:
    plain, honest = (a_run(name, [episode("a#0.0"), episode("b#0.0", 0)]) for name in ("plain", "held"))
    agent = replace(honest.spec.agent, planner=PartSpec("random"), honest="parts")
    return [plain, replace(honest, spec=replace(honest.spec, agent=agent))]


def test_every_table_that_shows_such_a_run_says_so() -> None:
    plain, honest = runs()
    said = SAID["parts"]
    for notes in (
        main_table([plain, honest]).notes,
        task_table([plain, honest]).notes,
        compare_table(compare(plain, honest)).notes,
        bound_notes_of([plain, honest]),
        run_sentences([honest]),
    ):
        assert sum(said.lower() in note.lower() for note in notes) == 1
    assert not any(said in note for note in main_table([plain]).notes)
    assert honest_notes([("plain", plain.spec.agent)]) == []


@pytest.mark.parametrize(("role", "name"), GOLD)
def test_the_page_of_a_run_names_every_part_that_knows_the_truth(role: str, name: str) -> None:
    spec = RunSpec(AgentSpec(**{role: PartSpec(name)}), PartSpec("toy"))
    told = dict(_facts(spec.to_json()))
    assert told["bound"].startswith(f"by {role} {name}")


def _subclasses(of: type) -> Iterator[type]:
    for one in of.__subclasses__():
        if not inspect.isabstract(one):
            yield one
        yield from _subclasses(one)
