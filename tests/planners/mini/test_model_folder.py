"""Folders of planners that are broken in a way of their own: told with file and cure, by whoever reads them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import omnipilot
from safetensors_bytes import safetensors_bytes
from small_mini import CONFIG, TOKENS, drawn_arrays, write_small_mini

from omnipilot.envs import ConfigError
from omnipilot.planners import Brief
from omnipilot.planners.mini.model_folder import read_config
from omnipilot.planners.mini.network import MiniNetwork
from omnipilot.planners.mini.planner import MiniPlanner

Breaking = Callable[[Path], object]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_small_mini(tmp_path / "my-model")


def config(**changed: Any) -> Breaking:
    return lambda folder: (folder / "config.json").write_text(json.dumps({**CONFIG, **changed}))


def text(name: str, content: str | bytes) -> Breaking:
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def vocabulary(content: Any) -> Breaking:
    return text("tokenizer.json", json.dumps({"model": {"vocab": content}}))


SIZES = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
BROKEN: dict[str, tuple[str, Breaking]] = {
    "no tokens": ("tokenizer.json", lambda folder: (folder / "tokenizer.json").unlink()),
    "tokens that are a pipe": (
        "tokenizer.json",
        lambda folder: ((folder / "tokenizer.json").unlink(), os.mkfifo(folder / "tokenizer.json")),
    ),
    "tokens that are empty": ("tokenizer.json", text("tokenizer.json", "")),
    "tokens that are noise": ("tokenizer.json", text("tokenizer.json", bytes(range(256)) * 9)),
    "tokens that are a list": ("tokenizer.json", text("tokenizer.json", "[]")),
    "tokens that are cut": ("tokenizer.json", lambda folder: os.truncate(folder / "tokenizer.json", 40)),
    **{f"{size} is lacking": ("config.json", config(**{size: None})) for size in SIZES},
    **{f"{size} is a text": ("config.json", config(**{size: "4"})) for size in SIZES},
    **{f"{size} is 0": ("config.json", config(**{size: 0})) for size in SIZES},
    **{f"{size} is less": ("config.json", config(**{size: -1})) for size in SIZES},
    **{f"{size} is huge": ("config.json", config(**{size: 10**18})) for size in SIZES},
    **{f"{size} is true": ("config.json", config(**{size: True})) for size in SIZES},
    **{f"{size} is a float": ("config.json", config(**{size: 4.0})) for size in SIZES},
    "too few positions": ("config.json", config(max_position_embeddings=8)),
    "positions without end": ("config.json", config(max_position_embeddings=10**12)),
    "odd heads": ("config.json", config(num_attention_heads=4, num_key_value_heads=4)),
    "grouped heads": ("config.json", config(num_key_value_heads=2)),
    "no epsilon": ("config.json", config(rms_norm_eps=None)),
    "epsilon is NaN": ("config.json", config(rms_norm_eps=float("nan"))),
    "epsilon is infinite": ("config.json", config(rms_norm_eps=float("inf"))),
    "theta is 0": ("config.json", config(rope_theta=0)),
    "theta is a list": ("config.json", config(rope_theta=[1])),
    "another kind of model": ("config.json", config(model_type="qwen2")),
    "another function": ("config.json", config(hidden_act="gelu")),
    "a head of its own": ("config.json", config(tie_word_embeddings=False)),
    "scaled positions": ("config.json", config(rope_scaling={"type": "linear"})),
    "recalled lines in words": ("config.json", config(recalled_lines="six")),
    "intents in words": ("config.json", config(intents="yes")),
    "saw lines in words": ("config.json", config(saw_lines="six")),
    "a config of another model": ("model.safetensors", config(hidden_size=8)),
    "more layers than weights": ("model.safetensors", config(num_hidden_layers=2)),
    "no model": ("tokenizer.json", text("tokenizer.json", "{}")),
    "model is a text": ("tokenizer.json", text("tokenizer.json", '{"model": "WordPiece"}')),
    "vocab is a list": ("tokenizer.json", vocabulary(list(TOKENS))),
    "vocab is empty": ("tokenizer.json", vocabulary({})),
    "numbers are texts": ("tokenizer.json", vocabulary({token: str(n) for n, token in enumerate(TOKENS)})),
    "numbers are mixed": ("tokenizer.json", vocabulary({token: n or "x" for n, token in enumerate(TOKENS)})),
    "numbers have holes": ("tokenizer.json", vocabulary({token: 2 * n for n, token in enumerate(TOKENS)})),
    "numbers are equal": ("tokenizer.json", vocabulary(dict.fromkeys(TOKENS, 0))),
    "no end": ("tokenizer.json", vocabulary({t: n for n, t in enumerate(("c", *TOKENS[:2], *TOKENS[3:]))})),
    "one token more": ("tokenizer.json", vocabulary({t: n for n, t in enumerate((*TOKENS, "c"))})),
    "one token less": ("tokenizer.json", vocabulary({t: n for n, t in enumerate(TOKENS[:-1])})),
}


def test_a_whole_folder_replies(model: Path) -> None:
    words, asked, _ = MiniNetwork(model).reply("a b")
    assert set(words.split()) <= set(TOKENS) and asked == 3


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_folder_is_told_with_its_file_and_the_cure(broken: str, model: Path) -> None:
    name, breaking = BROKEN[broken]
    breaking(model)
    with pytest.raises(ConfigError) as told:
        MiniNetwork(model)
    (line,) = str(told.value).splitlines()
    assert str(model / name) in line and "omnipilot train planner" in line, line
    with pytest.raises(ConfigError):
        MiniPlanner(str(model))


def infinite(folder: Path) -> None:
    held = drawn_arrays()
    held["model.norm.weight"][0] = np.inf
    (folder / "model.safetensors").write_bytes(safetensors_bytes(held))


@pytest.mark.parametrize(
    ("name", "breaking"),
    [("model.safetensors", infinite), BROKEN["tokens that are a pipe"], BROKEN["more layers than weights"]],
)
def test_a_run_with_a_broken_model_is_one_line(name: str, breaking: Breaking, model: Path, tmp_path: Path) -> None:
    breaking(model)
    run = ("--suite", "duet", "--tasks", "dismiss-alarm", "--out", str(tmp_path / "out"))
    done = omnipilot("run", *run, "--planner", "mini", "-o", f"planner.folder={model}")
    assert done.returncode == 2 and str(model / name) in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "out/report.html").exists()


@pytest.mark.parametrize("broken", ["more layers than weights", "tokens that are a pipe"])
def test_training_does_not_begin_with_a_broken_model(broken: str, model: Path, tmp_path: Path) -> None:
    name, breaking = BROKEN[broken]
    breaking(model)
    done = omnipilot("train", "planner", "--out", str(tmp_path / "out"), "--from", str(model))
    assert done.returncode == 2 and f"--from {model}" in done.stderr and name in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_weights_that_are_too_large_give_no_reply_but_an_error(model: Path) -> None:
    held = drawn_arrays()
    held["model.embed_tokens.weight"] *= np.float32(1e38)
    held["model.norm.weight"] *= np.float32(1e38)
    (model / "model.safetensors").write_bytes(safetensors_bytes(held))
    with pytest.raises(ConfigError, match="so large that no reply"):
        MiniNetwork(model).reply("a b")


def test_recalled_lines_are_read(model: Path) -> None:
    config(recalled_lines=6)(model)
    assert (read_config(model).recalled, read_config(model).saw) == (6, 0)
    config(saw_lines=4)(model)
    assert read_config(model).saw == 4


def test_models_that_know_intents_are_told_them(model: Path) -> None:
    assert not read_config(model).intents
    for knows in (False, True):
        config(intents=knows)(model)
        planner = MiniPlanner(str(model))
        planner.begin(Brief("Read it.", {}, intent="To know it."))
        assert planner._session.intent == ("To know it." if knows else "")
