"""Every part that takes a model answers a bare name and an id of the Hugging Face hub alike: with what was meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from made_parts import make_part

from omnipilot.agents.assembly.build import GATES, GROUNDERS, MEMORIES, PLANNERS
from omnipilot.agents.assembly.teams import CRITICS, TRACKERS
from omnipilot.envs import ConfigError
from omnipilot.memory.models.model_names import base_model_name, check_provider, how_to_name, model_letters, same_model

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


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct-AWQ", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("Qwen/Qwen3-VL-8B-Instruct-FP8", "Qwen/Qwen3-VL-8B-Instruct"),
        ("x/Qwen3.5-27B-FP8-dynamic", "x/Qwen3.5-27B"),
        ("Qwen/Qwen2.5-VL-7B-Instruct-GPTQ-Int4", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("RedHatAI/Qwen2.5-VL-7B-Instruct-quantized.w4a16", "RedHatAI/Qwen2.5-VL-7B-Instruct"),
        ("unsloth/Qwen2.5-VL-7B-Instruct-unsloth-bnb-4bit", "unsloth/Qwen2.5-VL-7B-Instruct"),
        ("mlx-community/UI-TARS-1.5-7B-6bit", "mlx-community/UI-TARS-1.5-7B"),
        ("mradermacher/UI-TARS-1.5-7B-i1-GGUF", "mradermacher/UI-TARS-1.5-7B"),
        ("hosted_vllm/x/UI-TARS-1.5-7B-GGUF:Q4_K_M", "hosted_vllm/x/UI-TARS-1.5-7B"),
        ("/models/UI-TARS-1.5-7B.Q8_0.gguf", "/models/UI-TARS-1.5-7B"),
        ("UI-TARS-1.5-7B-UD-Q4_K_XL-00001-of-00003.gguf", "UI-TARS-1.5-7B"),
        ("ui-tars-1.5-7b@iq4_xs", "ui-tars-1.5-7b"),
        ("mlx-community/Qwen3.6-35B-A3B-4bit-DWQ", "mlx-community/Qwen3.6-35B-A3B"),
        ("lmstudio-community/Qwen3.6-27B-MLX-4bit", "lmstudio-community/Qwen3.6-27B"),
        ("Eco-Tech/Qwen3.6-27B-w8a8-mxfp8", "Eco-Tech/Qwen3.6-27B"),
        ("nvidia/Qwen3.6-27B-NVFP4", "nvidia/Qwen3.6-27B"),
        ("anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5"),
        ("vertex_ai/claude-opus-4-5@20251101", "vertex_ai/claude-opus-4-5"),
        ("bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock/claude-haiku-4-5"),
        ("openai/gpt-5-2025-08-07", "openai/gpt-5"),
        ("gemini/gemini-2.5-computer-use-preview-10-2025", "gemini/gemini-2.5-computer-use-preview"),
        ("doubao-seed-1-8-251228", "doubao-seed-1-8"),
        # What only looks like it: a size, a version, a name that is nothing else.
        ("Qwen/Qwen3-VL-235B-A22B-Thinking", "Qwen/Qwen3-VL-235B-A22B-Thinking"),
        ("openai/gpt-5.4", "openai/gpt-5.4"),
        ("zai-org/AutoGLM-Phone-9B", "zai-org/AutoGLM-Phone-9B"),
        ("qwen2.5vl:7b", "qwen2.5vl:7b"),
        ("AWQ", "AWQ"),
        ("", ""),
    ],
)
def test_packaging_and_a_date_are_no_part_of_a_name(name: str, base: str) -> None:
    assert base_model_name(name) == base


def test_a_long_name_is_read_at_once() -> None:
    assert base_model_name("x" + "-q4" * 20_000) == "x"


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("bartowski/stepfun-ai_GELab-Zero-4B-preview-GGUF", "stepfun-ai/GELab-Zero-4B-preview"),
        ("DevQuasar/Hcompany.Holo1-7B-GGUF", "Hcompany/Holo1-7B"),
        ("bartowski/Qwen_Qwen3.6-27B-GGUF:Q4_K_M", "Qwen/Qwen3.6-27B"),
        ("ollama/qwen3.6:35b-a3b-mlx-bf16", "Qwen/Qwen3.6-35B-A3B"),
        ("qwen2.5vl:7b", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("openrouter/anthropic/claude-sonnet-4.6", "anthropic/claude-sonnet-4-6"),
        ("THUDM/cogagent-9b-20241220-AWQ", "zai-org/cogagent-9b-20241220"),
    ],
)
def test_a_name_of_those_who_pack_or_serve_weights_is_the_id(name: str, id: str) -> None:
    assert same_model(name, id)


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Qwen/Qwen3.6-27B", "Qwen/Qwen3.5-27B"),
        ("mPLUG/GUI-Owl-7B", "Hcompany/Holo1-7B"),
        ("openai/gpt-5-mini", "openai/gpt-5"),
        ("x/UI-TARS-1.5-7B-abliterated", "ByteDance-Seed/UI-TARS-1.5-7B"),
        ("AWQ", "Qwen/Qwen3.6-27B"),
        ("", "n"),
        ("---", "---"),
    ],
)
def test_another_model_is_not_the_id(name: str, id: str) -> None:
    assert not same_model(name, id)


def test_letters_of_a_name() -> None:
    assert model_letters("hosted_vllm/x/UI-TARS-1.5-7B-GGUF") == "hostedvllmxuitars157b"
