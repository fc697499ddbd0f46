"""The network of the small ears, for training; `omnipilot.memory.mini.network` runs it with numpy."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from omnipilot.memory.mini import BANDS, OUTPUTS, EarsConfig
from omnipilot.memory.mini.model_folder import PER_FRAME, STACKED


class EarsBlock(nn.Module):  # type: ignore[misc]
    """One block: what is around a frame, band by band, and then a mixture of the bands."""

    def __init__(self, config: EarsConfig) -> None:
        super().__init__()
        self.kernel, self.epsilon = config.kernel, config.epsilon
        # One dimension, so that the optimizer for matrices leaves them alone.
        self.taps = nn.Parameter(torch.zeros(config.kernel * config.width))
        self.up = nn.Linear(config.width, config.inner)
        self.down = nn.Linear(config.inner, config.width, bias=False)

    def forward(self, x: Tensor, there: Tensor) -> Tensor:
        """The input with the block's part added, where there is a frame.

        Args:
            x: (batch, frames, width). there: (batch, frames, 1), 0 where a frame is padding.
        """
        half, frames = self.kernel // 2, x.shape[1]
        padded = functional.pad(functional.rms_norm(x, (x.shape[-1],), eps=self.epsilon), (0, 0, half, half))
        taps = self.taps.view(self.kernel, -1)
        around = padded[:, :frames] * taps[0]
        for number in range(1, self.kernel):
            around = around + padded[:, number : number + frames] * taps[number]
        added: Tensor = self.down(functional.relu(self.up(around)))
        return x + added * there


class TrainableEars(nn.Module):  # type: ignore[misc]
    """The whole network.

    Args:
        seed: of the first weights.
    """

    def __init__(self, config: EarsConfig, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.epsilon = config.epsilon
        self.stem = nn.Linear(STACKED * BANDS, config.width)
        self.blocks = nn.ModuleList([EarsBlock(config) for _ in range(config.layers)])
        self.head = nn.Linear(config.width, PER_FRAME * OUTPUTS)
        with torch.no_grad():
            for block in self.blocks:
                assert isinstance(block, EarsBlock)
                block.taps.copy_(torch.randn_like(block.taps) * config.kernel**-0.5)
                nn.init.zeros_(block.down.weight)

    def forward(self, stacked: Tensor, there: Tensor) -> Tensor:
        """Scores of the signs, (batch, 2 * frames, 66).

        Args:
            stacked: (batch, frames, 320), of `stack_frames`. there: (batch, frames, 1), 0 where a frame is padding.
        """
        x = self.stem(stacked) * there
        for block in self.blocks:
            x = block(x, there)
        scores: Tensor = self.head(functional.rms_norm(x, (x.shape[-1],), eps=self.epsilon))
        return scores.reshape(len(scores), -1, OUTPUTS)
