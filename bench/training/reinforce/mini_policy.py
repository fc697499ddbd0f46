"""The small planner as a policy that is trained: its network in torch, and where it sits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import torch
from torch import Tensor

from omnipilot.agents.wrappers.readers import GoldReader, Reader
from omnipilot.bench.session import Opening, Session
from omnipilot.bench.training.demonstrations import SHOWN
from omnipilot.bench.training.export import export_model, load_model, trained_on
from omnipilot.bench.training.network import DecoderNetwork
from omnipilot.bench.training.precision import bfloat16_is_faster
from omnipilot.bench.training.prompts import tensors
from omnipilot.bench.training.reinforce.mini_seat import MiniSeat
from omnipilot.bench.training.reinforce.policy import ReplyLesson, ReplyScores, SampledReply
from omnipilot.bench.training.reinforce.sampling import ReplySampler
from omnipilot.envs import Modality
from omnipilot.planners.mini.model_folder import read_config
from omnipilot.planners.mini.network import MOST_TOKENS
from omnipilot.planners.mini.session import MiniSession


def gold_transcript() -> Reader:
    """The reader that the shipped weights were trained with."""
    return GoldReader("transcript")


class MiniPolicy:
    """Implements `ReplyPolicy`.

    Args:
        folder: weights to begin with; they are also what the rein holds to.
        reader: makes what tells a seat of sounds.
        bf16: calculate in bfloat16, with weights in float32; None where this machine is faster so.
    """

    def __init__(
        self,
        folder: Path,
        reader: Callable[[], Reader] = gold_transcript,
        bf16: bool | None = None,
    ) -> None:
        self.shape, weights, self.vocabulary = load_model(folder)
        self._taught, self._trained_on = read_config(folder), trained_on(folder)
        self.network, self.start = DecoderNetwork(self.shape), DecoderNetwork(self.shape)
        self.network.load_state_dict(weights)
        self.start.load_state_dict(weights)
        self.start.requires_grad_(False)
        self.bf16 = bfloat16_is_faster(torch.device("cpu")) if bf16 is None else bf16
        self._reader = reader
        self._sampler = ReplySampler(self.network, self.vocabulary.end, MOST_TOKENS, self.bf16)

    def sit(self, session: Session, opening: Opening, seed: str) -> MiniSeat:
        """A seat at a session whose task was just opened; without a seed, the numbers of each prompt begin at 0. With
        one, every second seat is not told the name of the application in front, as in demonstrations."""
        numbers = Random(seed) if seed else None
        room = self.shape.longest - MOST_TOKENS
        taught = self._taught
        mini = MiniSession.begin(opening.instruction, most_recalled=taught.recalled, most_saw=taught.saw)
        mini.intent = opening.intent if taught.intents else ""
        granted = SHOWN if numbers is None or numbers.random() < 0.5 else SHOWN - {Modality.CONTEXT}
        return MiniSeat(session, mini, opening.envs, self.vocabulary, room, self._reader(), numbers, granted)

    def propose(self, questions: Sequence[Hashable], temperature: float, seed: int) -> list[SampledReply]:
        """A reply to each prompt."""
        drawn = self._sampler.draw(cast(Sequence[Sequence[int]], questions), temperature, seed)
        return [replace(one, text=self.vocabulary.decode(self._spoken(one.tokens))) for one in drawn]

    def scores(self, lessons: Sequence[ReplyLesson], temperature: float) -> ReplyScores:
        """What the network says of replies."""
        return self._scores(self.network, lessons, temperature)

    def start_logs(self, lessons: Sequence[ReplyLesson], temperature: float) -> Tensor:
        """What it said at the start."""
        with torch.no_grad():
            return self._scores(self.start, lessons, temperature).logs

    def size(self, lesson: ReplyLesson) -> int:
        """Tokens of prompt and reply."""
        return len(cast(tuple[int, ...], lesson.question)) + len(lesson.reply.tokens)

    def named_parameters(self) -> Iterable[tuple[str, Tensor]]:
        """Those of the network."""
        return list(self.network.named_parameters())

    def export(self, folder: Path) -> None:
        """Write the weights as a folder that the planner `mini` reads."""
        weights = {name: value.detach() for name, value in self.network.named_parameters()}
        taught = self._taught
        export_model(
            folder,
            self.shape,
            weights,
            self.vocabulary,
            recalled=taught.recalled,
            saw=taught.saw,
            intents=taught.intents,
            about=self._trained_on,
        )

    def _spoken(self, tokens: Sequence[int]) -> Sequence[int]:
        return tokens[:-1] if tokens[-1] == self.vocabulary.end else tokens

    def _scores(self, network: DecoderNetwork, lessons: Sequence[ReplyLesson], temperature: float) -> ReplyScores:
        encoded = []
        for one in lessons:
            prompt, reply = list(cast(tuple[int, ...], one.question)), one.reply.tokens
            encoded.append(([*prompt, *reply], list(range(len(prompt), len(prompt) + len(reply)))))
        padded, positions, targets = tensors(encoded)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            hidden = network.hidden(padded).flatten(0, 1)[positions]
            logits = network.scores(hidden).float()
        logs = torch.log_softmax(logits / temperature, -1)
        entropy = -(logs.detach().exp() * logs.detach()).sum(-1)
        return ReplyScores(logs[torch.arange(len(targets)), targets], entropy)
