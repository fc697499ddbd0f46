"""Folders of models that are broken in a way that can be seen without torch."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError
from omnipilot.grounders.local.loading import check_folder

pytestmark = pytest.mark.exhibit("mini")

WEIGHTS = Path(__file__).parents[3] / "grounders/mini/weights"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEIGHTS, tmp_path / "my-model"))


def test_the_shipped_folder_is_whole(model: Path) -> None:
    check_folder(model)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "preprocessor_config.json", "model.safetensors"])
@pytest.mark.parametrize(
    "breaking",
    [
        lambda path: path.write_bytes(b""),
        lambda path: os.truncate(path, 30),
        lambda path: path.write_bytes(bytes(range(256))),
        lambda path: (path.unlink(), os.mkfifo(path)),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
        lambda path: (path.unlink(), path.symlink_to("nowhere")),
        lambda path: path.write_text("[" * 100_000),
    ],
    ids=["empty", "cut", "noise", "pipe", "folder", "device", "nowhere", "deep"],
)
def test_a_broken_file_is_told_by_its_path(model: Path, name: str, breaking: Callable[[Path], object]) -> None:
    breaking(model / name)
    with pytest.raises(ConfigError) as told:
        check_folder(model)
    assert str(model / name) in str(told.value) and "anew" in str(told.value)
