"""Folders of ears that are broken, each in one way: told with the file and the cure."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_ears import CONFIG, drawn_arrays, safetensors_bytes, write_small_ears

from omnipilot.envs import ConfigError
from omnipilot.memory.mini import EarsTranscriber, check_ears
from omnipilot.memory.mini.model_folder import read_ears, read_lexicon


def configure(**changed: object) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        (folder / "config.json").write_text(json.dumps({**CONFIG.to_json(), **changed}))

    return write


def weigh(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        arrays = drawn_arrays()
        change(arrays)
        (folder / "model.safetensors").write_bytes(safetensors_bytes(arrays))

    return write


BROKEN: dict[str, tuple[str, Callable[[Path], object]]] = {
    "no configuration": ("config.json", lambda folder: (folder / "config.json").unlink()),
    "no weights": ("model.safetensors", lambda folder: (folder / "model.safetensors").unlink()),
    "no lexicon": ("lexicon.txt", lambda folder: (folder / "lexicon.txt").unlink()),
    "no JSON": ("config.json", lambda folder: (folder / "config.json").write_text("{")),
    "a list": ("config.json", lambda folder: (folder / "config.json").write_text("[]")),
    "another model": ("config.json", configure(model_type="llama")),
    "other signs": ("config.json", configure(signs="abc")),
    "a width of 0": ("config.json", configure(width=0)),
    "a width that is true": ("config.json", configure(width=True)),
    "an even kernel": ("config.json", configure(kernel=4)),
    "a penalty below 0": ("config.json", configure(penalty=-1)),
    "an epsilon of none": ("config.json", configure(epsilon=float("nan"))),
    "another width": ("model.safetensors", configure(width=16)),
    "weights cut off": (
        "model.safetensors",
        lambda folder: (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-9]),
    ),
    "an array missing": ("model.safetensors", weigh(lambda arrays: arrays.pop("head.bias"))),
    "an array too many": ("model.safetensors", weigh(lambda arrays: arrays.update(more=np.zeros(1, np.float32)))),
    "an infinite number": ("model.safetensors", weigh(lambda arrays: arrays["head.bias"].__setitem__(0, np.inf))),
    "a lexicon that is no text": ("lexicon.txt", lambda folder: (folder / "lexicon.txt").write_bytes(b"\xff\xfe\xff")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_folder_is_refused_with_the_file_and_the_cure(tmp_path: Path, name: str) -> None:
    file, spoil = BROKEN[name]
    spoil(write_small_ears(tmp_path))
    with pytest.raises(ConfigError) as refused:
        read_ears(tmp_path)
        read_lexicon(tmp_path)
    assert str(tmp_path / file) in str(refused.value)
    assert "omnipilot train ears" in str(refused.value) or name in ("weights cut off", "an infinite number")


def test_a_folder_is_checked_before_anything_is_heard(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="omnipilot train ears"):
        EarsTranscriber(str(tmp_path / "nowhere"))


def test_a_whole_folder_is_read(tmp_path: Path) -> None:
    config, arrays = read_ears(write_small_ears(tmp_path))
    assert config == check_ears(tmp_path) == CONFIG
    assert set(arrays) == set(CONFIG.shapes()) and read_lexicon(tmp_path) == {"the", "code", "is"}


def test_weights_that_are_too_large_are_told(tmp_path: Path) -> None:
    from omnipilot.memory.mini import EarsNetwork

    write_small_ears(tmp_path)
    weigh(lambda arrays: arrays.update({name: array * 1e30 for name, array in arrays.items()}))(tmp_path)
    with pytest.raises(ConfigError, match="so large that nothing can be heard"):
        EarsNetwork(tmp_path).scores(np.zeros((20, 40), np.float32))
