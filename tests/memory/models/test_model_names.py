"""Every part that takes a model answers a bare name and an id of the Hugging Face hub alike: with what was meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from made_parts import make_part

from omnipilot.agents.assembly.build import GATES, GROUNDERS, MEMORIES, PLANNERS
from omnipilot.agents.assembly.teams import CRITICS, TRACKERS
from omnipilot.envs import ConfigError
from omnipilot.memory.models.model_names import check_provider, how_to_name

HUB = "Qwen/Qwen2.5-VL-7B-Instruct"
PLACES: dict[str, Callable[[str], object]] = {
    "planner": lambda model: make_part(PLANNERS, model),
    "planner option": lambda model: make_part(PLANNERS, "function-calling", {"model": model}),
    "native": lambda model: make_part(PLANNERS, "native", {"model": model, "family": "qwen2.5-vl"}),
    "critic": lambda model: make_part(CRITICS, model),
    "progress": lambda model: make_part(TRACKERS, model),
    "gate": lambda model: make_part(GATES, model),
    "summary": lambda model: make_part(MEMORIES, f"summary:{model}"),
    "anchors": lambda model: make_part(MEMORIES, "episodic", {"anchors": True, "anchor_model": model}),
    "embeddings": lambda model: make_part(MEMORIES, "episodic", {"embeddings": model}),
    "transcriber": lambda model: make_part(MEMORIES, "episodic", {"transcriber": model}),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("gpt-4o", "openai/gpt-4o"),
        ("claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"),
        (
            HUB,
            f"hosted_vllm/{HUB} with --planner-url http://HOST:8000/v1 (of another part than the planner: ",
        ),
    ],
)
def test_every_place_says_what_was_meant(place: str, model: str, meant: str) -> None:
    with pytest.raises(ConfigError) as refused:
        PLACES[place](model)
    assert meant in str(refused.value)


@pytest.mark.parametrize(("model", "meant"), [(HUB, f"vllm:{HUB}"), ("gpt-4o", "vllm:openai/gpt-4o")])
def test_a_grounder_is_asked_through_vllm(model: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=meant):
        make_part(GROUNDERS, model)


@pytest.mark.exhibit("rules")
def test_a_name_that_is_no_known_model_is_told_how_models_are_written() -> None:
    assert how_to_name("UI-TARS-1.5-7B").startswith("write PROVIDER/MODEL, such as openai/gpt-4o; a model on a server")
    with pytest.raises(ConfigError, match="did you mean rules"):
        make_part(PLANNERS, "rule")


@pytest.mark.slow
def test_every_provider_that_litellm_knows_passes() -> None:
    from omnipilot.memory.models.litellm.library import library

    for provider in library().provider_list:
        name = str(getattr(provider, "value", provider))
        # No name has a capital letter, by which owners of the hub's models are told without importing litellm.
        assert name == name.lower()
        check_provider(f"{name}/model")
    with pytest.raises(ConfigError, match="did you mean openai"):
        check_provider("opneai/gpt-4o")
