"""Writes a small planner as a folder that its own runtime, `transformers` and vLLM read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnipilot.memory.models import ModelKind
from omnipilot.planners.mini.model_folder import INTENTS, MINI, RECALLED_LINES, SAW_LINES, read_model
from omnipilot.planners.mini.vocabulary import ACT, CONTINUES, END, LONGEST_WORD, PAD, UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from torch import Tensor

    from omnipilot.bench.training.network import Shape

_SHAPE = ("vocabulary", "width", "layers", "heads", "inner", "theta", "epsilon", "longest")
"""Sizes of a network, which a configuration has under the same names."""
_JOINED = {
    "qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "gate_up": ("mlp.gate_proj", "mlp.up_proj"),
    "o_proj": ("self_attn.o_proj",),
    "down_proj": ("mlp.down_proj",),
    "input_layernorm": ("input_layernorm",),
    "post_attention_layernorm": ("post_attention_layernorm",),
}
"""Matrices of a layer, and those of transformers that they join."""
TRAINED_ON = "trained_on"
"""Key of the configuration: what the model was trained on."""
CHAT_TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}" + ACT


def export_model(
    folder: Path,
    shape: Shape,
    weights: dict[str, Tensor],
    vocabulary: Vocabulary,
    *,
    recalled: int = 0,
    saw: int = 0,
    intents: bool = False,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write configuration, weights in float16, tokenizer and chat template.

    Args:
        weights: in float32, by the names of `omnipilot.bench.training.network.DecoderNetwork`.
        recalled, saw: lines of what memory recalled, and of what moved, that it was trained to be told.
        intents: whether it was trained to be told what a task is for. about: what else the configuration says of the
            training.
    """
    folder.mkdir(parents=True, exist_ok=True)
    named: dict[str, Any] = {}
    for name, weight in weights.items():
        if name.startswith("blocks."):
            _, number, rest = name.split(".", 2)
            for part, value in _llama_parts(rest, weight):
                named[f"model.layers.{number}.{part}"] = value
        else:
            named[f"model.{name}"] = weight
    write_weights(folder, named)
    told: dict[str, Any] = {name: lines for name, lines in ((RECALLED_LINES, recalled), (SAW_LINES, saw)) if lines}
    told |= {INTENTS: True} if intents else {}
    told |= {TRAINED_ON: dict(about)} if about else {}
    write_json(folder / ModelKind.config, {**config_of(shape, vocabulary), **told})
    write_json(folder / "generation_config.json", {"eos_token_id": vocabulary.end, "do_sample": False})
    write_json(folder / "tokenizer.json", tokenizer_of(vocabulary))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "chat_template": CHAT_TEMPLATE,
            "eos_token": END,
            "pad_token": PAD,
            "unk_token": UNKNOWN,
            "model_max_length": shape.longest,
            "clean_up_tokenization_spaces": False,
        },
    )


def trained_on(folder: Path) -> dict[str, Any]:
    """What the configuration of a model says of its training; nothing where it says nothing.

    Raises:
        ConfigError: the configuration cannot be read.
    """
    told = MINI.values(folder).values.get(TRAINED_ON)
    return told if isinstance(told, dict) else {}


def load_model(folder: Path) -> tuple[Shape, dict[str, Tensor], Vocabulary]:
    """What `export_model` has written: the shape, the weights in float32 by the names of the network, the vocabulary.

    Raises:
        ConfigError: there is no such model, or a broken one; the message names the file.
    """
    config, arrays, vocabulary = read_model(folder)
    import torch

    from omnipilot.bench.training.network import Shape

    sizes: dict[str, Any] = {name: getattr(config, name) for name in _SHAPE}
    stored = {name.removeprefix("model."): torch.from_numpy(array) for name, array in arrays.items()}
    weights = {name: value for name, value in stored.items() if not name.startswith("layers.")}
    for number in range(sizes["layers"]):
        for ours, theirs in _JOINED.items():
            parts = [stored[f"layers.{number}.{part}.weight"] for part in theirs]
            weights[f"blocks.{number}.{ours}.weight"] = torch.cat(parts) if len(parts) > 1 else parts[0]
    return Shape(**sizes), weights, vocabulary


def _llama_parts(name: str, weight: Tensor) -> list[tuple[str, Tensor]]:
    if name == "qkv.weight":
        return list(zip([f"self_attn.{letter}_proj.weight" for letter in "qkv"], weight.chunk(3), strict=True))
    if name == "gate_up.weight":
        return list(zip(["mlp.gate_proj.weight", "mlp.up_proj.weight"], weight.chunk(2), strict=True))
    return [
        (
            {"o_proj.weight": "self_attn.o_proj.weight", "down_proj.weight": "mlp.down_proj.weight"}.get(name, name),
            weight,
        )
    ]


def config_of(shape: Shape, vocabulary: Vocabulary) -> dict[str, Any]:
    """The configuration of a Llama model of this shape."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "torch_dtype": "float16",
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.heads,
        "vocab_size": shape.vocabulary,
        "head_dim": shape.width // shape.heads,
        "max_position_embeddings": shape.longest,
        "hidden_act": "silu",
        "rms_norm_eps": shape.epsilon,
        "rope_theta": shape.theta,
        "tie_word_embeddings": True,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": None,
        "eos_token_id": vocabulary.end,
        "pad_token_id": 0,
    }


def tokenizer_of(
    vocabulary: Vocabulary,
    special: Sequence[str] = (PAD, UNKNOWN, END),
    normalizer: dict[str, Any] | None = None,
    pre_tokenizer: str = "WhitespaceSplit",
) -> dict[str, Any]:
    """The vocabulary as the tokenizers library reads it: words, split greedily.

    Args:
        special: tokens that are found anywhere in a text.
        normalizer: what becomes of a text first. pre_tokenizer: how it is cut into words.
    """
    added = [
        {
            "id": vocabulary.tokens.index(token),
            "content": token,
            "special": True,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
        }
        for token in special
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": normalizer,
        "pre_tokenizer": {"type": pre_tokenizer},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": CONTINUES, "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": UNKNOWN,
            "continuing_subword_prefix": CONTINUES,
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": {token: number for number, token in enumerate(vocabulary.tokens)},
        },
    }


def write_weights(folder: Path, weights: Mapping[str, Tensor]) -> None:
    """Write weights in float16 into a model's folder, by the names of transformers."""
    import torch
    from safetensors.torch import save_file

    path = folder / ModelKind.weights
    save_file({name: value.to(torch.float16).contiguous() for name, value in weights.items()}, path, {"format": "pt"})
    path.chmod(0o644)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write one of a model's files, in a line."""
    path.write_text(
        json.dumps(content, ensure_ascii=False, indent=None, separators=(",", ":")) + "\n", encoding="utf-8"
    )
