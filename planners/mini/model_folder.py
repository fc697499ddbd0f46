"""The folder of a small planner's model: `config.json`, `model.safetensors` and `tokenizer.json`, checked when read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.memory.models import ModelKind, ModelValues
from omnipilot.planners.mini.vocabulary import ACT, END, UNKNOWN, Vocabulary

TOKENIZER = "tokenizer.json"
RECALLED_LINES, SAW_LINES, INTENTS = "recalled_lines", "saw_lines", "intents"
"""Keys of the configuration, which other programs ignore."""
LEAST_TOKENS = 64
"""Tokens that prompt and reply may have together, at least."""
_SIZES = {
    "vocab_size": (1, 10**6),
    "hidden_size": (1, 10**5),
    "intermediate_size": (1, 10**6),
    "num_hidden_layers": (1, 1000),
    "num_attention_heads": (1, 10**4),
    "max_position_embeddings": (LEAST_TOKENS, 10**6),
}
"""Sizes that a configuration states, with the least and the largest that is believed."""
_FIXED: Mapping[str, Any] = {
    "model_type": "llama",
    "hidden_act": "silu",
    "tie_word_embeddings": True,
    "attention_bias": False,
    "mlp_bias": False,
    "rope_scaling": None,
}
"""What a configuration may say of the form of the network; another form would be computed wrongly."""


@dataclass(frozen=True, slots=True)
class MiniConfig:
    """What a configuration says of a network.

    Attributes:
        vocabulary, width, inner, layers, heads, longest: sizes; `longest` is that of prompt and reply, in tokens.
        epsilon: of the norms. theta: base of the rotary positions.
        recalled, saw: lines of what memory recalled, and of what moved, that the model was trained to be told.
        intents: whether it was trained to be told what a task is for.
    """

    vocabulary: int
    width: int
    inner: int
    layers: int
    heads: int
    longest: int
    epsilon: float
    theta: float
    recalled: int
    saw: int = 0
    intents: bool = False

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays of the network, by the names of transformers."""
        square, wide = (self.width, self.width), (self.inner, self.width)
        layer = {
            "input_layernorm": (self.width,),
            "post_attention_layernorm": (self.width,),
            **{f"self_attn.{name}_proj": square for name in "qkvo"},
            "mlp.gate_proj": wide,
            "mlp.up_proj": wide,
            "mlp.down_proj": (self.width, self.inner),
        }
        return {
            "model.embed_tokens.weight": (self.vocabulary, self.width),
            "model.norm.weight": (self.width,),
            **{f"model.layers.{n}.{name}.weight": size for n in range(self.layers) for name, size in layer.items()},
        }


def check_model(folder: Path) -> None:
    """Check that a folder holds a model, as far as can be seen without reading its numbers.

    Raises:
        ConfigError: it does not; the message names the file, and what to do.
    """
    read_vocabulary(folder, MINI.check(folder).vocabulary)


def read_model(folder: Path) -> tuple[MiniConfig, dict[str, Any], Vocabulary]:
    """The configuration, the arrays by the names of transformers, in float32, and the vocabulary.

    Raises:
        ConfigError: as in `check_model`; or numbers in it are infinite or none.
    """
    config, arrays = MINI.read(folder)
    return config, arrays, read_vocabulary(folder, config.vocabulary)


def _config_of(told: ModelValues) -> MiniConfig:
    for name, value in _FIXED.items():
        if told.values.get(name, value) != value:
            raise told.error(f"{name} is {told.values[name]!r:.60}, and this network has {value!r}")
    sizes = {name: told.whole(name, least, most) for name, (least, most) in _SIZES.items()}
    width, heads = sizes["hidden_size"], sizes["num_attention_heads"]
    if told.values.get("num_key_value_heads", heads) != heads:
        raise told.error("num_key_value_heads is not num_attention_heads, as in this network")
    if width % (2 * heads) or told.values.get("head_dim", width // heads) != width // heads:
        raise told.error(f"a width of {width} cannot be divided among {heads} heads in pairs")
    rope = told.values.get("rope_parameters") or {}
    theta = rope.get("rope_theta", 10_000.0) if isinstance(rope, dict) else None
    intents = told.values.get(INTENTS, False)
    if type(intents) is not bool:
        raise told.error(f"{INTENTS} must be true or false, not {intents!r:.60}")
    return MiniConfig(
        sizes["vocab_size"],
        width,
        sizes["intermediate_size"],
        sizes["num_hidden_layers"],
        heads,
        sizes["max_position_embeddings"],
        told.number("rms_norm_eps", 1e-12, 1.0),
        told.number("rope_theta", 1.0, 1e12, theta),
        told.whole(RECALLED_LINES, 0, 10**6, 0),
        told.whole(SAW_LINES, 0, 10**6, 0),
        intents,
    )


def read_vocabulary(folder: Path, size: int | None = None) -> Vocabulary:
    """The vocabulary in a folder.

    Args:
        size: how many tokens the network knows; None to take them as they are.

    Raises:
        ConfigError: it is missing or broken, or has another size.
    """
    told = MINI.values(folder, TOKENIZER)
    model = told.values.get("model")
    words = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(words, dict):
        raise told.error("it has no object model.vocab")
    numbers = list(words.values())
    if not all(type(number) is int for number in numbers) or sorted(numbers) != list(range(len(numbers))):
        raise told.error(f"the tokens of model.vocab are not numbered from 0 to {len(numbers) - 1}")
    if lacking := [token for token in (UNKNOWN, END, ACT) if token not in words]:
        raise told.error(f"model.vocab lacks {', '.join(lacking)}")
    if size is not None and len(words) != size:
        raise told.error(f"model.vocab has {len(words)} tokens, but {MINI.config} a vocab_size of {size}")
    return Vocabulary(sorted(words, key=lambda word: words[word]))


MINI = ModelKind(
    "mini",
    "omnipilot train planner",
    Path(__file__).parent / "weights",
    _config_of,
    (TOKENIZER,),
    {"pool": Path(__file__).parent / "pool_weights"},
)
read_config = MINI.read_form
"""The configuration in a folder."""
