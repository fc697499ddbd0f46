"""The shipped weights: how right they are on stored steps, how large, how fast, and always the same."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError
from omnipilot.memory.safetensors_file import read_safetensors
from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

STEPS = Path(__file__).parent / "steps.jsonl"
"""200 steps of development tasks at an instance that is not trained on, as `docs/figures/mini_steps.py` writes them."""
LEAST = 0.95


@pytest.fixture(scope="module")
def network() -> MiniNetwork:
    return MiniNetwork()


@pytest.mark.slow
def test_the_shipped_weights_name_stored_steps(network: MiniNetwork) -> None:
    steps = [json.loads(line) for line in STEPS.read_text().splitlines()]
    assert len(steps) == 200
    right = sum(network.reply(prompt)[0] == reply for prompt, reply in steps)
    assert right / len(steps) >= LEAST


def test_a_decision_is_the_same_again_and_fast(network: MiniNetwork) -> None:
    prompt = json.loads(STEPS.read_text().splitlines()[100])[0]
    first = network.reply(prompt)
    began = time.process_time()
    assert all(network.reply(prompt) == first for _ in range(5))
    assert (time.process_time() - began) / 5 < 0.15


def test_the_weights_fit_into_a_wheel() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 12e6


def test_a_prompt_that_is_too_long_is_cut(network: MiniNetwork) -> None:
    reply, asked, _ = network.reply("task " + "a " * 3000)
    assert asked <= network.longest and isinstance(reply, str)


def test_a_folder_without_weights_says_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="omnipilot train planner"):
        MiniNetwork(tmp_path)
    (tmp_path / "a.safetensors").write_bytes(b"nonsense" * 4)
    with pytest.raises(ConfigError, match="no safetensors file"):
        read_safetensors(tmp_path / "a.safetensors")
