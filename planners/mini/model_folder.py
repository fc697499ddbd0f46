"""The folder of a small planner's model: `config.json`, `model.safetensors` and `tokenizer.json`, checked when read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_file, read_text
from omnipilot.memory.models import read_safetensors, safetensors_shapes
from omnipilot.planners.mini.vocabulary import ACT, END, UNKNOWN, Vocabulary

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
RECALLED_LINES, SAW_LINES, INTENTS = "recalled_lines", "saw_lines", "intents"
"""Keys of the configuration, which other programs ignore."""
CURE = "train a model anew with `omnipilot train planner`, or name another folder"
LEAST_TOKENS = 64
"""Tokens that prompt and reply may have together, at least."""
_SIZES = {
    "vocab_size": 10**6,
    "hidden_size": 10**5,
    "intermediate_size": 10**6,
    "num_hidden_layers": 1000,
    "num_attention_heads": 10**4,
    "max_position_embeddings": 10**6,
}
"""Sizes that a configuration states, and the largest that is believed."""
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
    for name in (CONFIG, WEIGHTS, TOKENIZER):
        try:
            check_file(folder / name)
        except OSError as error:
            raise _damaged(folder / name, f"no model can be read here: {error.strerror}") from None
    config = read_config(folder)
    read_vocabulary(folder, config.vocabulary)
    _check_shapes(folder, config, safetensors_shapes(folder / WEIGHTS))


def read_model(folder: Path) -> tuple[MiniConfig, dict[str, Any], Vocabulary]:
    """The configuration, the arrays by the names of transformers, in float32, and the vocabulary.

    Raises:
        ConfigError: as in `check_model`; or numbers in it are infinite or none.
    """
    check_model(folder)
    config = read_config(folder)
    arrays = read_safetensors(folder / WEIGHTS)
    _check_shapes(folder, config, {name: array.shape for name, array in arrays.items()})
    return config, arrays, read_vocabulary(folder, config.vocabulary)


def read_config(folder: Path) -> MiniConfig:
    """The configuration in a folder.

    Raises:
        ConfigError: it is missing, broken, or that of another network.
    """
    path = folder / CONFIG
    told = _read_object(path)
    sizes = {}
    for name, most in _SIZES.items():
        value = told.get(name)
        if type(value) is not int or not 1 <= value <= most:
            raise _damaged(path, f"{name} must be a whole number of 1 to {most:,}, not {value!r:.60}")
        sizes[name] = value
    if sizes["max_position_embeddings"] < LEAST_TOKENS:
        raise _damaged(path, f"max_position_embeddings must be at least {LEAST_TOKENS}, for prompt and reply")
    for name, value in _FIXED.items():
        if told.get(name, value) != value:
            raise _damaged(path, f"{name} is {told[name]!r:.60}, and this network has {value!r}")
    width, heads = sizes["hidden_size"], sizes["num_attention_heads"]
    if told.get("num_key_value_heads", heads) != heads:
        raise _damaged(path, "num_key_value_heads is not num_attention_heads, as in this network")
    if width % (2 * heads) or told.get("head_dim", width // heads) != width // heads:
        raise _damaged(path, f"a width of {width} cannot be divided among {heads} heads in pairs")
    rope = told.get("rope_parameters") or told
    theta = rope.get("rope_theta", 10_000.0) if isinstance(rope, dict) else None
    lines = {name: told.get(name, 0) for name in (RECALLED_LINES, SAW_LINES)}
    for name, value in lines.items():
        if type(value) is not int or not 0 <= value <= 10**6:
            raise _damaged(path, f"{name} must be a whole number, not {value!r:.60}")
    intents = told.get(INTENTS, False)
    if type(intents) is not bool:
        raise _damaged(path, f"{INTENTS} must be true or false, not {intents!r:.60}")
    return MiniConfig(
        sizes["vocab_size"],
        width,
        sizes["intermediate_size"],
        sizes["num_hidden_layers"],
        heads,
        sizes["max_position_embeddings"],
        _positive(path, "rms_norm_eps", told.get("rms_norm_eps"), 1.0),
        _positive(path, "rope_theta", theta, 1e12),
        lines[RECALLED_LINES],
        lines[SAW_LINES],
        intents,
    )


def read_vocabulary(folder: Path, size: int | None = None) -> Vocabulary:
    """The vocabulary in a folder.

    Args:
        size: how many tokens the network knows; None to take them as they are.

    Raises:
        ConfigError: it is missing or broken, or has another size.
    """
    path = folder / TOKENIZER
    model = _read_object(path).get("model")
    words = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(words, dict):
        raise _damaged(path, "it has no object model.vocab")
    numbers = list(words.values())
    if not all(type(number) is int for number in numbers) or sorted(numbers) != list(range(len(numbers))):
        raise _damaged(path, f"the tokens of model.vocab are not numbered from 0 to {len(numbers) - 1}")
    if lacking := [token for token in (UNKNOWN, END, ACT) if token not in words]:
        raise _damaged(path, f"model.vocab lacks {', '.join(lacking)}")
    if size is not None and len(words) != size:
        raise _damaged(path, f"model.vocab has {len(words)} tokens, but {CONFIG} a vocab_size of {size}")
    return Vocabulary(sorted(words, key=lambda word: words[word]))


def _damaged(path: Path, why: str) -> ConfigError:
    return ConfigError(f"{path}: {why}; {CURE}")


def _read_object(path: Path) -> dict[str, Any]:
    try:
        told = parse_json(read_text(path, 100_000_000))
    except OSError as error:
        raise _damaged(path, str(error.strerror)) from None
    except ValueError as error:
        raise _damaged(path, f"it is no JSON ({error})") from None
    if not isinstance(told, dict):
        raise _damaged(path, "it is no JSON object")
    return told


def _positive(path: Path, name: str, value: Any, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        raise _damaged(path, f"{name} must be a number above 0, not {value!r:.60}")
    return float(value)


def _check_shapes(folder: Path, config: MiniConfig, found: Mapping[str, tuple[int, ...]]) -> None:
    """Compare the arrays of a file with those that the configuration asks for."""
    path, wanted = folder / WEIGHTS, config.shapes()
    if lacking := [name for name in wanted if name not in found]:
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise _damaged(path, f"{lacking[0]}{more} of the network in {CONFIG} is missing")
    for name, shape in found.items():
        if name not in wanted:
            raise _damaged(path, f"{name} is in no network of {CONFIG}")
        if shape != wanted[name]:
            raise _damaged(path, f"{name} has the shape {list(shape)}, and {CONFIG} asks for {list(wanted[name])}")
