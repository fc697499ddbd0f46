"""GroundingDINO and Segment Anything of transformers, tiny and with random weights, through their adapters: the real
processors and models."""

from __future__ import annotations

import importlib.util
import random

import pytest

if not all(importlib.util.find_spec(module) for module in ("torch", "transformers")):
    reason = "torch and transformers are not in this environment; test_real_local.py runs this file where they are"
    pytest.skip(reason, allow_module_level=True)

import torch
import transformers as hf

from omnipilot.envs import Box, Element, Image, Size
from omnipilot.grounders.marks.detectors.models import GroundingDino, SegmentAnything
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.memory.perception import OcrReader

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


@pytest.fixture(scope="module")
def segments(tmp_path_factory):
    """A folder with a Segment Anything of a few thousand weights, for pictures of 64 pixels, and its processor."""
    folder = tmp_path_factory.mktemp("sam")
    config = hf.SamConfig(
        vision_config={
            "hidden_size": 16,
            "output_channels": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 64,
            "patch_size": 8,
            "mlp_dim": 16,
            "num_pos_feats": 8,
            "window_size": 4,
            "global_attn_indexes": [1],
        },
        prompt_encoder_config={
            "hidden_size": 16,
            "image_size": 64,
            "patch_size": 8,
            "image_embedding_size": 8,
            "mask_input_channels": 4,
        },
        mask_decoder_config={
            "hidden_size": 16,
            "mlp_dim": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
    )
    torch.manual_seed(0)
    hf.SamModel(config).save_pretrained(folder)
    sides = {"height": 64, "width": 64}
    looks = hf.SamImageProcessor(
        size={"longest_edge": 64},
        pad_size=sides,
        mask_size={"longest_edge": 16},
        mask_pad_size={"height": 16, "width": 16},
    )
    hf.SamProcessor(looks).save_pretrained(folder)
    return str(folder)


@pytest.mark.slow
def test_the_real_segment_anything_loads_and_answers_as_the_adapter_expects(segments):
    noise = Image.raw(SIZE, random.Random(0).randbytes(SIZE.pixels * 3))
    finder = SegmentAnything(segments, side=4, trust=-10.0, batch=5)
    found = finder.find(noise)
    assert 1 <= len(found) <= 4 * 4 * 3
    assert {(one.role, one.source) for one in found} == {("area", "detector")}
    assert all(0 <= one.box.left < one.box.right <= 1 and 0 <= one.box.top < one.box.bottom <= 1 for one in found)
    assert SegmentAnything(segments, side=4, trust=-10.0, batch=16).find(noise) == found, (
        "points are asked in any batches"
    )
    assert SegmentAnything(segments, side=4, trust=10.0).find(noise) == []


class NoText:
    """An OCR engine that finds nothing."""

    name = "none"

    def detect(self, pixels):
        """No places."""
        return []

    def recognise(self, pixels):
        """Never asked."""
        raise AssertionError


@pytest.mark.slow
def test_detact_takes_its_regions_from_it(segments, monkeypatch):
    noise = Image.raw(SIZE, random.Random(0).randbytes(SIZE.pixels * 3))
    source = DetAct(ocr=OcrReader(NoText()), segments=segments)
    place = Element("area", "", Box(0.1, 0.1, 0.3, 0.3), source="detector")
    # What random weights find is larger than a region may be.
    monkeypatch.setattr(source.segmenter, "find", lambda image, texts: [place, Element("area", "", Box(0, 0, 1, 1))])
    assert [(one.role, one.name, one.box) for one in source.read(noise)] == [("color", "grey", place.box)]
