"""A Qwen2.5-VL of two layers without weights: the folder that `vllm serve DIR --load-format dummy` needs.

Its tokenizer has one token a byte, so a prompt of n ASCII characters and an image of m merged patches is about n + m
tokens. Head sizes are 64, which the attention kernels for the CPU have.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>"),
    *("<|box_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
)
ID = {token: 256 + number for number, token in enumerate(SPECIAL)}
VOCABULARY = 320

TEMPLATE = """{% for message in messages %}<|im_start|>{{ message['role'] }}
{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}\
{% if part['type'] == 'image' or 'image' in part or 'image_url' in part %}<|vision_start|><|image_pad|><|vision_end|>\
{% elif part['type'] == 'video' or 'video' in part %}<|vision_start|><|video_pad|><|vision_end|>\
{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def write(folder: Path, min_pixels: int = 3136, max_pixels: int = 12_845_056) -> Path:
    """Write the folder; the image processor's budget is its family's default unless said otherwise."""
    folder.mkdir(parents=True, exist_ok=True)
    size = {"shortest_edge": min_pixels, "longest_edge": max_pixels}
    picture = {
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": "Qwen2_5_VLProcessor",
        "min_pixels": min_pixels,
        "max_pixels": max_pixels,
        "size": size,
        "patch_size": 14,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": [0.48145466, 0.4578275, 0.40821073],
        "image_std": [0.26862954, 0.26130258, 0.27577711],
    }
    files = {
        "config.json": config(),
        "tokenizer.json": tokenizer(),
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "eos_token": "<|im_end|>",
            "pad_token": "<|endoftext|>",
            "additional_special_tokens": list(SPECIAL),
            "model_max_length": 32768,
            "chat_template": TEMPLATE,
        },
        "preprocessor_config.json": picture,
        "generation_config.json": {"eos_token_id": ID["<|im_end|>"], "pad_token_id": ID["<|endoftext|>"]},
    }
    for name, data in files.items():
        (folder / name).write_text(json.dumps(data, indent=1))
    return folder


def config() -> dict[str, Any]:
    """Two layers of hidden size 256, two vision blocks."""
    text = {
        "model_type": "qwen2_5_vl_text",
        "vocab_size": VOCABULARY,
        "hidden_size": 256,
        "intermediate_size": 512,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "max_position_embeddings": 32768,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1_000_000.0,
        "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]},
        "tie_word_embeddings": False,
        "use_sliding_window": False,
    }
    vision = {
        "model_type": "qwen2_5_vl",
        "depth": 2,
        "hidden_size": 128,
        "num_heads": 2,
        "intermediate_size": 256,
        "out_hidden_size": 256,
        "patch_size": 14,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "window_size": 112,
        "fullatt_block_indexes": [1],
    }
    tokens = {
        "image_token_id": ID["<|image_pad|>"],
        "video_token_id": ID["<|video_pad|>"],
        "vision_start_token_id": ID["<|vision_start|>"],
        "vision_end_token_id": ID["<|vision_end|>"],
        "vision_token_id": ID["<|vision_pad|>"],
        "bos_token_id": ID["<|endoftext|>"],
        "eos_token_id": ID["<|im_end|>"],
    }
    return {
        "architectures": ["Qwen2_5_VLForConditionalGeneration"],
        "model_type": "qwen2_5_vl",
        "torch_dtype": "bfloat16",
        "text_config": text,
        "vision_config": vision,
        **{key: value for key, value in text.items() if key != "model_type"},
        **tokens,
    }


def tokenizer() -> dict[str, Any]:
    """Bytes and special tokens, without merges, in the format of the `tokenizers` library."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    special = [
        {
            "id": number,
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for token, number in ID.items()
    ]
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {**byte_letters(), **ID},
        "merges": [],
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": None,
        "decoder": level,
        "model": model,
    }


def byte_letters() -> dict[str, int]:
    """The letter by which byte-level BPE writes each byte, as GPT-2 introduced it."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    letters = {chr(byte): byte for byte in shown}
    hidden = [byte for byte in range(256) if byte not in shown]
    letters.update({chr(256 + number): byte for number, byte in enumerate(hidden)})
    return letters


if __name__ == "__main__":
    write(Path(sys.argv[1]))
