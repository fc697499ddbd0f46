"""`omnipilot show-prompt`: what the models of every role are told, without a model, a key or a call."""

from __future__ import annotations

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.cli.commands.show_prompt import first_brief, render_role, roles_of, show_prompt_command
from omnipilot.envs import ConfigError
from omnipilot.planners.prompts import load

BRIEF = first_brief("duet")


def told(system: str, planner: PartSpec) -> dict[str, str]:
    """What is shown of each role, by its name."""
    texts = [render_role(role) for role in roles_of(AgentSpec(system, planner), BRIEF)]
    return {text.partition(" (")[0].removeprefix("=== "): text for text in texts}


@pytest.mark.parametrize("name", ["function-calling", "json"])
def test_a_planner_shows_its_prompt_its_hash_and_what_it_is_held_to(name: str) -> None:
    (text,) = told("single", PartSpec(name, {"model": "openai/gpt-4o"})).values()
    prompt = load(name)
    assert f"prompt: {prompt.digest}" in text and prompt.text.strip().split("\n- ")[-1] in text
    assert "{thought}" not in text
    assert f"The task: {BRIEF.instruction}" in text
    assert ("tools ---\nclick: " in text) == (name == "function-calling")
    assert ("--- schema of the reply ---" in text) == (name == "json")


def test_a_team_shows_what_each_role_is_told_and_no_more() -> None:
    by_function = told("by-function", PartSpec("function-calling", {"model": "openai/gpt-4o"}))
    assert list(by_function) == ["main agent", "tool agent"]
    assert BRIEF.instruction in by_function["main agent"] and "tools ---" not in by_function["main agent"]
    assert BRIEF.instruction not in by_function["tool agent"] and "\nclick: " in by_function["tool agent"]

    by_environment = told("by-environment", PartSpec("function-calling", {"model": "openai/gpt-4o"}))
    assert list(by_environment) == ["main agent", "device agent of phone", "device agent of desktop", "root agent"]
    assert BRIEF.instruction in by_environment["main agent"]
    for name, text in list(by_environment.items())[1:]:
        assert BRIEF.instruction not in text and "(what the main agent says)" in text
        assert ("\nclick: " in text) == ("device" in name)
        assert ("\ndone: " in text) == (name == "root agent")
    assert "- desktop:" not in by_environment["device agent of phone"]


def test_what_asks_no_model_has_no_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    for planner in ("rules", "oracle", "gold", "graded:0.5", "blind:rules"):
        with pytest.raises(ConfigError, match="calls no model, so it has no prompt"):
            show_prompt_command(planner, "single", "duet", [])
    with pytest.raises(ConfigError, match="calls no model, so it has no prompt"):
        show_prompt_command("gold", "by-function", "duet", [])
    show_prompt_command("anthropic/claude-x", "single", "duet", ["planner.history=0"])
    assert load("function-calling").digest in capsys.readouterr().out


def test_every_planner_that_asks_a_model_has_a_prompt_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    show_prompt_command("blind:openai/gpt-4o", "single", "duet", [])
    assert load("function-calling").digest in capsys.readouterr().out
    show_prompt_command("json", "by-environment", "duet", [])
    assert load("root_agent_json").digest in capsys.readouterr().out
    show_prompt_command("openai/gpt-4o", "single", "duet", ["planner.name=json"])
    assert load("json").digest in capsys.readouterr().out
    for name, *options in (("omnigui",), ("pyautogui", "env=desktop"), ("native", "env=phone", "family=ui-tars-1.5")):
        show_prompt_command(name, "single", "duet", [f"planner.{option}" for option in options])
        assert BRIEF.instruction in capsys.readouterr().out
