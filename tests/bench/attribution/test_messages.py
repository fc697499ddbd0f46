"""What a team's main agent saw and did not say is counted; what it said, or the others read themselves, is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.attribution import Attributor
from omnipilot.bench.attribution.messages import TEAMS, count_values, holds, values_between_agents
from omnipilot.bench.journal.attempts import RecordedAttempt, RecordedTurn
from omnipilot.bench.journal.attributions import FILE, FOLDER, Attribution, Cause, NeededValue, read_causes
from omnipilot.bench.journal.events import EpisodeStarted, StepTaken, TurnTaken
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec

TASKS = ("mail-code-to-message", "help-code-to-network", "price-to-sheet")
STARTED = EpisodeStarted("k", 1, "k", 0, 0, "Enter the code of the mail.", [], [], {}, {}, 0.0)


def turn(said: str, typed: str = "", env: str = "pc", kind: str = "type", **screens: str) -> RecordedTurn:
    """A turn of a team: what its main agent saw and said, and what was typed."""
    taken = TurnTaken("k", 1, 0, {name: {"words": words} for name, words in screens.items()}, said, [], [], {}, 0.0)
    done = {"kind": kind, "text": typed} if typed else None
    step = StepTaken("k", 1, 0, 0, env, None, done, "done", "", True, None, [], 0.0, 0.0, {}, [], 0, {})
    return RecordedTurn(taken, [step])


def count(system: str, *turns: RecordedTurn, needed: Any = ()) -> tuple[NeededValue, ...]:
    return count_values(
        RecordedAttempt(STARTED, turns=list(turns)), system, lambda seen: str(seen.get("words", "")), needed
    )


MAIL = {"phone": "Your code is 4711."}


@pytest.mark.parametrize("system", TEAMS)
def test_a_value_that_was_seen_and_never_said_is_lost(system: str) -> None:
    (one,) = count(system, turn("Open it.", **MAIL), turn("Type the code.", "it"), needed=[("pc", "4711")])
    assert one == NeededValue("4711", "pc", 1, None, False) and one.lost


@pytest.mark.parametrize("system", TEAMS)
def test_a_value_that_was_said_is_not_lost_though_it_was_not_typed(system: str) -> None:
    (one,) = count(system, turn("Open it.", **MAIL), turn("Type 4711.", "1174"), needed=[("pc", "4711")])
    assert (one.seen, one.said, one.lost) == (1, 2, False)


def test_a_value_that_was_typed_without_a_word_of_it_is_not_lost() -> None:
    (one,) = count("by-function", turn("Open it.", **MAIL), turn("Type the code.", "4711"))
    assert (one.said, one.reached, one.lost) == (None, True, False)


def test_a_value_that_nobody_saw_is_not_counted() -> None:
    assert count("by-function", turn("Type the code.", phone="Inbox"), needed=[("pc", "4711")]) == ()


def test_a_key_that_is_typed_as_a_blank_is_no_value() -> None:
    assert count("by-function", turn("Go on.", "\n", **MAIL), needed=[("pc", "4711")])[0].value == "4711"
    assert count("by-function", turn("Go on.", "\n", **MAIL)) == ()


def test_an_agent_of_a_device_reads_its_own_screen_and_root_none() -> None:
    seen = turn("Type the code you see.", pc="Code 4711")
    assert count("by-environment", seen, needed=[("pc", "4711")]) == ()
    (answer,) = count("by-environment", seen, needed=[("", "4711")])
    (blind,) = count("by-function", seen, needed=[("pc", "4711")])
    assert answer.lost and blind.lost


def test_the_instruction_is_known_to_the_main_agent_alone() -> None:
    record = replace(STARTED, instruction="Set an alarm for 2:30 pm.")
    attempt = RecordedAttempt(record, turns=[turn("Set it for 14:30."), turn("Done.")])
    (one,) = count_values(attempt, "by-function", lambda _: "", [("phone", "2:30 pm")])
    assert (one.seen, one.said) == (1, 1)


@pytest.mark.parametrize(
    ("text", "value", "there"),
    [
        ("the code is 4711.", "4711", True),
        ("the code is 47110", "4711", False),
        ("Buy   MILK today", "buy milk", True),
        ("at 14:30", "2:30 pm", True),
        ("at 2:30", "2:30 pm", False),
        ("", "x", False),
    ],
)
def test_values_are_found_as_words_or_in_another_form(text: str, value: str, there: bool) -> None:
    assert holds(text, value) is there


def play(folder: Path, planner: str, system: str) -> Path:
    run(RunSpec(AgentSpec(planner=PartSpec(planner), system=system), PartSpec("duet"), tasks=TASKS), folder)
    return folder


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("system", TEAMS)
def test_a_team_that_hands_on_what_is_needed_loses_nothing(tmp_path: Path, system: str) -> None:
    folder = play(tmp_path / "run", "rules", system)
    for one in load_run(folder).episodes:
        assert one.success
        values = values_between_agents(folder, system, Attribution(one.key, Cause.OPEN, ""), one)
        assert not [value for value in values if value.lost]
        if system == "by-function":
            assert values and all(value.said is not None for value in values)


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("system", TEAMS)
def test_a_main_agent_that_says_no_value_is_found_out(tmp_path: Path, system: str) -> None:
    folder = play(tmp_path / "run", "planted_failures:Mumbler", system)
    attributor = Attributor(folder, tmp_path / "forks")
    failures = attributor.failures()
    assert len(failures) == len(TASKS)
    for one in failures:
        values = values_between_agents(folder, system, attributor.attribute(one), one)
        crosses = one.task == "mail-code-to-message"  # from one device to the other
        assert any(value.lost for value in values) is (crosses or system == "by-function"), one.key


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_attribute_counts_them_and_the_report_tells(tmp_path: Path) -> None:
    folder = play(tmp_path / "run", "planted_failures:Mumbler", "by-function")
    done = omnipilot("attribute", str(folder), "--task", TASKS[0])
    assert done.returncode == 0, done.stderr
    assert "lost between agents:" in done.stdout and "false completion" in done.stdout
    (one,) = json.loads((folder / FOLDER / FILE).read_text())["episodes"]
    lost = [value["value"] for value in one["values"] if value["lost"]]
    assert lost and lost[0] in done.stdout
    ((_, why, _),) = read_causes(folder).values()
    assert f"lost between agents: {lost[0]} (seen in turn" in why


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_one_agent_has_nobody_to_lose_anything_to(tmp_path: Path) -> None:
    folder = play(tmp_path / "run", "planted_failures:Mumbler", "single")
    done = omnipilot("attribute", str(folder), "--task", TASKS[0])
    assert done.returncode == 0, done.stderr
    assert "lost between agents" not in done.stdout
