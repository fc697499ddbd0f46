"""Parts by name, by table, by model: what the command line and a file say of who asks which model, and what counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_settings import spec_of

from omnipilot.agents import PartSpec
from omnipilot.agents.limits import IDLE, LIMITS
from omnipilot.bench import RunSpec
from omnipilot.bench.journal.run_directory import prepare
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost, endpoints
from omnipilot.bench.spec import RunLimits, essence
from omnipilot.envs import ConfigError, Modality

BASE = {"suite": "toy", "planner": "openai/gpt-4o"}
URL = "http://127.0.0.1:1/v1"


def spec(flags: dict[str, Any], *options: str) -> RunSpec:
    """A run from flags and options."""
    return spec_of({}, {**BASE, **flags}, options)


def test_a_model_is_a_planner_that_calls_functions() -> None:
    assert spec({}).agent.planner == PartSpec("function-calling", {"model": "openai/gpt-4o"})
    local = spec({"planner": "hosted_vllm/a/b", "planner_url": URL})
    assert local.agent.planner.options == {"model": "hosted_vllm/a/b", "url": URL}
    with pytest.raises(ConfigError, match="calls none"):
        spec({"planner": "noop", "planner_url": URL})


def test_a_part_may_be_written_with_the_value_of_its_main_option() -> None:
    flags = spec({"planner": "graded:0.5", "grounder": "graded:0.9"}, "grounder.errors=offset").agent
    assert flags.planner == PartSpec("graded", {"accuracy": 0.5})
    assert flags.grounder == PartSpec("graded", {"accuracy": 0.9, "errors": "offset"})
    file = spec_of({"suite": "toy", "planner": "noop", "grounder": {"name": "graded:0.9", "errors": "offset"}})
    assert file.agent.grounder == flags.grounder
    under = {"suite": "toy", "planner": "noop", "grounder": {"name": "graded", "accuracy": 0.9, "errors": "offset"}}
    assert spec_of(under, {"grounder": "graded:0.7"}).agent.grounder.options == {"accuracy": 0.7, "errors": "offset"}
    assert spec_of(under, {"grounder": "gold"}).agent.grounder == PartSpec("gold")
    with pytest.raises(ConfigError, match="its option accuracy: a number"):
        spec({"grounder": "graded:most"})


def test_a_planner_around_a_model_calls_that_model() -> None:
    blind = spec({"planner": "blind:ollama_chat/qwen3:8b", "planner_url": URL, "cassette": "tape"}).agent
    inner = PartSpec("function-calling", {"model": "ollama_chat/qwen3:8b", "url": URL, "cassette": "tape"})
    assert blind.planner == PartSpec("blind", inner=(inner,))
    (endpoint,) = endpoints(blind)
    assert (endpoint.model, endpoint.url) == ("ollama_chat/qwen3:8b", URL)
    table = {"name": "blind", "of": {"name": "json", "model": "openai/gpt-4o"}}
    (endpoint,) = endpoints(spec_of({"suite": "toy", "planner": table}, {"planner_url": URL}).agent)
    assert (endpoint.model, endpoint.url) == ("openai/gpt-4o", URL)
    with pytest.raises(ConfigError, match="'blind' calls none"):
        spec({"planner": "blind:rules", "planner_url": URL})
    assert endpoints(spec({"planner": "blind:rules"}).agent) == ()


def test_flags_and_a_file_say_the_same_of_every_part() -> None:
    file = {
        "suite": "toy",
        "planner": {"name": "openai/gpt-4o", "history": 3},
        "tool_agent": {"model": "openai/small"},
        "critic": "rules",
        "progress": {"name": "clauses"},
        "loops": {"times": 4},
        "critic_modalities": "screenshot",
        "limits": {"cost": 0.5},
    }
    flags = {"critic": "rules", "progress": "clauses", "critic_modalities": "screenshot", "limits": {"cost": 0.5}}
    given = spec(flags, "planner.history=3", "tool_agent.model=openai/small", "loops.times=4")
    assert spec_of(file) == given
    assert given.agent.loops == PartSpec("repeats", {"times": 4})
    assert given.agent.critic_modalities == {Modality.SCREENSHOT}
    assert RunSpec.from_json(given.to_json()) == given
    assert spec({"critic": "none"}).agent.critic is None


def test_a_critic_may_be_a_model_of_its_own() -> None:
    assert spec({"critic": "openai/o"}).agent.critic == PartSpec("model", {"model": "openai/o"})
    assert spec({}, "critic.model=openai/o").agent.critic == PartSpec("model", {"model": "openai/o"})
    assert spec({}, "critic.patience=2").agent.critic == PartSpec("rules", {"patience": 2})


def test_a_tool_agent_is_the_planner_but_for_what_is_said_of_it() -> None:
    own = (
        "planner.history=3",
        "planner.key_env=HEAD",
        "planner.price_in=1",
        "planner.price_out=2",
        f"planner.url={URL}",
    )
    assert spec({}, *own).agent.tool_agent is None
    same = spec({}, *own, "tool_agent.history=0").agent
    assert same.tool_agent is not None
    assert same.tool_agent.options == {**same.planner.options, "history": 0}
    apart = spec({}, *own, "tool_agent.url=http://127.0.0.1:2/v1").agent.tool_agent
    assert apart == PartSpec(
        "function-calling", {"model": "openai/gpt-4o", "history": 3, "url": "http://127.0.0.1:2/v1"}
    )
    assert spec({"tool_agent": "json"}).agent.tool_agent == PartSpec("json")


def test_a_cassette_is_every_models_and_nobody_elses() -> None:
    kept = spec({"cassette": "calls", "replay": True, "critic": "openai/o", "progress": "clauses"}).agent
    for part in (kept.planner, kept.critic):
        assert part is not None and (part.options["cassette"], part.options["replay"]) == ("calls", True)
    assert kept.progress == PartSpec("clauses")
    with pytest.raises(ConfigError, match="--replay requires --cassette DIR"):
        spec({"replay": True})
    with pytest.raises(ConfigError, match="no part calls an LLM"):
        spec({"planner": "noop", "cassette": "calls"})


def test_where_a_model_is_asked_is_no_part_of_a_run_and_what_it_is_asked_is(tmp_path: Path) -> None:
    one = spec({}, f"planner.url={URL}", "planner.key_env=A", "critic.model=openai/o")
    two = spec({"cassette": "calls"}, "planner.url=http://127.0.0.1:2/v1", "planner.key_env=B", "critic.model=openai/o")
    assert one.identity == two.identity and run_name(one) == run_name(two)
    prepare(tmp_path, one, ())
    prepare(tmp_path, two, ())
    changes = (
        "planner.parameters.temperature=0",
        "planner.history=3",
        "critic.model=openai/p",
        "planner.model=openai/p",
    )
    for change in changes:
        other = spec({}, "critic.model=openai/o", change)
        assert other.identity != one.identity
        with pytest.raises(ConfigError, match="other settings"):
            prepare(tmp_path, other, ())


def test_a_specification_says_every_setting_and_its_identity_only_those_that_are_set() -> None:
    told = spec_of({"suite": "toy", "planner": "noop"}).to_json()
    assert told["intent"] is False and told["limits"] == dict.fromkeys((*LIMITS, IDLE))
    assert told["agent"]["critic"] is told["agent"]["loops"] is None
    kept = essence(told)
    assert "intent" not in kept and kept["limits"] == {} and not {"critic", "tool_agent", "loops"} & set(kept["agent"])
    assert spec({"intent": True}).to_json()["intent"] is True
    for name in (*LIMITS, IDLE):
        limited = spec({"limits": {name: 7}})
        assert getattr(limited.limits, name) == 7
        assert RunSpec.from_json(json.loads(json.dumps(limited.to_json()))) == limited


def test_every_model_that_would_be_asked_is_known() -> None:
    asked = spec({"critic": "anthropic/c", "grounder": {"name": "vllm", "model": "osunlp/UGround-V1-7B"}}).agent
    assert [endpoint.model for endpoint in endpoints(asked)] == ["openai/gpt-4o", "anthropic/c"]


def test_a_cap_on_money_needs_every_price() -> None:
    capped = {"limits": {"cost": 1.0}, "planner": "openai/nobody-knows", "planner_url": URL}
    check_cost(spec({"planner": "openai/nobody-knows"}))
    with pytest.raises(ConfigError, match="price of openai/nobody-knows is unknown"):
        check_cost(spec(capped))
    check_cost(spec(capped), waived=True)
    check_cost(spec(capped, "planner.price_in=0", "planner.price_out=0"))
    keyed = {"name": "vllm", "model": "osunlp/UGround-V1-7B", "key_env": "K"}
    with pytest.raises(ConfigError, match="price of the grounder 'vllm'"):
        check_cost(spec({**capped, "grounder": keyed}, "planner.price_in=0", "planner.price_out=0"))
    assert spec(capped).limits == RunLimits(cost=1.0)
