"""The small eyes' networks in torch, as they are trained; `grounders.mini.eyes.network` has them in numpy."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from omnipilot.grounders.mini.eyes.form import DILATIONS, GROUPS, EyesForm

_FIRST = {
    **dict.fromkeys(("near", "middle", "middle_up", "near_up", "far0", "far1", "far2", "far3", "letters5"), 0.3),
    **dict.fromkeys(("whole", "up16", "up8", "place"), 0.3),
    **dict.fromkeys(("found", "box", "kind", "state", "name", "value", "letter", "before"), 0.1),
}
"""Share of the usual size that first weights have in layers that add to what is there, and in those that tell."""


class EyesLayers(nn.Module):  # type: ignore[misc]
    """All layers, with weights of the shapes that `EyesForm.shapes` tells.

    Args:
        seed: of the first weights.
    """

    def __init__(self, form: EyesForm, seed: int) -> None:
        super().__init__()
        self.form = form
        self.kernels = {layer.name: layer.kernel for layer in form.layers()}
        generator = torch.Generator().manual_seed(seed)
        self.weights = nn.ParameterDict()
        for layer in form.layers():
            inputs = layer.kernel**2 * layer.inputs
            weight = torch.randn(layer.out, inputs, generator=generator) * math.sqrt(2 / inputs)
            weight *= _FIRST.get(layer.name, 1.0)
            self.weights[f"{layer.name}:weight"] = nn.Parameter(weight)
            bias = torch.full((layer.out,), -4.0) if layer.name == "found" else torch.zeros(layer.out)
            self.weights[f"{layer.name}:bias"] = nn.Parameter(bias)

    def named_arrays(self) -> dict[str, Tensor]:
        """The weights by the names of the form."""
        return {name.replace(":", "."): weight.detach() for name, weight in self.weights.items()}

    def chances(self, pixels: Tensor, corner: tuple[int, int] = (0, 0)) -> tuple[Tensor, Tensor]:
        """Scores of an element at each place, and what is known of each.

        Args:
            pixels: (height, width, 3), uint8. corner: where they begin on their screen, down and across, in units of
                32 pixels.

        Returns:
            (groups, rows, columns) and (channels, rows, columns).
        """
        shown = pixels.float() / 127.5 - 1
        height, width = shown.shape[:2]
        shown = functional.pad(shown, (0, 0, 0, -width % 4, 0, -height % 4))
        rows, columns = shown.shape[0] // 4, shown.shape[1] // 4
        x = shown.reshape(rows, 4, columns, 4, 3).permute(1, 3, 4, 0, 2).reshape(1, 48, rows, columns)
        x = x.contiguous(memory_format=torch.channels_last)
        stem = self._convolve("stem", x).relu()
        near = self._convolve("down8", stem, 2).relu()
        near = near + self._convolve("near", near).relu()
        middle = self._convolve("down16", near, 2).relu()
        middle = middle + self._convolve("middle", middle).relu()
        far = self._convolve("down32", middle, 2)
        down, across = (torch.arange(size) + first for size, first in zip(far.shape[2:], corner, strict=True))
        down, across = torch.meshgrid(down / 25, across / 40, indexing="ij")
        far = (far + self._convolve("place", torch.stack([down, across])[None].to(far))).relu()
        for number, dilation in enumerate(DILATIONS):
            far = far + self._convolve(f"far{number}", far, dilation=dilation).relu()
        far = far + self._convolve("whole", far.mean(dim=(2, 3), keepdim=True))
        middle = middle + _double(self._convolve("up16", far), middle)
        middle = middle + self._convolve("middle_up", middle).relu()
        near = near + _double(self._convolve("up8", middle), near)
        near = near + self._convolve("near_up", near).relu()
        return self._convolve("found", near)[0], near[0]

    def tell(self, near: Tensor, rows: Tensor, columns: Tensor, groups: Tensor) -> dict[str, Tensor]:
        """What is told of the elements at some places, by head."""
        padded = functional.pad(near, (1, 1, 1, 1))
        around = [padded[:, rows + down, columns + across].T for down in range(3) for across in range(3)]
        group = functional.one_hot(groups, GROUPS).to(near)
        known = self._linear("seen", torch.cat([*around, group], 1)).relu()
        return {head: self._linear(head, known) for head in ("box", "kind", "state", "name", "value")}

    def letter_scores(self, strip: Tensor) -> Tensor:
        """Scores of each letter at each column of ink, (columns, letters)."""
        rows = strip.shape[0] // 2
        x = strip.reshape(rows, 2, -1).permute(1, 0, 2)[None]
        x = self._convolve("letters1", x).relu()
        x = self._convolve("letters2", x, (2, 1)).relu()
        x = self._convolve("letters3", x, (2, 1)).relu()
        columns = x[0].permute(2, 1, 0).flatten(1)
        y = self._linear("letters4", _beside(columns, 2)).relu()
        y = y + self._linear("letters5", _beside(y, 1)).relu()
        return self._linear("letter", y)

    def before(self, features: Tensor, first: Tensor, second: Tensor) -> Tensor:
        """Scores that the first of two elements comes before the second, (number,).

        Args:
            features: of the pairs, see `pair_features`. first, second: their kinds.
        """
        codes = self.weights["kind_code:weight"].T
        bias = self.weights["kind_code:bias"]
        x = torch.cat([features, codes[first] + bias, codes[second] + bias], 1)
        x = self._linear("pair", x).relu()
        return self._linear("before", self._linear("pair_more", x).relu())[:, 0]

    def _convolve(self, name: str, x: Tensor, stride: int | tuple[int, int] = 1, dilation: int = 1) -> Tensor:
        kernel = self.kernels[name]
        weight = self.weights[f"{name}:weight"]
        taps = weight.reshape(len(weight), kernel, kernel, -1).permute(0, 3, 1, 2)
        return functional.conv2d(
            x, taps, self.weights[f"{name}:bias"], stride, padding=dilation * (kernel // 2), dilation=dilation
        )

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self.weights[f"{name}:weight"], self.weights[f"{name}:bias"])


def _double(x: Tensor, like: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2, mode="nearest")[:, :, : like.shape[2], : like.shape[3]]


def _beside(columns: Tensor, reach: int) -> Tensor:
    padded = functional.pad(columns, (0, 0, reach, reach))
    return torch.cat([padded[at : at + len(columns)] for at in range(2 * reach + 1)], 1)
