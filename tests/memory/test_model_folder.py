"""Folders of small models that are broken, each in one way: refused with file and cure before anything is played.

What only one kind of model has, such as a tokenizer, is broken in the tests of that kind.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import mini_eyes
import numpy as np
import pytest
import small_ears
import small_mini
from safetensors_bytes import safetensors_bytes

from omnipilot.envs import ConfigError
from omnipilot.grounders.mini.eyes.model_folder import MINI_EYES
from omnipilot.grounders.mini.eyes.source import MiniEyes
from omnipilot.memory.mini import EarsTranscriber
from omnipilot.memory.mini.model_folder import MINI_EARS
from omnipilot.memory.models import ModelKind
from omnipilot.planners.mini.model_folder import MINI
from omnipilot.planners.mini.planner import MiniPlanner

CONFIG, WEIGHTS = ModelKind.config, ModelKind.weights
Breaking = Callable[[Path, "SmallModel"], object]


@dataclass(frozen=True)
class SmallModel:
    """A kind of models: how one is written and drawn for tests, and the part that runs it."""

    kind: ModelKind[Any]
    write: Callable[[Path], Path]
    draw: Callable[[], dict[str, Any]]
    run: Callable[[str], object]


MODELS = {
    one.kind.name: one
    for one in (
        SmallModel(MINI, small_mini.write_small_mini, small_mini.drawn_arrays, MiniPlanner),
        SmallModel(MINI_EARS, small_ears.write_small_ears, small_ears.drawn_arrays, EarsTranscriber),
        SmallModel(MINI_EYES, mini_eyes.write_eyes, mini_eyes.drawn_weights, MiniEyes),
    )
}
drawn = cache(lambda name: MODELS[name].draw())


def text(name: str, content: str | bytes) -> Breaking:
    return lambda folder, _: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def instead(name: str, make: Callable[[Path], object]) -> Breaking:
    def broken(folder: Path, _: SmallModel) -> None:
        (folder / name).unlink()
        make(folder / name)

    return broken


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def header(change: Callable[[dict[str, Any], str], object]) -> Breaking:
    """The header of the weights, changed by a function that is told the name of the last array."""

    def broken(folder: Path, model: SmallModel) -> None:
        held = drawn(model.kind.name)
        content = safetensors_bytes(held, lambda told: change(told, list(held)[-1]))
        (folder / WEIGHTS).write_bytes(content)

    return broken


def last(**changed: Any) -> Breaking:
    return header(lambda told, name: told[name].update(changed))


def arrays(change: Callable[[dict[str, Any], str], object]) -> Breaking:
    def broken(folder: Path, model: SmallModel) -> None:
        held = {name: array.copy() for name, array in drawn(model.kind.name).items()}
        change(held, list(held)[-1])
        (folder / WEIGHTS).write_bytes(safetensors_bytes(held))

    return broken


def moved(least: int) -> Breaking:
    """The last array said to lie somewhere else."""
    return header(lambda told, name: told[name].update(data_offsets=[least + at for at in told[name]["data_offsets"]]))


SWAPS: dict[str, Callable[[Path], object]] = {
    "is missing": lambda path: None,
    "is a folder": Path.mkdir,
    "is a pipe": os.mkfifo,
    "is a socket": listen,
    "leads to a device": lambda path: path.symlink_to("/dev/zero"),
    "leads nowhere": lambda path: path.symlink_to("nowhere"),
    "leads to itself": lambda path: path.symlink_to(path),
}
BROKEN: dict[str, tuple[str, Breaking]] = {
    **{f"{name} is empty": (name, text(name, "")) for name in (CONFIG, WEIGHTS)},
    **{f"{name} is noise": (name, text(name, bytes(range(256)) * 9)) for name in (CONFIG, WEIGHTS)},
    "the configuration is cut": (CONFIG, lambda folder, _: os.truncate(folder / CONFIG, 40)),
    "the configuration is a list": (CONFIG, text(CONFIG, "[]")),
    "the configuration is nested deeply": (CONFIG, text(CONFIG, "[" * 100_000)),
    "the configuration has a number of 9,000 digits": (CONFIG, text(CONFIG, '{"a": ' + "9" * 9000 + "}")),
    "the configuration says nothing": (CONFIG, text(CONFIG, "{}")),
    "the weights are cut in their header": (WEIGHTS, lambda folder, _: os.truncate(folder / WEIGHTS, 40)),
    "the weights are cut": (
        WEIGHTS,
        lambda folder, _: os.truncate(folder / WEIGHTS, os.stat(folder / WEIGHTS).st_size - 9),
    ),
    "the header is longer than the file": (WEIGHTS, text(WEIGHTS, b"\xff" * 8 + b"{}")),
    "the header has no length": (WEIGHTS, text(WEIGHTS, b"\0" * 8 + b"{}")),
    "the header is a list": (WEIGHTS, text(WEIGHTS, b"\2" + b"\0" * 7 + b"[]")),
    "the header is no text": (WEIGHTS, text(WEIGHTS, b"\2" + b"\0" * 7 + b"\xff\xff")),
    "there are no arrays": (WEIGHTS, text(WEIGHTS, b"\2" + b"\0" * 7 + b"{}")),
    "an array is no object": (WEIGHTS, header(lambda told, name: told.update({name: 5}))),
    "an array has no offsets": (WEIGHTS, header(lambda told, name: told[name].pop("data_offsets"))),
    "an unknown type": (WEIGHTS, last(dtype="F31")),
    "a type that is a list": (WEIGHTS, last(dtype=["F32"])),
    "a type of another size": (WEIGHTS, last(dtype="F64")),
    "whole numbers": (WEIGHTS, last(dtype="I32")),
    "bfloat16": (WEIGHTS, header(lambda told, name: told[name].update(dtype="BF16", shape=[2, *told[name]["shape"]]))),
    "a shape that is a text": (WEIGHTS, last(shape="4")),
    "a shape below zero": (WEIGHTS, last(shape=[-4])),
    "a shape of fractions": (WEIGHTS, last(shape=[4.0])),
    "a shape of another size": (WEIGHTS, last(shape=[5])),
    "a shape that overflows": (WEIGHTS, last(shape=[2**62, 2**62, 2**62])),
    "a shape in another form": (WEIGHTS, header(lambda told, name: told[name].update(shape=[1, *told[name]["shape"]]))),
    "offsets outside": (WEIGHTS, moved(10**9)),
    "offsets below zero": (WEIGHTS, moved(-(10**9))),
    "offsets backwards": (WEIGHTS, header(lambda told, name: told[name]["data_offsets"].reverse())),
    "offsets in words": (WEIGHTS, last(data_offsets=["0", "16"])),
    "three offsets": (WEIGHTS, header(lambda told, name: told[name]["data_offsets"].append(9))),
    "arrays over one another": (WEIGHTS, moved(-4)),
    "an array is missing": (WEIGHTS, arrays(lambda held, name: held.pop(name))),
    "an array too many": (WEIGHTS, arrays(lambda held, _: held.update(x=np.zeros(2, np.float32)))),
    "an array of another shape": (
        WEIGHTS,
        arrays(lambda held, name: held.update({name: np.zeros((4, 5), np.float32)})),
    ),
    "NaN": (WEIGHTS, arrays(lambda held, name: held[name].fill(np.nan))),
    "infinity": (WEIGHTS, arrays(lambda held, name: held[name].fill(-np.inf))),
}
SEEN_LATER = {"NaN", "infinity"}
"""What only the numbers themselves show."""


@pytest.fixture(scope="module", params=MODELS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallModel, Path]:
    model = MODELS[request.param]
    return model, model.write(tmp_path_factory.mktemp("whole") / "model")


@pytest.fixture
def copied(whole: tuple[SmallModel, Path], tmp_path: Path) -> tuple[SmallModel, Path]:
    model, folder = whole
    return model, Path(shutil.copytree(folder, tmp_path / "my-model"))


def refuse(model: SmallModel, folder: Path, name: str, later: bool = False) -> None:
    with pytest.raises(ConfigError) as told:
        model.kind.read(folder)
    (line,) = str(told.value).splitlines()
    assert str(folder / name) in line and ("train" in line or "write it as" in line), line
    if not later:
        with pytest.raises(ConfigError):
            model.run(str(folder))


def test_a_folder_works_before_it_is_broken(whole: tuple[SmallModel, Path]) -> None:
    model, folder = whole
    form, found = model.kind.read(folder)
    assert form == model.kind.check(folder)
    assert {name: array.shape for name, array in found.items()} == form.shapes()
    model.run(str(folder))


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_folder_is_told_with_its_file_and_the_cure(broken: str, copied: tuple[SmallModel, Path]) -> None:
    model, folder = copied
    name, breaking = BROKEN[broken]
    breaking(folder, model)
    refuse(model, folder, name, broken in SEEN_LATER)


@pytest.mark.parametrize("swap", SWAPS)
def test_what_is_no_file_is_told_for_each_file(
    swap: str, whole: tuple[SmallModel, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, folder = whole
    for name in (CONFIG, WEIGHTS, *model.kind.others):
        broken = Path(shutil.copytree(folder, tmp_path / name))
        monkeypatch.chdir(broken)
        instead(name, SWAPS[swap])(broken, model)
        refuse(model, broken, name)


def test_weights_that_are_not_in_the_package_are_told_with_the_command_that_makes_some(
    whole: tuple[SmallModel, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, folder = whole
    kind = replace(model.kind, shipped=tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=f"no weights of {kind.name}; make some with `{kind.command}`") as told:
        kind.folder("")
    assert str(tmp_path) not in str(told.value)
    assert kind.folder(str(folder)) == folder == replace(kind, shipped=folder).folder("")
    more = replace(kind, more={"further": folder, "gone": tmp_path / "gone"})
    assert more.folder("further") == more.folder(f"{kind.name}-further") == folder
    assert replace(more, shipped=folder).folder(kind.name) == folder
    assert more.names() == (kind.name, f"{kind.name}-further", f"{kind.name}-gone")
    for name in ("gone", f"{kind.name}-gone"):
        with pytest.raises(ConfigError, match=f"no weights of {name}; make some with"):
            more.folder(name)
    monkeypatch.chdir(folder.parent)
    assert replace(kind, more={folder.name: tmp_path}).folder(folder.name) == Path(folder.name), "one's own comes first"
