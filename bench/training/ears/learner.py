"""How the small ears are taught: by connectionist temporal classification (Graves et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from omnipilot.bench.training.ears.network import TrainableEars
from omnipilot.bench.training.ears.samples import Backgrounds, Utterance
from omnipilot.memory.mini import BLANK, EarsConfig, best_outputs, encode_text, stack_frames
from omnipilot.memory.mini.model_folder import PER_FRAME, STRIDE


@dataclass(frozen=True, slots=True)
class HeardSigns:
    """What a network hears in some utterances.

    Attributes:
        scores: logits, (batch, outputs, 66). outputs: of each utterance, padding aside.
        texts: what was said in each. targets: the signs of all texts, one after the other. tokens: frames that were
            calculated, padding included.
    """

    scores: Tensor
    outputs: tuple[int, ...]
    texts: tuple[tuple[int, ...], ...]
    targets: Tensor
    tokens: int

    @property
    def replies(self) -> int:
        """How many utterances there are."""
        return len(self.texts)

    def loss(self, reduction: Literal["mean", "sum"] = "mean") -> Tensor:
        """Minus the logarithm of the probability of what was said: a sign, or in all."""
        lengths = torch.tensor([len(text) for text in self.texts])
        logs = self.scores.float().log_softmax(-1).transpose(0, 1)
        loss = functional.ctc_loss(
            logs, self.targets, torch.tensor(self.outputs), lengths, BLANK, "sum", zero_infinity=True
        )
        return loss if reduction == "sum" else loss / max(1, len(self.targets))

    def right(self) -> int:
        """How many utterances are heard right in every sign, by the likeliest output at each time."""
        best = self.scores.argmax(-1).tolist()
        heard = (best_outputs(row[:length]) for row, length in zip(best, self.outputs, strict=True))
        return sum(tuple(said) == text for said, text in zip(heard, self.texts, strict=True))


class EarsLearner:
    """The network of the small ears; implements `learner.Learner`.

    Args:
        seed: of the first weights, and of what sounds behind the speech.
    """

    def __init__(self, config: EarsConfig, seed: int, device: str = "cpu") -> None:
        self.network = TrainableEars(config, seed).to(device)
        self._config = config
        self._backgrounds = Backgrounds(seed)
        self._silence = np.random.default_rng(seed)
        self._device = device

    def about(self) -> dict[str, Any]:
        """The form of the network."""
        return self._config.to_json()

    def lower(self) -> None:
        """Calculate in bfloat16."""
        self.network.to(torch.bfloat16)

    def length(self, sample: Utterance) -> int:
        """Frames of 40 ms of an utterance."""
        return -(-sample.frames // STRIDE)

    def answers(self, batch: Sequence[Utterance]) -> HeardSigns:
        """What the network hears in some utterances; while it is trained, now and then in one where nobody speaks."""
        trained = torch.is_grad_enabled()
        # How often is measured depends on the clock, and must not change what is trained on.
        backgrounds = self._backgrounds if trained else self._backgrounds.fork()
        sounds: list[NDArray[np.float32]] = [backgrounds.heard(one) for one in batch]
        texts = [tuple(encode_text(one.text)) for one in batch]
        if trained and self._silence.random() < 0.5:
            sounds.append(backgrounds.silence(min(map(len, sounds))))
            texts.append(())
        rows = [stack_frames(sound) for sound in sounds]
        frames = max(map(len, rows))
        stacked, there = np.zeros((len(rows), frames, rows[0].shape[1]), np.float32), np.zeros((len(rows), frames, 1))
        for number, row in enumerate(rows):
            stacked[number, : len(row)], there[number, : len(row)] = row, 1
        kind = next(self.network.parameters()).dtype
        given = (torch.from_numpy(array).to(self._device, kind) for array in (stacked, there))
        scores = self.network(*given)
        targets = torch.tensor([sign for text in texts for sign in text], dtype=torch.long)
        outputs = tuple(PER_FRAME * len(row) for row in rows)
        return HeardSigns(scores.cpu(), outputs, tuple(texts), targets, len(rows) * frames)
