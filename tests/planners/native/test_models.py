"""Native planners and their models: found by name, told whole prompts, asked through a real server."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from scripted import ScriptedWorld, agent, brief, play
from scripted_model import ScriptedModel, says

from omnipilot.agents import Limits, episode
from omnipilot.envs import Click, ConfigError, Image, Point
from omnipilot.planners import Brief, NativePlanner, Request, Verbs
from omnipilot.planners.native.families.table import families, find

KINDS = frozenset({"click", "scroll", "type"})
CLICK = "Thought: There.\nAction: click(start_box='(500,250)')"


def test_a_model_is_known_by_its_name_or_its_family_is_named() -> None:
    assert (
        NativePlanner("hosted_vllm/ByteDance-Seed/UI-TARS-1.5-7B", "http://127.0.0.1:9/v1").record.name == "ui-tars-1.5"
    )
    with pytest.raises(ConfigError, match="no native family lists the model 'hosted_vllm/mine'"):
        NativePlanner("hosted_vllm/mine", "http://127.0.0.1:9/v1")
    with pytest.raises(ConfigError, match="unknown native family 'ui-tar'"):
        NativePlanner("hosted_vllm/mine", "http://127.0.0.1:9/v1", family="ui-tar")
    with pytest.raises(ConfigError, match="repairs must be at least 0"):
        NativePlanner("hosted_vllm/mine", "http://127.0.0.1:9/v1", family="ui-tars", repairs=-1)


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_prompt_is_filled(family: Any) -> None:
    native = NativePlanner.over(ScriptedModel(says("")), family=family.name)
    assert set(native.identity()) == {"family", "prompt"}
    for platform in ("phone", "desktop", "browser"):
        task = Brief("THE TASK", {"it": Verbs(platform, KINDS)}, intent="THE PURPOSE")  # type: ignore[arg-type]
        messages, asked = native.preview(Request(task, 0, {}))
        words = "\n".join(part for message in messages for part in message.parts if isinstance(part, str))
        assert words.count("THE TASK\nPurpose: THE PURPOSE") == 1
        for slot in ("instruction", "platform", "device", "width", "height", "break", "history", "ending", "steps"):
            assert "{" + slot + "}" not in words
        assert sum(isinstance(part, Image) for message in messages for part in message.parts) == 1
        assert bool(asked.get("tools")) == bool(family.tools)


def test_it_drives_an_episode_through_a_real_server() -> None:
    replies = [CLICK, "Thought: ?\nAction: fly()", CLICK, "Thought: Done.\nAction: finished(content='42')"]
    with ChatServer([Answer(text) for text in replies]) as server:
        native = NativePlanner("hosted_vllm/UI-TARS-7B-DPO", server.url, price_in=1.0, price_out=1.0)
        world = ScriptedWorld()
        steps, ending = play(episode(world, agent(native), brief(world), Limits()))
    assert world.envs["pc"].acted == [Click(Point(0.5, 0.25)), Click(Point(0.5, 0.25))]
    assert [step.outcome.result for step in steps] == ["done", "done", "control", "control"]
    assert ending.reason == "done"  # type: ignore[attr-defined]
    bodies = [request.json for request in server.requests]
    assert len(bodies) == 4 and all(body["model"] == "UI-TARS-7B-DPO" for body in bodies)
    assert bodies[0]["skip_special_tokens"] is False and "tools" not in bodies[0]
    last = json.dumps(bodies[3]["messages"])
    assert last.count("image_url") // 2 == 3 and "fly()" not in last


def test_the_authors_own_prompt_is_sent_and_part_of_the_identity(tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("<!-- system -->\nAct.\n<!-- task -->\nTheir words: {instruction} at {width}x{height}\n")
    native = NativePlanner.over(ScriptedModel(says(CLICK)), family="ui-tars", prompt=str(file))
    assert native.identity() == {
        "family": "ui-tars",
        "prompt": hashlib.sha256(file.read_bytes()).hexdigest(),
    }
    task = Brief("THE TASK", {"it": Verbs("desktop", KINDS)})
    messages, _ = native.preview(Request(task, 0, {}))
    words = [part for message in messages for part in message.parts if isinstance(part, str)]
    assert words[0] == "Act."
    assert words[1].startswith("Their words: ") and "{" not in words[1]
    plain = tmp_path / "plain.txt"
    plain.write_text("Only this: {instruction}")
    other = NativePlanner.over(ScriptedModel(says(CLICK)), family="ui-tars", prompt=str(plain))
    assert other.identity() != native.identity()
    plain.with_name("none.txt").write_text("nothing is asked")
    for broken, told in ((plain.with_name("none.txt"), "holds no {instruction}"), (tmp_path / "no", "cannot be read")):
        with pytest.raises(ConfigError, match=re.escape(told)):
            NativePlanner.over(ScriptedModel(says(CLICK)), family="ui-tars", prompt=str(broken))


@pytest.mark.parametrize(
    "model",
    [
        *("inclusionAI/UI-Venus-2-9B", "openbmb/AgentCPM-GUI", "mirror/ShowUI-2B", "Hcompany/Holo1.5-7B"),
        *("Hcompany/Holo2-8B", "Hcompany/Holo3-35B-A3B", "Hcompany/Holo-3.1-4B-FP8", "Kimi-K3", "Step-GUI-8B"),
        *("Hcompany/Holo3.1-4B", "bartowski/Hcompany_Holo3-35B-A3B-GGUF", "unsloth/Qwen3.8-27B-NVFP4"),
    ],
)
def test_a_model_whose_actions_are_not_read_says_so(model: str) -> None:
    with pytest.raises(ConfigError, match="are not read"):
        find(model)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("hosted_vllm/Qwen/Qwen2.5-VL-7B-Instruct-AWQ", "qwen2.5-vl"),
        ("Qwen/Qwen3-VL-8B-Instruct-FP8", "qwen3-vl"),
        ("x/Qwen2.5-VL-32B-Instruct-GPTQ-Int4", "qwen2.5-vl"),
        ("hosted_vllm/mradermacher/UI-TARS-1.5-7B-i1-GGUF", "ui-tars-1.5"),
        ("/models/UI-TARS-1.5-7B.Q4_K_M.gguf", "ui-tars-1.5"),
        ("hosted_vllm/zai-org/GLM-4.5V-FP8", "glm-v"),
        ("anthropic/claude-sonnet-4-5-20250929", "claude"),
        ("bedrock/us.anthropic.claude-opus-4-5-20251101-v1:0", "claude"),
        ("openai/computer-use-preview-2025-03-11", "openai"),
        ("openai/gpt-5-2025-08-07", "openai"),
        ("openai/gpt-5.5", "openai"),
        ("anthropic/claude-haiku-4-5-20251001", "claude"),
        ("anthropic/claude-opus-4-6", "claude"),
        ("gemini/gemini-3.5-flash", "gemini-3.5"),
        ("gemini/gemini-3-flash", "gemini"),
        ("gemini/gemini-3.1-pro-preview", "gemini"),
        ("meituan/EvoCUA-32B-20260105", "evocua"),
        ("x/EvoCUA-32B-20260105-AWQ", "evocua"),
        ("mPLUG/GUI-Owl-1.5-8B-Think", "qwen3-vl"),
        ("stepfun-ai/GELab-Zero-4B-preview-GGUF", "gelab-zero"),
        ("bartowski/stepfun-ai_GELab-Zero-4B-preview-GGUF", "gelab-zero"),
        ("unsloth/Qwen3.5-4B-GGUF", "qwen3.5"),
        ("Qwen/Qwen3.5-122B-A10B-GPTQ-Int4", "qwen3.5"),
        ("lmstudio-community/Qwen3.6-27B-MLX-4bit", "qwen3.5"),
        ("nvidia/Qwen3.6-27B-NVFP4", "qwen3.5"),
        ("ollama/qwen3.6:35b-a3b", "qwen3.5"),
        ("ollama/qwen2.5vl:7b", "qwen2.5-vl"),
        ("dashscope/qwen3.5-plus-2026-02-15", "qwen3.5"),
        ("openrouter/anthropic/claude-sonnet-4.6", "claude"),
        ("openrouter/openai/gpt-5.5", "openai"),
        ("mradermacher/EvoCUA-8B-20260105.Q4_K_M.gguf", "evocua"),
        ("x/cogagent-9b-20241220-AWQ", "cogagent"),
        ("doubao-1-5-ui-tars-250428", "ui-tars-2"),
        ("volcengine/doubao-seed-1-8-251228", "ui-tars-2"),
    ],
)
def test_a_quantised_or_a_dated_model_finds_its_family(model: str, family: str) -> None:
    assert find(model).name == family


def test_a_mirror_and_a_folder_find_their_family() -> None:
    assert find("somebody/UI-TARS-1.5-7B").name == find("/models/UI-TARS-1.5-7B/").name == "ui-tars-1.5"


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_listed_id_finds_its_own_family_however_it_is_packed(family: Any) -> None:
    for id in family.models:
        owner, _, last = id.rpartition("/")
        packed = (id, last, f"x/{last}-GGUF", f"x/{owner}_{last}-GGUF" if owner else id, f"x/{last.lower()}-AWQ-4bit")
        for name in packed:
            assert find(name) is family, name
