"""Whether this machine multiplies faster in bfloat16 or in float32."""

from __future__ import annotations

import time

import torch

_ROWS, _WIDTH, _ROUNDS = 512, 256, 5


def bfloat16_is_faster(device: torch.device) -> bool:
    """Whether products of matrices, as they are trained with, take less time in bfloat16; measured in milliseconds.

    A processor without instructions for it (x86 before AVX512-BF16 or AMX) emulates it and takes about seven times as
    long as in float32; with them it takes a third.
    """
    return _seconds(torch.bfloat16, device) < _seconds(torch.float32, device)


def _seconds(dtype: torch.dtype, device: torch.device) -> float:
    """The shortest time of some products: others that use the machine only make it longer."""
    left = torch.ones(_ROWS, _WIDTH, dtype=dtype, device=device)
    right = torch.ones(_WIDTH, _WIDTH, dtype=dtype, device=device)
    times = []
    for _ in range(_ROUNDS + 1):  # the first one also chooses the kernel
        began = time.perf_counter()
        float((left @ right)[0, 0])  # waits for the device
        times.append(time.perf_counter() - began)
    return min(times[1:])
