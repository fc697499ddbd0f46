"""A picture as the rows of patches that the vision towers of the Qwen-VL models read, made on the model's device."""

from __future__ import annotations

from typing import Any

from omnipilot.envs import Image
from omnipilot.envs.types import require
from omnipilot.grounders.local.loading import EXTRA


def patches(image: Image, processor: Any, device: str) -> tuple[Any, list[int]]:
    """What the model's image processor makes of a picture whose sides are whole patches, resizing apart.

    The pixels travel as bytes and become numbers on the device, where the processor of transformers works on the
    host and sends four times as much.

    Args:
        processor: of transformers; its sizes and means are read.

    Returns:
        float32 of shape (patches, channels x frames x side x side), a picture counting as `temporal_patch_size` equal
        frames, the patches that are merged next to each other; and (frames, rows, columns) of the patches.

    Source: `patchify` of Qwen2VLImageProcessor in transformers.
    """
    torch: Any = require("torch", EXTRA)
    side, merge, frames = processor.patch_size, processor.merge_size, processor.temporal_patch_size
    mean, deviation = (
        torch.tensor(values, device=device)[:, None, None] / processor.rescale_factor
        for values in (processor.image_mean, processor.image_std)
    )
    pixels = torch.from_numpy(image.array().copy()).to(device).permute(2, 0, 1)
    numbers = (pixels - mean) / deviation
    rows, columns = image.size.height // side, image.size.width // side
    cut = numbers.reshape(3, rows // merge, merge, side, columns // merge, merge, side).permute(1, 4, 2, 5, 0, 3, 6)
    twice = cut.unsqueeze(5).expand(*cut.shape[:5], frames, side, side)
    return twice.reshape(rows * columns, -1), [1, rows, columns]
