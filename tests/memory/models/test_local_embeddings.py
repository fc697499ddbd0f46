"""Embeddings in this process: how a model is loaded and asked, by a stand-in for sentence-transformers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.types import MissingExtra
from omnipilot.memory import Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.models import embeddings
from omnipilot.memory.models.embeddings import BATCH, make_embeddings


class SentenceTransformer:
    """Gives each text its length and its number of vowels."""

    loaded: ClassVar[list[tuple[str, Any, Any]]] = []
    asked: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, name: str, device: Any = None, revision: Any = None) -> None:
        if not (Path(name) / "modules.json").is_file():
            raise ValueError("Unrecognized model")
        self.loaded.append((name, device, revision))

    def encode(self, texts: list[str], **options: Any) -> Any:
        self.asked.append({"texts": texts, **options})
        vectors = np.array([[len(text), sum(text.count(one) for one in "aeiou")] for text in texts], np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[SentenceTransformer]]:
    """The stand-in, under the library's name."""
    module: Any = ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    module.__spec__ = ModuleSpec("sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    embeddings._loaded.cache_clear()
    embeddings._digest.cache_clear()
    SentenceTransformer.loaded, SentenceTransformer.asked = [], []
    yield SentenceTransformer
    embeddings._loaded.cache_clear()
    embeddings._digest.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a model's folder holds."""
    path = tmp_path / "model"
    (path / "1_Pooling").mkdir(parents=True)
    (path / "modules.json").write_text("[]")
    (path / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def test_the_library_normalises_in_batches_and_loads_a_model_once(folder: Path) -> None:
    first, second = (make_embeddings(f"sentence-transformers/{folder}") for _ in range(2))
    assert SentenceTransformer.loaded == [], "nothing is loaded before it is needed"
    vectors, usage = first.embed(["a lamp", "dogs"])
    second.warm_up()
    assert second.embed(["x"])[0].shape == (1, 2)
    assert vectors.shape == (2, 2) and vectors.dtype == np.float32 and usage == Usage()
    assert SentenceTransformer.loaded == [(str(folder), None, None)]
    asked = SentenceTransformer.asked[0]
    assert asked == {
        "texts": ["a lamp", "dogs"],
        "batch_size": BATCH,
        "normalize_embeddings": True,
        "show_progress_bar": False,
    }
    assert len(first.embed([])[0]) == 0 and len(SentenceTransformer.asked) == 2


def test_device_and_revision_are_handed_on(folder: Path) -> None:
    make_embeddings(f"sentence-transformers/{folder},device=cpu,revision=abc").embed(["x"])
    assert SentenceTransformer.loaded == [(str(folder), "cpu", "abc")]


def test_what_decides_the_vectors_is_part_of_the_identity_and_where_it_lies_is_not(folder: Path) -> None:
    def weights(at: Path) -> str:
        embeddings._digest.cache_clear()
        memory = EpisodicMemory(embeddings=f"sentence-transformers/{at}")
        return memory.identity()["embeddings.weights"]

    before = weights(folder)
    moved = folder.rename(folder.with_name("elsewhere"))
    (moved / "README.md").write_text("no weights")
    assert weights(moved) == before and SentenceTransformer.loaded == []
    (moved / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    pooled = weights(moved)
    (moved / "model.safetensors").write_bytes(b"other weights")
    assert len({before, pooled, weights(moved)}) == 3


def test_a_folder_that_is_none_or_holds_no_model_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such folder; give one that holds a model"):
        make_embeddings(f"sentence-transformers/{tmp_path}/nowhere")
    with pytest.raises(ConfigError, match="Unrecognized model; give a folder that holds a model of .* or a hub id"):
        make_embeddings(f"sentence-transformers/{tmp_path}").embed(["x"])
    with pytest.raises(ConfigError, match="unknown option 'url'; there are device, revision"):
        make_embeddings(f"sentence-transformers/{tmp_path},url=http://x")


def test_a_missing_library_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "check_installed", _lacks)
    with pytest.raises(MissingExtra, match=r"omnipilot\[embed\]"):
        EpisodicMemory(embeddings="sentence-transformers/all-MiniLM-L6-v2")


def _lacks(extra: str, module: str) -> None:
    raise MissingExtra(extra, module)
