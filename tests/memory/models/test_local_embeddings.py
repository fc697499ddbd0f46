"""Embeddings in process: a tiny random model, made from its configuration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from omnipilot.envs import Box, ConfigError, Element, Elements, Observation, Size
from omnipilot.memory import Role, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.models.embeddings import BATCH, LOCAL, embeddings

torch = pytest.importorskip("torch", reason="needs torch and transformers")
transformers = pytest.importorskip("transformers", reason="needs torch and transformers")

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a lamp hangs in the hall page of dogs which was it".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one layer with random weights, and one token a word."""
    path = tmp_path_factory.mktemp("embeddings")
    (path / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    transformers.BertTokenizer(str(path / "vocab.txt"), model_max_length=32).save_pretrained(path)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32, pad_token_id=0,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(path)
    return path


def test_vectors_are_of_unit_length_and_the_same_alone_and_among_longer_texts(folder: Path) -> None:
    model = embeddings(f"{LOCAL}{folder}")
    texts = ["a lamp", "a lamp hangs in the hall", "dogs"]
    together, usage = model.embed(texts)
    assert together.shape == (3, 16) and together.dtype == np.float32 and usage == Usage()
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.embed([text])[0] for text in texts])
    assert np.allclose(together, alone, atol=1e-4), "padding counts for nothing"
    assert not np.allclose(together[0], together[2], atol=1e-2)


def test_many_texts_come_in_order_and_long_ones_are_cut(folder: Path) -> None:
    model = embeddings(f"{LOCAL}{folder}")
    texts = [WORDS[5 + n % 10] for n in range(BATCH + 3)]
    vectors, _ = model.embed(texts)
    assert len(vectors) == BATCH + 3 and np.allclose(vectors[BATCH], model.embed([texts[BATCH]])[0][0], atol=1e-4)
    assert model.embed(["lamp " * 500])[0].shape == (1, 16)
    assert len(model.embed([])[0]) == 0


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="transformers has no embedding model"):
        embeddings(f"{LOCAL}{tmp_path}")


def test_the_memory_episodic_ranks_by_it(folder: Path) -> None:
    memory = EpisodicMemory(use="text", embeddings=f"{LOCAL}{folder}")
    for turn, line in enumerate(["a lamp hangs in the hall", "page of dogs"]):
        elements = Elements((Element("text", line, Box(0, 0, 1, 1)),))
        seen = Observation("desktop", float(turn), Size(8, 8), elements=elements)
        memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
    found = memory.recall("which lamp was it", memory.budget, Role("planner"), ("desktop",))
    assert any("near the task in meaning" in one.why for one in found)
