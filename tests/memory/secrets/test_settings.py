"""Secrets among settings are refused before anything is written, and harmless settings are not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from made_settings import settings_of

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.experiments.sweep import SweepRequest, specs_of
from omnipilot.bench.run import run
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.secrets.scrub import scrub
from omnipilot.memory.secrets.settings import refuse_secrets, url_secret

KEY = "a9Kd03mfQz71Lx5"
URLS = [
    f"http://h/v1?api_key={KEY}",
    f"http://h/v1?x={KEY}",
    f"http://h/v1?{KEY}",
    f"http://{KEY}@h/v1",
    f"http://me:{KEY}@h:8000/v1",
    f"HTTPS://me:{KEY}@h/v1?api-version=1",
    f"http://h/v1?api-version=1&sig={KEY}",
    f"http://h/v1#access_token={KEY}",
]
SECRETS: list[Mapping[str, Any]] = [
    *({"url": url} for url in URLS),
    {"api_key": KEY},
    {"API-Key": KEY},
    {"openai_api_key": KEY},
    {"access_token": "x"},
    {"password": "x"},
    {"headers": {"Authorization": KEY}},
    {"headers": {"X-Api-Key": KEY}},
    {"parameters": {"extra_body": {"deep": [{"client_secret": KEY}]}}},
    {"token": f"{KEY}{KEY}"},
    {"note": "sk-abcdefghijklmnop12345"},
    {"header": f"Bearer {KEY}"},
    {"note": "the-key-of-the-service-1"},
]


@pytest.mark.parametrize("options", SECRETS, ids=str)
def test_a_secret_is_refused_with_the_cure_and_untold(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", "the-key-of-the-service-1")
    with pytest.raises(ConfigError, match="use key_env") as refused:
        refuse_secrets({"planner": options})
    assert KEY not in str(refused.value) and "sk-abc" not in str(refused.value) and "planner." in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        {"url": "http://127.0.0.1:8000/v1", "key_env": "MY_API_KEY", "tokens": "4", "max_tokens": "20"},
        {"url": "https://h.example/openai?api-version=2024-10-21", "key": "Enter", "token": "<image>"},
        {"data": "hf://OWNER/NAME", "eos_token": "<|im_end|>", "template": "prompts/the_key_one.md", "prompt": "a@b"},
        {"price_in": 2.0, "images": 0, "model": "openai/gpt-4o", "parameters": {"stop": ["sk-", "Bearer"]}},
    ],
    ids=str,
)
def test_harmless_settings_pass(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", KEY)
    monkeypatch.setenv("OTHER_TOKEN", "prompts")
    refuse_secrets({"planner": options})


def test_a_url_with_a_secret_is_no_endpoint() -> None:
    for url in URLS:
        assert KEY not in url_secret(url) and url_secret(url)
        with pytest.raises(ConfigError, match="use key_env") as refused:
            LlmEndpoint("openai/gpt-4o", url)
        assert KEY not in str(refused.value)


def test_a_key_in_the_place_of_its_variable_is_not_repeated() -> None:
    with pytest.raises(ConfigError, match="the name of an environment variable") as refused:
        LlmEndpoint("openai/gpt-4o", key_env="sk-abc-123")
    assert "sk-abc" not in str(refused.value)


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("part", ["planner", "tool_agent", "critic", "grounder", "suite"])
def test_flags_files_options_and_axes_are_looked_at(part: str, url: str, tmp_path: Path) -> None:
    base = {"suite": {"name": "duet"}, "planner": "openai/gpt-4o"}
    named = {"name": "duet" if part == "suite" else "x/y", "url": url}
    for ask in (
        lambda: settings_of(base, {}, [f"{part}.url={url}"]),
        lambda: settings_of({**base, part: named}),
        lambda: spec_from(RunSettings(**{**base, part: named})),
        lambda: specs_of(SweepRequest(RunSettings(**{**base, part: named}), {})),
        lambda: settings_of(base, {"planner_url": url}),
        lambda: run(RunSpec(AgentSpec(planner=PartSpec("noop", {"url": url})), PartSpec("duet")), tmp_path / "run"),
    ):
        with pytest.raises(ConfigError, match="use key_env") as refused:
            ask()
        assert KEY not in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_an_option_that_is_none_is_not_repeated_where_it_is_a_key() -> None:
    with pytest.raises(ConfigError, match="use key_env"):
        settings_of({}, {}, [f"api_key={KEY}"])
    assert scrub(f"it was {KEY}") == "it was (api_key)"
