"""The network of the small ears in numpy: blocks of convolutions over mel features, read from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.memory.mini.alphabet import OUTPUTS
from omnipilot.memory.mini.model_folder import MINI_EARS, PER_FRAME, STACKED, STRIDE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]


class EarsNetwork:
    """Tells how likely each sign is, fifty times a second; threads may share it.

    Frames of 10 ms are taken together by fours. Each block weighs what is around a frame, band by band of its width,
    and then mixes the bands (a depthwise separable convolution, as in QuartzNet, Kriman et al. 2020, in the order of
    ConvNeXt, Liu et al. 2022).

    Args:
        folder: of the model.

    Raises:
        ConfigError: a file of it is missing or broken; the message names it.
    """

    def __init__(self, folder: Path = MINI_EARS.shipped) -> None:
        from threadpoolctl import ThreadpoolController

        self.config, self._weights = MINI_EARS.read(folder)
        self._folder = folder
        self._threads = ThreadpoolController()

    def scores(self, features: Array) -> Array:
        """Logarithms of the probability of each sign, shape (outputs, 66), two outputs for every four frames.

        Args:
            features: of `mel_features`, shape (frames, 40).

        Raises:
            ConfigError: the weights are so large that there are none.
        """
        import numpy as np

        # The matrices are small: with more threads than one, most of the time would go into their waiting.
        with self._threads.limit(limits=1, user_api="blas"), np.errstate(over="ignore", invalid="ignore"):
            found = self._forward(features)
        if not np.isfinite(found).all():
            raise MINI_EARS.error(self._folder, "its weights are so large that nothing can be heard")
        return found

    def _forward(self, features: Array) -> Array:
        import numpy as np

        weights, config = self._weights, self.config
        x = stack_frames(features) @ weights["stem.weight"].T + weights["stem.bias"]
        for number in range(config.layers):
            name = f"blocks.{number}"
            around = _around(_normed(x, config.epsilon), weights[f"{name}.taps"].reshape(config.kernel, -1))
            wide = np.maximum(around @ weights[f"{name}.up.weight"].T + weights[f"{name}.up.bias"], 0)
            x = x + wide @ weights[f"{name}.down.weight"].T
        x = _normed(x, config.epsilon) @ weights["head.weight"].T + weights["head.bias"]
        x = x.reshape(len(x) * PER_FRAME, OUTPUTS)
        x = x - x.max(-1, keepdims=True)
        return np.asarray(x - np.log(np.exp(x).sum(-1, keepdims=True)), np.float32)


def stack_frames(features: Array) -> Array:
    """Every fourth frame with those around it, eight in all, side by side; shape (frames / 4, 320).

    What is missing at the ends is as low as features are.
    """
    import numpy as np

    count = -(-len(features) // STRIDE)
    beside = (STACKED - STRIDE) // 2
    padded = np.full((count * STRIDE + STACKED - STRIDE, features.shape[1]), LOWEST, np.float32)
    padded[beside : beside + len(features)] = features
    cut = np.lib.stride_tricks.sliding_window_view(padded, STACKED, axis=0)[::STRIDE]
    return np.ascontiguousarray(cut.transpose(0, 2, 1)).reshape(count, -1)


LOWEST = -5 / 3
"""The lowest feature."""


def _around(x: Array, taps: Array) -> Array:
    """Each column's weighed sum over a frame and those around it; beyond the ends there is nothing."""
    import numpy as np

    half = len(taps) // 2
    padded = np.pad(x, ((half, half), (0, 0)))
    found = padded[: len(x)] * taps[0]
    for number in range(1, len(taps)):
        found += padded[number : number + len(x)] * taps[number]
    return np.asarray(found, np.float32)


def _normed(x: Array, epsilon: float) -> Array:
    """Each row over its root mean square (Zhang and Sennrich 2019)."""
    import numpy as np

    return np.asarray(x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(epsilon)), np.float32)
