"""Folders of models that are broken, each in one way: told with file and cure, by whoever reads them."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import omnipilot

from omnipilot.envs import ConfigError
from omnipilot.memory.safetensors_file import check_safetensors, read_safetensors
from omnipilot.planners import Brief
from omnipilot.planners.mini.model_folder import read_config, read_model
from omnipilot.planners.mini.network import MiniNetwork
from omnipilot.planners.mini.planner import MiniPlanner

TOKENS = ("<pad>", "<unk>", "<end>", "<act>", "a", "b")
WIDTH, INNER = 4, 6
CONFIG: dict[str, Any] = {
    **{"model_type": "llama", "hidden_size": WIDTH, "intermediate_size": INNER, "num_hidden_layers": 1},
    **{"num_attention_heads": 1, "num_key_value_heads": 1, "vocab_size": len(TOKENS), "max_position_embeddings": 64},
    **{"rms_norm_eps": 1e-5, "rope_theta": 10_000.0, "hidden_act": "silu", "tie_word_embeddings": True},
}
LAYER = "model.layers.0."
SHAPES = {
    "model.embed_tokens.weight": (len(TOKENS), WIDTH),
    "model.norm.weight": (WIDTH,),
    **{f"{LAYER}{name}.weight": (WIDTH,) for name in ("input_layernorm", "post_attention_layernorm")},
    **{f"{LAYER}self_attn.{name}_proj.weight": (WIDTH, WIDTH) for name in "qkvo"},
    **{f"{LAYER}mlp.{name}_proj.weight": (INNER, WIDTH) for name in ("gate", "up")},
    f"{LAYER}mlp.down_proj.weight": (WIDTH, INNER),
}
HEADER = ("model.norm.weight", "F32")

Breaking = Callable[[Path], object]


def safetensors(arrays: dict[str, Any], change: Callable[[dict[str, Any]], object] = lambda header: None) -> bytes:
    """Arrays in the format, their header changed by a function."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        kind = {"float32": "F32", "float16": "F16", "int64": "I64", "float64": "F64"}[array.dtype.name]
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + array.nbytes],
        }
        body += array.tobytes()
    change(header)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def numbers() -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {t: n for n, t in enumerate(TOKENS)}}}))
    (folder / "model.safetensors").write_bytes(safetensors(numbers()))
    return folder


def config(**changed: Any) -> Breaking:
    return lambda folder: (folder / "config.json").write_text(json.dumps({**CONFIG, **changed}))


def text(name: str, content: str | bytes) -> Breaking:
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def vocabulary(content: Any) -> Breaking:
    return text("tokenizer.json", json.dumps({"model": {"vocab": content}}))


def header(change: Callable[[dict[str, Any]], object]) -> Breaking:
    return lambda folder: (folder / "model.safetensors").write_bytes(safetensors(numbers(), change))


def norm(**changed: Any) -> Breaking:
    return header(lambda told: told["model.norm.weight"].update(changed))


def arrays(change: Callable[[dict[str, Any]], object]) -> Breaking:
    def broken(folder: Path) -> None:
        held = numbers()
        change(held)
        (folder / "model.safetensors").write_bytes(safetensors(held))

    return broken


def cut(name: str, left: int) -> Breaking:
    return lambda folder: os.truncate(folder / name, left)


