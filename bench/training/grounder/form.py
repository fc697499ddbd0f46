"""The form of the small grounder: a Qwen2.5-VL that transformers and vLLM read as it is, with a vocabulary of its own.

It answers in hundredths of the sides, written as thousandths: each number is one token, so that a point is two choices
among a hundred.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from omnipilot.bench.training.export import tokenizer_of, write_json
from omnipilot.planners.mini.vocabulary import ACT, END, PAD, UNKNOWN, Vocabulary

IMAGE, VIDEO, BEGIN, FINISH = "<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"
"""The names that the processors of Qwen2.5-VL know."""
SPECIAL = (PAD, UNKNOWN, END, ACT, IMAGE, VIDEO, BEGIN, FINISH)
STEPS = 100
"""Steps into which a side is divided."""
NUMBERS = tuple(str(step * 1000 // STEPS) for step in range(STEPS + 1))
FIXED = (*SPECIAL, *NUMBERS, "(", ",", ")")
FIRST_NUMBER = FIXED.index(NUMBERS[0])
TOKENS = 1536
LONGEST = 4096
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}{% if part['type'] == 'image' or 'image' in part or 'image_url' in part %}"
    f"{BEGIN}{IMAGE}{FINISH}"
    "{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}{% endfor %}" + ACT
)


def split_words(text: str) -> str:
    """A text as its tokenizer cuts it: lower-case words and punctuation, with a space between any two."""
    return " ".join(re.findall(r"\w+|[^\w\s]", text.lower()))


def config_of(vocabulary: Vocabulary, width: int = 192, layers: int = 4, depth: int = 3) -> dict[str, Any]:
    """The configuration of a Qwen2.5-VL; heads are 64 wide, because vLLM has no kernels for narrower ones everywhere.

    Args:
        width: of the residual stream. layers: of the decoder. depth: blocks that see the picture.
    """
    known = {token: number for number, token in enumerate(vocabulary.tokens)}
    text = {
        "bos_token_id": None,
        "eos_token_id": vocabulary.end,
        "pad_token_id": known[PAD],
        "model_type": "qwen2_5_vl_text",
        "vocab_size": len(vocabulary),
        "hidden_size": width,
        "intermediate_size": width * 8 // 3,
        "num_hidden_layers": layers,
        "num_attention_heads": width // 64,
        "num_key_value_heads": width // 64,
        "max_position_embeddings": LONGEST,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10_000.0,
        "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]},
        "tie_word_embeddings": True,
        "use_sliding_window": False,
        "hidden_act": "silu",
    }
    vision = {
        "model_type": "qwen2_5_vl",
        "depth": depth,
        "hidden_size": 128,
        "num_heads": 2,
        "intermediate_size": 256,
        "out_hidden_size": width,
        "patch_size": 14,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "window_size": 112,
        "fullatt_block_indexes": [depth - 1],
    }
    return {
        "architectures": ["Qwen2_5_VLForConditionalGeneration"],
        "model_type": "qwen2_5_vl",
        "torch_dtype": "float16",
        "text_config": text,
        "vision_config": vision,
        **{key: value for key, value in text.items() if key != "model_type"},
        "image_token_id": known[IMAGE],
        "video_token_id": known[VIDEO],
        "vision_start_token_id": known[BEGIN],
        "vision_end_token_id": known[FINISH],
    }


def write_form(folder: Path, vocabulary: Vocabulary, pixels: tuple[int, int]) -> None:
    """Write all of a model's folder but its weights.

    Args:
        pixels: the least and the most of a picture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    least, most = pixels
    write_json(folder / "config.json", config_of(vocabulary))
    write_json(folder / "generation_config.json", {"eos_token_id": vocabulary.end, "do_sample": False})
    lower = {"type": "BertNormalizer", "clean_text": True, "lowercase": True}
    normalizer = {**lower, "handle_chinese_chars": False, "strip_accents": False}
    write_json(folder / "tokenizer.json", tokenizer_of(vocabulary, SPECIAL, normalizer, "BertPreTokenizer"))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "chat_template": CHAT_TEMPLATE,
            "eos_token": END,
            "pad_token": PAD,
            "unk_token": UNKNOWN,
            "model_max_length": LONGEST,
            "additional_special_tokens": [ACT, IMAGE, VIDEO, BEGIN, FINISH],
            "clean_up_tokenization_spaces": False,
        },
    )
    write_json(
        folder / "preprocessor_config.json",
        {
            "image_processor_type": "Qwen2VLImageProcessor",
            "processor_class": "Qwen2_5_VLProcessor",
            "min_pixels": least,
            "max_pixels": most,
            "size": {"shortest_edge": least, "longest_edge": most},
            "patch_size": 14,
            "temporal_patch_size": 2,
            "merge_size": 2,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
        },
    )
