"""The folder of the small ears: `config.json`, `model.safetensors` and `lexicon.txt`, checked when read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.memory.mini.alphabet import OUTPUTS, SIGNS
from omnipilot.memory.mini.mel import BANDS
from omnipilot.memory.models import ModelKind, ModelValues

LEXICON = "lexicon.txt"
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


def read_lexicon(folder: Path) -> frozenset[str]:
    """The words that are preferred where the sound leaves it open.

    Raises:
        ConfigError: the file is missing or no text.
    """
    return frozenset(MINI_EARS.read_file(folder / LEXICON, str.split, "text"))


def _config_of(told: ModelValues) -> EarsConfig:
    if (told.values.get("model_type"), told.values.get("signs")) != (MODEL, SIGNS):
        raise told.error(f"it is not of a model {MODEL} that writes the signs {SIGNS!r}")
    sizes: dict[str, Any] = {name: told.whole(name, 1, most) for name, most in _SIZES.items()}
    if sizes["kernel"] % 2 == 0:
        raise told.error(f"kernel must be odd, not {sizes['kernel']}")
    epsilon, penalty = told.number("epsilon", 1e-12, 1.0), told.number("penalty", 0.0, 100.0)
    return EarsConfig(**sizes, epsilon=epsilon, penalty=penalty)


MINI_EARS = ModelKind("mini-ears", "omnipilot train ears", Path(__file__).parent / "weights", _config_of, (LEXICON,))