def instead(name: str, make: Callable[[Path], object]) -> Breaking:
    def broken(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return broken


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def one_value(name: str, value: float) -> Breaking:
    def change(held: dict[str, Any]) -> None:
        held[name].flat[0] = value

    return arrays(change)


FILES = ("config.json", "model.safetensors", "tokenizer.json")
SIZES = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
BROKEN: dict[str, tuple[str, Breaking]] = {
    **{f"no {name}": (name, lambda folder, name=name: (folder / name).unlink()) for name in FILES},
    **{f"{name} is a folder": (name, instead(name, Path.mkdir)) for name in FILES},
    **{f"{name} is a pipe": (name, instead(name, os.mkfifo)) for name in FILES},
    **{f"{name} is a socket": (name, instead(name, listen)) for name in FILES},
    **{f"{name} leads to a device": (name, instead(name, lambda path: path.symlink_to("/dev/zero"))) for name in FILES},
    **{f"{name} leads nowhere": (name, instead(name, lambda path: path.symlink_to("nowhere"))) for name in FILES},
    **{f"{name} leads to itself": (name, instead(name, lambda path: path.symlink_to(path))) for name in FILES},
    **{f"{name} is empty": (name, text(name, "")) for name in FILES},
    **{f"{name} is noise": (name, text(name, bytes(range(256)) * 9)) for name in FILES},
    **{f"{name} is cut": (name, cut(name, 40)) for name in FILES},
    **{f"{name} is a list": (name, text(name, "[]")) for name in FILES[::2]},
    **{f"{name} is nested deeply": (name, text(name, "[" * 100_000)) for name in FILES[::2]},
    **{f"{name} has a number of 9,000 digits": (name, text(name, '{"a": ' + "9" * 9000 + "}")) for name in FILES[::2]},
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
    "the header is longer than the file": ("model.safetensors", text("model.safetensors", b"\xff" * 8 + b"{}")),
    "the header has no length": ("model.safetensors", text("model.safetensors", b"\0" * 8 + b"{}")),
    "the header is a list": ("model.safetensors", text("model.safetensors", b"\2" + b"\0" * 7 + b"[]")),
    "the header is no text": ("model.safetensors", text("model.safetensors", b"\2" + b"\0" * 7 + b"\xff\xff")),
    "there are no arrays": ("model.safetensors", text("model.safetensors", b"\2" + b"\0" * 7 + b"{}")),
    "an array is no object": ("model.safetensors", header(lambda told: told.update({HEADER[0]: 5}))),
    "an array has no offsets": ("model.safetensors", header(lambda told: told[HEADER[0]].pop("data_offsets"))),
    "an unknown type": ("model.safetensors", norm(dtype="F31")),
    "a type that is a list": ("model.safetensors", norm(dtype=["F32"])),
    "a type of another size": ("model.safetensors", norm(dtype="F64")),
    "whole numbers": ("model.safetensors", norm(dtype="I32")),
    "bfloat16": ("model.safetensors", norm(dtype="BF16", shape=[8])),
    "a shape that is a text": ("model.safetensors", norm(shape="4")),
    "a shape below zero": ("model.safetensors", norm(shape=[-4])),
    "a shape of fractions": ("model.safetensors", norm(shape=[4.0])),
    "a shape of another size": ("model.safetensors", norm(shape=[5])),
    "a shape that overflows": ("model.safetensors", norm(shape=[2**62, 2**62, 2**62])),
    "a shape in another form": ("model.safetensors", norm(shape=[2, 2])),
    "offsets outside": ("model.safetensors", norm(data_offsets=[10**9, 10**9 + 16])),
    "offsets below zero": ("model.safetensors", norm(data_offsets=[-16, 0])),
    "offsets backwards": ("model.safetensors", norm(data_offsets=[16, 0])),
    "offsets in words": ("model.safetensors", norm(data_offsets=["0", "16"])),
    "three offsets": ("model.safetensors", norm(data_offsets=[0, 8, 16])),
    "arrays over one another": ("model.safetensors", norm(data_offsets=[0, 16])),
    "an array is missing": ("model.safetensors", arrays(lambda held: held.pop(f"{LAYER}mlp.up_proj.weight"))),
    "an array too many": ("model.safetensors", arrays(lambda held: held.update({"x": np.zeros(2, np.float32)}))),
    "a bias": (
        "model.safetensors",
        arrays(lambda held: held.update({f"{LAYER}self_attn.q_proj.bias": np.zeros(4, np.float32)})),
    ),
    "a matrix of another shape": (
        "model.safetensors",
        arrays(lambda held: held.update({f"{LAYER}self_attn.q_proj.weight": np.zeros((4, 5), np.float32)})),
    ),
    "NaN": ("model.safetensors", one_value("model.norm.weight", np.nan)),
    "infinity": ("model.safetensors", one_value("model.embed_tokens.weight", -np.inf)),
}
SEEN_LATER = {"NaN", "infinity"}
"""What only the numbers themselves show."""


def test_the_folder_works_before_it_is_broken(model: Path) -> None:
    words, asked, _ = MiniNetwork(model).reply("a b")
    assert set(words.split()) <= set(TOKENS) and asked == 3
    read_model(model)
    MiniPlanner(str(model))


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_folder_is_told_with_its_file_and_the_cure(
    broken: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model)
    name, breaking = BROKEN[broken]
    breaking(model)
    with pytest.raises(ConfigError) as told:
        MiniNetwork(model)
    (line,) = str(told.value).splitlines()
    assert str(model / name) in line and ("train" in line or "write it as" in line), line
    if broken not in SEEN_LATER:
        with pytest.raises(ConfigError):
            MiniPlanner(str(model))


@pytest.mark.parametrize("broken", ["NaN", "no config.json", "model.safetensors is a pipe", "offsets outside"])
def test_a_run_with_a_broken_model_is_one_line(broken: str, model: Path, tmp_path: Path) -> None:
    name, breaking = BROKEN[broken]
    breaking(model)
    run = ("--suite", "duet", "--tasks", "dismiss-alarm", "--out", str(tmp_path / "out"))
    done = omnipilot("run", *run, "--planner", "mini", "-o", f"planner.folder={model}")
    assert done.returncode == 2 and str(model / name) in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "out/report.html").exists()


