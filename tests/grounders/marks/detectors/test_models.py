"""GroundingDINO of transformers, tiny and with random weights, through its adapter: the real processor and model."""

from __future__ import annotations

import importlib.util
import random

import pytest

if not all(importlib.util.find_spec(module) for module in ("torch", "transformers")):
    reason = "torch and transformers are not in this environment; test_real_local.py runs this file where they are"
    pytest.skip(reason, allow_module_level=True)

import torch
import transformers as hf

from omnipilot.envs import Image, Size
from omnipilot.grounders.marks.detectors.models import GroundingDino

SIZE = Size(400, 300)
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "icon", "logo"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """A folder with a model of a few thousand weights and its processor."""
    folder = tmp_path_factory.mktemp("dino")
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    eyes = hf.SwinConfig(
        embed_dim=12,
        depths=[1] * 4,
        num_heads=[1, 1, 2, 2],
        window_size=4,
        out_features=["stage2", "stage3", "stage4"],
    )
    words = {"model_type": "bert", "vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 1}
    small = {f"{part}_{what}": n for part in ("encoder", "decoder") for what, n in (("layers", 2), ("ffn_dim", 16))}
    config = hf.GroundingDinoConfig(
        backbone_config=eyes,
        text_config={**words, "num_attention_heads": 2, "intermediate_size": 16},
        d_model=32,
        num_queries=20,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        **small,
    )
    torch.manual_seed(0)
    hf.GroundingDinoForObjectDetection(config).save_pretrained(folder)
    looks = hf.GroundingDinoImageProcessor(size={"shortest_edge": 128, "longest_edge": 256})
    hf.GroundingDinoProcessor(looks, hf.BertTokenizer(str(folder / "vocab.txt"))).save_pretrained(folder)
    return str(folder)


@pytest.mark.slow
def test_the_real_classes_load_and_answer_as_the_adapter_expects(weights):
    noise = Image.raw(SIZE, random.Random(0).randbytes(SIZE.pixels * 3))
    detector = GroundingDino(weights, box_threshold=0.0, text_threshold=0.0)
    found = detector.find(noise)
    assert 1 <= len(found) <= 20
    assert {(one.role, one.source) for one in found} == {("icon", "detector")}
    assert all(one.box.area > 0 for one in found) and detector.find(noise) == found
    assert len(GroundingDino(weights, box_threshold=0.99).find(noise)) < len(found)
