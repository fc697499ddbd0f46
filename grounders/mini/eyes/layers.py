"""The few layers of the small eyes' networks in numpy: arrays of shape (height, width, channels), float32."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def convolve(
    x: Array, weight: Array, bias: Array, kernel: int, stride: tuple[int, int] = (1, 1), dilation: int = 1
) -> Array:
    """A convolution, padded with zeros to the same size.

    Args:
        x: (height, width, channels). weight: (out, kernel * kernel * channels), channels innermost.

    Returns:
        (height / stride, width / stride, out), rounded up.
    """
    height, width, channels = x.shape
    taps = weight.reshape(len(weight), kernel, kernel, channels)
    reach = dilation * (kernel // 2)
    padded = np.pad(x, ((reach, reach), (reach, reach), (0, 0))) if reach else x
    rows, columns = -(-height // stride[0]), -(-width // stride[1])
    found = np.empty((rows, columns, len(weight)), np.float32)
    found[:] = bias
    for down in range(kernel):
        for across in range(kernel):
            top, left = down * dilation, across * dilation
            part = padded[top : top + height : stride[0], left : left + width : stride[1]]
            found += np.matmul(part, taps[:, down, across].T)
    return found


def relu(x: Array) -> Array:
    """What is above 0."""
    return np.maximum(x, 0)


def double(x: Array, height: int, width: int) -> Array:
    """Each place four times, cut to a size."""
    return x.repeat(2, axis=0).repeat(2, axis=1)[:height, :width]


def blocks(x: Array, down: int, across: int) -> Array:
    """Blocks of pixels as channels; padded with zeros to whole blocks.

    Returns:
        (height / down, width / across, down * across * channels), rounded up.
    """
    height, width, channels = x.shape
    rows, columns = -(-height // down), -(-width // across)
    whole = np.zeros((rows * down, columns * across, channels), np.float32)
    whole[:height, :width] = x
    parts = whole.reshape(rows, down, columns, across, channels).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(parts).reshape(rows, columns, down * across * channels)