@pytest.mark.parametrize("broken", ["no config.json", "more layers than weights", "tokenizer.json is a pipe"])
def test_training_does_not_begin_with_a_broken_model(broken: str, model: Path, tmp_path: Path) -> None:
    name, breaking = BROKEN[broken]
    breaking(model)
    done = omnipilot("train", "planner", "--out", str(tmp_path / "out"), "--from", str(model))
    assert done.returncode == 2 and f"--from {model}" in done.stderr and name in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_weights_that_are_too_large_give_no_reply_but_an_error(model: Path) -> None:
    held = numbers()
    held["model.embed_tokens.weight"] *= np.float32(1e38)
    held["model.norm.weight"] *= np.float32(1e38)
    (model / "model.safetensors").write_bytes(safetensors(held))
    with pytest.raises(ConfigError, match="so large that no reply"):
        MiniNetwork(model).reply("a b")


@pytest.mark.parametrize("kind", ["F64", "F32", "F16", "BF16"])
@pytest.mark.parametrize("value", [np.nan, -np.inf, np.inf])
def test_numbers_of_every_type_are_checked(kind: str, value: float, tmp_path: Path) -> None:
    plain = np.array([0.0, 1.0, -2.5, 60_000.0], np.float32)
    for held, right in ((plain, True), (np.array([0.0, value, 1.0, 2.0], np.float32), False)):
        if kind == "BF16":
            body = (held.view(np.uint32) >> 16).astype("<u2").tobytes()
        else:
            body = held.astype({"F64": "<f8", "F32": "<f4", "F16": "<f2"}[kind]).tobytes()
        told = json.dumps({"x": {"dtype": kind, "shape": [4], "data_offsets": [0, len(body)]}}).encode()
        (tmp_path / "x.safetensors").write_bytes(len(told).to_bytes(8, "little") + told + body)
        if right:
            check_safetensors(tmp_path / "x.safetensors")
        else:
            with pytest.raises(ConfigError, match="NaN"):
                check_safetensors(tmp_path / "x.safetensors")


def test_arrays_are_read_as_they_were_written(tmp_path: Path) -> None:
    held = numbers() | {"half": np.array([[1.5, -2.0]], np.float16), "none": np.zeros((0, 3), np.float32)}
    (tmp_path / "x.safetensors").write_bytes(safetensors(held))
    found = read_safetensors(tmp_path / "x.safetensors")
    assert found.keys() == held.keys()
    assert all(np.array_equal(found[name], held[name]) and found[name].shape == held[name].shape for name in held)


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
