"""How the small eyes are taught: a screen at a time, with its lines, and lines that are drawn to practise reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from omnipilot.bench.training.eyes.network import EyesLayers
from omnipilot.bench.training.eyes.screens import EyesScreen
from omnipilot.bench.training.eyes.truth import (
    EyesTruth,
    blank_rects,
    drawn_ink,
    index_of,
    random_text,
    truth_of,
    written_ink,
)
from omnipilot.bench.training.learner import Answers
from omnipilot.envs import Image
from omnipilot.envs.sim.render.text import SIZES
from omnipilot.grounders.mini.eyes.form import CELL, EyesForm
from omnipilot.grounders.mini.eyes.kinds import kind_of
from omnipilot.grounders.mini.eyes.lines import brightness, ink_of
from omnipilot.grounders.mini.eyes.network import UNIT, join_inks, pair_features

DRAWN, WRITTEN, BLANK = 8, 14, 8
"""Lines of a screen's lesson: those drawn for it, those on the screen, and what looks like one and is none,
such as an icon."""
WHOLE = 0.25
"""Share of wide screens that are shown whole; of others, what is in front and a margin around it."""
BLOCK = 32
"""Parts of screens begin and end at multiples of so many pixels."""
PAIRS = 96
"""Pairs of elements of which it is asked which one comes first."""
OUTER = frozenset({"button taskbar", "time taskbar"})
"""Kinds of elements outside windows."""
Ink = tuple[NDArray[np.float32], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class EyesLesson:
    """A screen to learn from; what is random about it depends on `seed`."""

    picture: Path
    screen: EyesScreen
    seed: int


@dataclass(frozen=True, slots=True)
class EyesAnswers(Answers):
    """What the networks say to some screens; a reply is an element, or a line."""

    whole: Tensor | None = None
    correct: int = 0

    def loss(self, reduction: Literal["mean", "sum"] = "mean") -> Tensor:
        """The losses of all heads together."""
        assert self.whole is not None
        return self.whole if reduction == "mean" else self.whole * len(self.targets)

    def right(self) -> int:
        """Elements that are found with the right kind and templates, and lines that are read without a mistake."""
        return self.correct


class EyesLearner:
    """The small eyes' networks; implements `learner.Learner`.

    Args:
        words: to practise reading with.
    """

    def __init__(self, form: EyesForm, words: Sequence[str], seed: int, device: str = "cpu") -> None:
        self.form, self.words, self.device = form, words, device
        self.network = EyesLayers(form, seed).to(device)
        self.index = index_of(form)
        self._rounds = 0

    def about(self) -> dict[str, Any]:
        """Its form is beside it."""
        return {}

    def lower(self) -> None:
        """They are calculated in float32: convolutions are no faster otherwise on a CPU."""

    def length(self, sample: EyesLesson) -> int:
        """Places of a screen."""
        return -(-sample.screen.size[0] // CELL) * -(-sample.screen.size[1] // CELL)

    def answers(self, batch: Sequence[EyesLesson]) -> Answers:
        """What the networks say to some screens."""
        losses, correct, replies, tokens = [], 0, 0, 0
        for lesson in batch:
            self._rounds += torch.is_grad_enabled()
            random = Random(f"{lesson.seed} {self._rounds if torch.is_grad_enabled() else 0}")
            pixels = Image.encoded(lesson.picture.read_bytes()).array()
            loss, right, asked = self._screen(pixels, lesson.screen, random)
            reading, read, lines = self._lines(pixels, lesson.screen, random)
            losses.append(loss + reading)
            correct += right + read
            replies += asked + lines
            tokens += self.length(lesson)
        none = torch.zeros(replies, dtype=torch.long)
        return EyesAnswers(none[:, None], none, none, replies, tokens, None, torch.stack(losses).mean(), correct)

    def _screen(self, pixels: NDArray[np.uint8], screen: EyesScreen, random: Random) -> tuple[Tensor, int, int]:
        """The loss of finding a screen's elements; how many are right, and how many there are."""
        truth = truth_of(screen, self.index)
        part = part_of_screen(screen, random)
        pixels = pixels[part[1] : part[3], part[0] : part[2]]
        truth = truth.within(part)
        corner = (part[1] // BLOCK, part[0] // BLOCK)
        scores, near = self.network.chances(torch.from_numpy(pixels.copy()).to(self.device), corner)
        wanted = torch.zeros_like(scores)
        inside = (truth.rows < scores.shape[1]) & (truth.columns < scores.shape[2])
        rows, columns, groups = (
            torch.from_numpy(part[inside]).to(self.device) for part in (truth.rows, truth.columns, truth.groups)
        )
        wanted[groups, rows, columns] = 1
        count = max(1, int(inside.sum()))
        chance = scores.sigmoid()
        sharp = torch.where(wanted > 0, (1 - chance) ** 1.5, chance**1.5)
        found = (functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none") * sharp).sum() / count
        if not inside.any():
            return found, 0, 0
        told = self.network.tell(near, rows, columns, groups)
        loss = 2 * found + self._told_loss(told, truth, inside, rows, columns)
        loss = loss + 0.3 * self._order_loss(truth, random)
        with torch.no_grad():
            right = (chance[groups, rows, columns] > 0.5).cpu().numpy()
            for head, goal in (("kind", truth.kinds), ("name", truth.names), ("value", truth.values)):
                best = told[head].argmax(1).cpu().numpy()
                right &= (best == goal[inside]) | (goal[inside] < 0)
        return loss, int(right.sum()), int(inside.sum())

    def _told_loss(
        self, told: dict[str, Tensor], truth: EyesTruth, inside: NDArray[np.bool_], rows: Tensor, columns: Tensor
    ) -> Tensor:
        """The loss of what is told of the elements."""
        boxes = torch.from_numpy(truth.boxes[inside]).to(self.device)
        x, y = CELL * (columns + 0.5), CELL * (rows + 0.5)
        edges = torch.stack([x - boxes[:, 0], y - boxes[:, 1], boxes[:, 2] - x, boxes[:, 3] - y], 1)
        loss = 3 * functional.smooth_l1_loss(told["box"], torch.asinh(edges.clamp(min=0) / UNIT), beta=0.05)
        states = torch.from_numpy(truth.states[inside]).to(self.device)
        loss = loss + 2 * functional.binary_cross_entropy_with_logits(told["state"], states)
        for head, goal in (("kind", truth.kinds), ("name", truth.names), ("value", truth.values)):
            right = torch.from_numpy(goal[inside]).to(self.device)
            if (right >= 0).any():
                loss = loss + functional.cross_entropy(told[head], right, ignore_index=-1)
        return loss

    def _order_loss(self, truth: EyesTruth, random: Random) -> Tensor:
        """The loss of telling which of two elements comes first: of neighbours, and of any two."""
        count = len(truth.kinds)
        if count < 2:
            return torch.zeros((), device=self.device)
        first, second = [], []
        for number in range(PAIRS):
            one = random.randrange(count)
            reach = 4 if number % 2 else count
            other = min(count - 1, max(0, one + random.randint(-reach, reach)))
            if one != other:
                first.append(one)
                second.append(other)
        features = torch.from_numpy(pair_features(truth.boxes[first], truth.boxes[second])).to(self.device)
        kinds = torch.from_numpy(truth.kinds).to(self.device)
        forth = self.network.before(features, kinds[first], kinds[second])
        features = torch.from_numpy(pair_features(truth.boxes[second], truth.boxes[first])).to(self.device)
        back = self.network.before(features, kinds[second], kinds[first])
        goal = (torch.tensor(first) < torch.tensor(second)).float().to(self.device)
        return functional.binary_cross_entropy_with_logits(forth - back, goal)

    def _lines(self, pixels: NDArray[np.uint8], screen: EyesScreen, random: Random) -> tuple[Tensor, int, int]:
        """The loss of reading lines; how many are read without a mistake, and how many there are."""
        inks = list(self._inks(pixels, screen, random))
        strip, starts = join_inks([ink for ink, _ in inks])
        letters = np.zeros(strip.shape[1], np.int64)
        for start, (_, goal) in zip(starts, inks, strict=True):
            letters[start : start + len(goal)] = goal
        scores = self.network.letter_scores(torch.from_numpy(strip).to(self.device))
        goal = torch.from_numpy(letters).to(self.device)
        weight = torch.ones(len(self.form.letters), device=self.device)
        weight[0] = 0.4
        loss = functional.cross_entropy(scores, goal, weight)
        with torch.no_grad():
            same = scores.argmax(1).cpu().numpy() == letters
        read = sum(bool(same[start : start + len(goal)].all()) for start, (_, goal) in zip(starts, inks, strict=True))
        return 4 * loss, read, len(inks)

    def _inks(self, pixels: NDArray[np.uint8], screen: EyesScreen, random: Random) -> Any:
        bright = brightness(pixels)
        known = self.index["letters"]
        for line in random.sample(screen.lines, min(WRITTEN, len(screen.lines))):
            if (made := written_ink(bright, line, known)) is not None:
                yield made
        for rect in random.sample(blank := blank_rects(bright, screen.lines), min(BLANK, len(blank))):
            ink, _, _ = ink_of(bright, rect)
            yield ink, np.zeros(ink.shape[1], np.int64)
        for _ in range(DRAWN):
            size = random.choice(SIZES[:5] if random.random() < 0.85 else SIZES)
            made = drawn_ink(random_text(random, self.words), size, random.choice(("regular", "bold")), known)
            if made is not None:
                yield made


def part_of_screen(screen: EyesScreen, random: Random) -> tuple[int, int, int, int]:
    """The part of a screen that is shown: an upright one whole, of a wide one mostly the window in front.

    Returns:
        Left, top, right, bottom in pixels.
    """
    width, height = screen.size
    inner = [one.box for one in screen.elements if kind_of(one.role, one.id) not in OUTER]
    if width <= height or not inner or random.random() < WHOLE:
        return 0, 0, width, height
    margins = [BLOCK * random.randint(0, 2) for _ in range(4)]
    left, top = min(box[0] for box in inner) - margins[0], min(box[1] for box in inner) - margins[1]
    right, bottom = max(box[2] for box in inner) + margins[2], max(box[3] for box in inner) + margins[3]
    return (
        max(0, left) // BLOCK * BLOCK,
        max(0, top) // BLOCK * BLOCK,
        min(width, -(-right // BLOCK) * BLOCK),
        min(height, -(-bottom // BLOCK) * BLOCK),
    )
