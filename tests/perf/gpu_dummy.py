"""A model of a given shape with random weights, made on the device it runs on, with all that asking it needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.grounders import LocalGrounder
from omnipilot.grounders.local.loading import LoadedModel, choose_device, choose_dtype
from omnipilot.grounders.local.model import LocalModel

Shape: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The settings `text_config` and `vision_config` of a Qwen2-VL."""
SPECIAL = (
    *("<unk>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|image_pad|>", "<|video_pad|>"),
)
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}{% if c['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TOKENS = {
    **{"image": "image_pad", "video": "video_pad", "vision_start": "vision_start", "vision_end": "vision_end"},
    **{"bos": "endoftext", "eos": "im_end"},
}
SEVEN_B: Shape = {
    "text_config": {
        **{"vocab_size": 152_064, "hidden_size": 3584, "intermediate_size": 18_944, "num_hidden_layers": 28},
        **{"num_attention_heads": 28, "num_key_value_heads": 4, "rms_norm_eps": 1e-6, "rope_theta": 1_000_000.0},
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
    },
    "vision_config": {"depth": 32, "embed_dim": 1280, "hidden_size": 3584, "num_heads": 16, "mlp_ratio": 4},
}
"""Qwen2-VL-7B, from the configuration of its checkpoint."""


def dummy_files(folder: Path) -> Path:
    """A tokenizer of whole words and the image processor of Qwen2-VL."""
    words = " ?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+|\\s+"
    split = {"type": "Split", "pattern": {"Regex": words}, "behavior": "Isolated", "invert": False}
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    tokenizer = {
        **{"version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None},
        "added_tokens": [{"id": number, "content": token, **plain} for number, token in enumerate(SPECIAL)],
        "pre_tokenizer": split,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {token: n for n, token in enumerate(SPECIAL)}, "unk_token": "<unk>"},
    }
    settings = {
        **{"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "<unk>", "pad_token": "<|endoftext|>"},
        **{"eos_token": "<|im_end|>", "chat_template": TEMPLATE},
    }
    pictures = {
        **{"image_processor_type": "Qwen2VLImageProcessor", "patch_size": 14, "temporal_patch_size": 2},
        **{"merge_size": 2, "min_pixels": 3136, "max_pixels": 12_845_056},
    }
    files = {"tokenizer.json": tokenizer, "tokenizer_config.json": settings, "preprocessor_config.json": pictures}
    for name, data in files.items():
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    return folder


def dummy_model(shape: Shape, grounder: LocalGrounder, torch: Any, hub: Any) -> LocalModel:
    """A model of random weights, made where it runs, that never ends its turn."""
    folder = grounder.source.model
    device = choose_device(grounder.source.device, torch)
    tokens = {f"{name}_token_id": SPECIAL.index(f"<|{token}|>") for name, token in TOKENS.items()}
    config = hub.Qwen2VLConfig(**{part: dict(values) for part, values in shape.items()}, **tokens)
    with torch.device(device):
        model = hub.AutoModelForImageTextToText.from_config(config, dtype=choose_dtype(grounder.source, device, torch))
    tokenizer = hub.AutoTokenizer.from_pretrained(folder, padding_side="left")
    images = hub.AutoImageProcessor.from_pretrained(folder)
    return LocalModel(grounder.source, LoadedModel(model.eval(), tokenizer, images, True, device, frozenset()))
