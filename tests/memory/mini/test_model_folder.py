"""Folders of ears that are broken in a way of their own: told with the file and the cure."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors_bytes import safetensors_bytes
from small_ears import CONFIG, drawn_arrays, write_small_ears

from omnipilot.envs import ConfigError
from omnipilot.memory.mini import EarsNetwork, EarsTranscriber
from omnipilot.memory.mini.model_folder import MINI_EARS, read_lexicon


def configure(**changed: object) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        (folder / "config.json").write_text(json.dumps({**CONFIG.to_json(), **changed}))

    return write


BROKEN: dict[str, tuple[str, Callable[[Path], object]]] = {
    "another model": ("config.json", configure(model_type="llama")),
    "other signs": ("config.json", configure(signs="abc")),
    "a width of 0": ("config.json", configure(width=0)),
    "a width that is true": ("config.json", configure(width=True)),
    "an even kernel": ("config.json", configure(kernel=4)),
    "a penalty below 0": ("config.json", configure(penalty=-1)),
    "an epsilon of none": ("config.json", configure(epsilon=float("nan"))),
    "another width": ("model.safetensors", configure(width=16)),
    "a lexicon that is no text": ("lexicon.txt", lambda folder: (folder / "lexicon.txt").write_bytes(b"\xff\xfe\xff")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_folder_is_refused_with_the_file_and_the_cure(tmp_path: Path, name: str) -> None:
    file, spoil = BROKEN[name]
    spoil(write_small_ears(tmp_path))
    with pytest.raises(ConfigError) as refused:
        MINI_EARS.read(tmp_path)
        read_lexicon(tmp_path)
    assert str(tmp_path / file) in str(refused.value) and "omnipilot train ears" in str(refused.value)


def test_a_folder_is_checked_before_anything_is_heard(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="omnipilot train ears"):
        EarsTranscriber(str(tmp_path / "nowhere"))


def test_a_whole_folder_is_read(tmp_path: Path) -> None:
    config, _ = MINI_EARS.read(write_small_ears(tmp_path))
    assert config == CONFIG and read_lexicon(tmp_path) == {"the", "code", "is"}


def test_weights_that_are_too_large_are_told(tmp_path: Path) -> None:
    large = {name: array * np.float32(1e30) for name, array in drawn_arrays().items()}
    (write_small_ears(tmp_path) / "model.safetensors").write_bytes(safetensors_bytes(large))
    with pytest.raises(ConfigError, match="so large that nothing can be heard"):
        EarsNetwork(tmp_path).scores(np.zeros((20, 40), np.float32))
