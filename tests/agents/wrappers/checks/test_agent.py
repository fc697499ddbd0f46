"""The agent whose expectations are checked: it is told once, in the next turn, and only what its role may see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripted import (
    ScriptedEnv,
    ScriptedPlanner,
    ScriptedWorld,
    agent,
    brief,
    decide,
    element,
    play,
)
from still_screen import MISS, ON_SCREEN, SAVE, TO, Kept, world_of

from omnipilot.agents import AgentSpec, PartSpec, build, episode
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.wrappers.checks import CheckAgent
from omnipilot.bench import RunSpec
from omnipilot.bench.journal.journal import read
from omnipilot.bench.run import run
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import Action, Click, ConfigError, Done, Modality, TypeText, Wait
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Expectation, Role, WindowMemory
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.planners import Decision


def told(
    world: ScriptedWorld, *script: Decision, sees: frozenset[Modality] = ALL_MODALITIES, **options: bool
) -> tuple[list[list[str]], CheckAgent]:
    """The notes of each turn, and the agent."""
    planner = ScriptedPlanner(*script, decide(Done()))
    one = CheckAgent(agent(planner, planner_sees=sees), WindowMemory(), Role("checks", sees), **options)
    play(episode(world, one, brief(world)))
    return [[part.part for part in request.recalled if part.source == "check"] for request in planner.requests], one


def test_a_click_without_effect_is_told_once_in_the_next_turn() -> None:
    notes, one = told(world_of(), MISS, decide(Wait(1.0)), sees=ON_SCREEN)
    assert [len(turn) for turn in notes] == [0, 1, 0]
    assert 'the button "Save"' in notes[1][0]
    assert "everything is as it was" in notes[1][0]
    assert [finding.status for _, finding in one.found] == ["violated"]


def test_a_click_that_changes_the_screen_is_not_told() -> None:
    def saves(env: ScriptedEnv, action: Action) -> None:
        env.items = (TO,)

    notes, one = told(world_of(saves), MISS, sees=ON_SCREEN)
    assert notes == [[], []]
    assert [finding.status for _, finding in one.found] == ["kept"]


def test_a_screen_that_is_loading_is_looked_at_once_more() -> None:
    def loads(env: ScriptedEnv, action: Action) -> None:
        env.items = (replace(TO, value="Bo"), element("Loading…", "progressbar", 8))

    typing = decide(("pc", TypeText("Ann", TO.box.center)))
    notes, _ = told(world_of(loads), typing, decide(Wait(1.0)), decide(Wait(1.0)), sees=ON_SCREEN)
    assert [len(turn) for turn in notes] == [0, 0, 1, 0]


def test_a_move_that_another_follows_unseen_is_not_judged() -> None:
    at = SAVE.box.center
    notes, one = told(world_of(), decide(("pc", Click(at)), ("pc", Click(at))), sees=ON_SCREEN)
    assert notes == [[], []]
    assert [finding.found for _, finding in one.found] == [
        "another move followed before the next look",
        "nothing was observed just before the move",
    ]


def test_a_finding_in_words_of_the_screen_is_only_for_who_sees_it() -> None:
    memory = EpisodicMemory()
    typing = decide(("pc", TypeText("Ann", TO.box.center)), ("pc", Click(SAVE.box.center)), ("pc", Wait(1.0)))
    one = CheckAgent(agent(ScriptedPlanner(typing, decide(Done())), memory=memory), memory, Role("checks"))
    kept = Kept()
    play(episode(world := world_of(), one, brief(world), recorder=kept))
    named = [event for event in kept.events if event.kind == "check" and TO.name in event.text]
    assert named and all(event.modality is Modality.ELEMENTS for event in named)


@pytest.mark.parametrize("modality", sorted(ALL_MODALITIES))
def test_no_finding_rests_on_what_is_withheld(modality: Modality) -> None:
    script = [
        replace(MISS, expectations=(Expectation("present", "Send"), Expectation("title", value="Inbox"))),
        replace(decide(Wait(1.0)), expectations=(Expectation("sound", value="started", env="pc"),)),
    ]
    _, one = told(world_of(), *script, sees=ALL_MODALITIES - {modality})
    assert one.found
    assert all(finding.modality != modality for _, finding in one.found)


def test_what_the_planner_states_is_checked_on_the_device_of_its_last_move() -> None:
    stating = replace(MISS, expectations=(Expectation("absent", "the Save button"), Expectation("present", "To")))
    notes, one = told(world_of(), stating, implied=False, sees=ON_SCREEN)
    assert notes[1] == ["You expected that the Save button on pc is absent, but it is."]
    assert {case.expectation.env for case, _ in one.found} == {"pc"}
    assert [finding.status for _, finding in one.found] == ["violated", "kept"]


def test_of_a_turn_that_was_refused_nothing_is_told() -> None:
    world = ScriptedWorld(("pc",), items=(SAVE,), rejects=lambda _: "it is locked")
    notes, one = told(world, replace(MISS, expectations=(Expectation("absent", "the Save button"),)))
    assert notes[1] == []
    assert [finding.found for _, finding in one.found] == ["a move of the turn was not carried out"]


def test_findings_are_events_in_the_timeline_of_the_memory_or_else_for_the_journal() -> None:
    for memory in (WindowMemory(), EpisodicMemory()):
        recorder = Kept()
        world = world_of()
        stating = replace(MISS, expectations=(Expectation("clipboard", value="7394"),))
        inner = agent(ScriptedPlanner(stating, decide(Wait(1.0)), decide(Done())))
        inner.memory = memory
        one = CheckAgent(inner, memory, Role("checks", ON_SCREEN))
        play(episode(world, one, brief(world), recorder=recorder))
        found = [event for event in recorder.events if event.kind == "check"]
        assert [(event.to_json()["detail"]["source"], event.to_json()["detail"]["status"]) for event in found] == [
            ("stated", "stated"),
            ("implied", "violated"),
            ("stated", "untold"),
        ]
        assert found[1].modality == Modality.ELEMENTS
        assert found[2].to_json()["detail"]["found"] == "no observation shows the clipboard"


@pytest.mark.exhibit("duet", "rules")
def test_a_run_with_checks_journals_what_was_stated_and_found(tmp_path: Path) -> None:
    spec = AgentSpec(planner=PartSpec("oracle"), checks=PartSpec("notice"))
    run(RunSpec(spec, PartSpec("duet"), tasks=("move-file",)), tmp_path / "run")
    lines = [line for line in read(tmp_path / "run") if line.event in ("turn", "remembered")]
    found = [event for line in lines if line.event == "remembered" for event in line.events]
    assert {event["detail"]["status"] for event in found if event["kind"] == "check"} == {"kept"}


def test_checks_of_nothing_are_refused_and_blind_ones_warned_of() -> None:
    with pytest.raises(ConfigError, match="neither stated nor implied"):
        CheckAgent(agent(ScriptedPlanner(decide(Done()))), WindowMemory(), Role("checks"), stated=False, implied=False)
    blind = AgentSpec(planner=PartSpec("random"), checks=PartSpec("notice"), modalities=frozenset({Modality.AUDIO}))
    assert any(word.startswith("checks cannot tell") for word in examine(blind).warnings())
    assert isinstance(build(blind), CheckAgent)


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("checks", ["notice", "repair"])
def test_an_agent_that_does_anything_is_checked_without_errors(checks: str, tmp_path: Path) -> None:
    spec = AgentSpec(planner=PartSpec("random"), checks=PartSpec(checks))
    names = ("move-file", "send-message", "total-expenses")
    result = run(RunSpec(spec, PartSpec("duet"), tasks=names, limits=RunLimits(turns=25)), tmp_path / "run")
    assert {one.reason for one in result.episodes} <= {"turns", "actions", "done", "invalid"}
