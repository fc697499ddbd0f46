"""The folder of the small ears: `config.json`, `model.safetensors` and `lexicon.txt`, checked when read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_file, read_text
from omnipilot.memory.mini.alphabet import OUTPUTS, SIGNS
from omnipilot.memory.mini.mel import BANDS
from omnipilot.memory.models import read_safetensors, safetensors_shapes

CONFIG, WEIGHTS, LEXICON = "config.json", "model.safetensors", "lexicon.txt"
CURE = "train a model anew with `omnipilot train ears`, or name another folder"
STRIDE, STACKED, PER_FRAME = 4, 8, 2
"""Frames of 10 ms that are taken together, of those that the network sees at once, and the outputs for them."""
_SIZES = {"width": 4096, "inner": 16_384, "layers": 100, "kernel": 99}
"""Sizes that a configuration states, and the largest that is believed."""
MODEL = "omnipilot-ears"


@dataclass(frozen=True, slots=True)
class EarsConfig:
    """The form of a network.

    Attributes:
        width: of what is passed from block to block. inner: of what a block mixes. layers: blocks.
        kernel: frames of 40 ms that a block weighs, an odd number. epsilon: of the norms.
        penalty: of a word that the lexicon lacks, in natural logarithms, see `decoding.read_scores`.
    """

    width: int
    inner: int
    layers: int
    kernel: int
    epsilon: float = 1e-5
    penalty: float = 0.0

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays of the network, by name."""
        block = {
            "taps": (self.kernel * self.width,),
            "up.weight": (self.inner, self.width),
            "up.bias": (self.inner,),
            "down.weight": (self.width, self.inner),
        }
        return {
            "stem.weight": (self.width, STACKED * BANDS),
            "stem.bias": (self.width,),
            "head.weight": (PER_FRAME * OUTPUTS, self.width),
            "head.bias": (PER_FRAME * OUTPUTS,),
            **{f"blocks.{n}.{name}": size for n in range(self.layers) for name, size in block.items()},
        }

    def to_json(self) -> dict[str, Any]:
        """As it is written to `config.json`."""
        sizes = {name: getattr(self, name) for name in _SIZES}
        return {"model_type": MODEL, "signs": SIGNS, **sizes, "epsilon": self.epsilon, "penalty": self.penalty}


def check_ears(folder: Path) -> EarsConfig:
    """Check that a folder holds a model, as far as can be seen without reading its numbers; its configuration.

    Raises:
        ConfigError: it does not; the message names the file, and what to do.
    """
    for name in (CONFIG, WEIGHTS, LEXICON):
        try:
            check_file(folder / name)
        except OSError as error:
            raise _damaged(folder / name, f"no ears can be read here: {error.strerror}") from None
    config = _read_config(folder / CONFIG)
    _check_shapes(folder / WEIGHTS, config, safetensors_shapes(folder / WEIGHTS))
    return config


def read_ears(folder: Path) -> tuple[EarsConfig, dict[str, Any]]:
    """The configuration, and the arrays in float32 by name.

    Raises:
        ConfigError: as in `check_ears`; or numbers in it are infinite or none.
    """
    config = check_ears(folder)
    arrays = read_safetensors(folder / WEIGHTS)
    _check_shapes(folder / WEIGHTS, config, {name: array.shape for name, array in arrays.items()})
    return config, arrays


def read_lexicon(folder: Path) -> frozenset[str]:
    """The words that are preferred where the sound leaves it open.

    Raises:
        ConfigError: the file is missing or no text.
    """
    path = folder / LEXICON
    try:
        return frozenset(read_text(path, 10_000_000).split())
    except OSError as error:
        raise _damaged(path, str(error.strerror)) from None
    except ValueError as error:
        raise _damaged(path, f"it is no text ({error})") from None


def _read_config(path: Path) -> EarsConfig:
    try:
        told = parse_json(read_text(path, 1_000_000))
    except OSError as error:
        raise _damaged(path, str(error.strerror)) from None
    except ValueError as error:
        raise _damaged(path, f"it is no JSON ({error})") from None
    if not isinstance(told, dict):
        raise _damaged(path, "it is no JSON object")
    if told.get("model_type") != MODEL or told.get("signs") != SIGNS:
        raise _damaged(path, f"it is not of a model {MODEL} that writes the signs {SIGNS!r}")
    for name, most in _SIZES.items():
        value = told.get(name)
        if type(value) is not int or not 1 <= value <= most:
            raise _damaged(path, f"{name} must be a whole number of 1 to {most:,}, not {value!r:.60}")
    if told["kernel"] % 2 == 0:
        raise _damaged(path, f"kernel must be odd, not {told['kernel']}")
    numbers: dict[str, float] = {}
    for name, least, highest in (("epsilon", 1e-12, 1.0), ("penalty", 0.0, 100.0)):
        value = told.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= highest:
            raise _damaged(path, f"{name} must be a number of {least:g} to {highest:g}, not {value!r:.60}")
        numbers[name] = float(value)
    sizes: dict[str, Any] = {name: told[name] for name in _SIZES}
    return EarsConfig(**sizes, epsilon=numbers["epsilon"], penalty=numbers["penalty"])


def _check_shapes(path: Path, config: EarsConfig, found: dict[str, tuple[int, ...]]) -> None:
    wanted = config.shapes()
    if lacking := [name for name in wanted if name not in found]:
        raise _damaged(path, f"it lacks {lacking[0]}")
    if strangers := [name for name in found if name not in wanted]:
        raise _damaged(path, f"{strangers[0]} is not of this network")
    for name, shape in wanted.items():
        if tuple(found[name]) != shape:
            raise _damaged(path, f"{name} has the shape {tuple(found[name])}, and {CONFIG} asks for {shape}")


def _damaged(path: Path, why: str) -> ConfigError:
    return ConfigError(f"{path}: {why}; {CURE}")
