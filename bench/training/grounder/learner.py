"""How the small grounder is taught: a picture is calculated once, and all that is asked about it side by side.

No question sees another one, and each begins at the same position behind the picture. So the network is taught what it
is asked later: one question about a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from omnipilot.bench.training.grounder.form import FIRST_NUMBER, STEPS
from omnipilot.bench.training.grounder.screens import FAMILY, TrainingScreen
from omnipilot.bench.training.learner import Answers
from omnipilot.envs import Image, Point, Size
from omnipilot.envs.types import require
from omnipilot.grounders.local import LoadedModel, chat_prompt, fill_placeholders, image_patches

EXTRA = "train"
MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class TokenQuestion:
    """One question as tokens, with the answer to it.

    Attributes:
        tokens: what stands behind the picture, the answer included.
        learnt: where the answer's tokens are, each with the lowest and the highest token that is right there.
    """

    tokens: tuple[int, ...]
    learnt: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture and its questions.

    Attributes:
        opening: tokens up to the end of the picture. grid: rows and columns of the picture's tokens.
    """

    picture: Path
    opening: tuple[int, ...]
    grid: tuple[int, int]
    questions: tuple[TokenQuestion, ...]


def steps_within(low: float, high: float) -> tuple[int, int, int] | None:
    """The step next to the middle of a stretch of a side, and the first and the last one in it; None if there is none.

    Args:
        low, high: in 0..1.
    """
    first, last = ceil(low * STEPS - MARGIN), floor(high * STEPS + MARGIN)
    return (min(max(round((low + high) / 2 * STEPS), first), last), first, last) if first <= last else None


def load_form(folder: Path, seed: int, device: str) -> LoadedModel:
    """A model with first weights from a seed, and its tokenizer, from a folder that `form.write_form` wrote.

    Raises:
        MissingExtra: transformers is not installed.
    """
    hub: Any = require("transformers", EXTRA)
    torch.manual_seed(seed)
    config = hub.AutoConfig.from_pretrained(folder)
    # Not `scaled_dot_product_attention`: its backward pass is slow on a CPU.
    model = hub.AutoModelForImageTextToText.from_config(config, attn_implementation="eager").float()
    for name, weight in model.named_parameters():
        if weight.ndim > 1:
            torch.nn.init.normal_(weight, std=0.02 if "embed_tokens" in name else weight[0].numel() ** -0.5)
        if name.endswith(("o_proj.weight", "down_proj.weight", "attn.proj.weight")):
            torch.nn.init.zeros_(weight)
    tokenizer = hub.AutoTokenizer.from_pretrained(folder, padding_side="left")
    pictures = hub.AutoImageProcessor.from_pretrained(folder)
    return LoadedModel(model.to(device), tokenizer, pictures, True, device, frozenset({tokenizer.eos_token_id}))


def make_lesson(loaded: LoadedModel, picture: Path, screen: TrainingScreen) -> Lesson:
    """The tokens of a screen's questions; those whose target lies between two steps are left out."""
    blank = Image.raw(Size(*screen.size), bytes(3 * screen.size[0] * screen.size[1]))
    unit = loaded.images.patch_size * loaded.images.merge_size
    rows, columns = screen.size[1] // unit, screen.size[0] // unit
    config = loaded.model.config
    token = loaded.tokenizer.convert_ids_to_tokens(config.image_token_id)
    opening: tuple[int, ...] = ()
    questions = []
    for text, (left, top, right, bottom) in screen.asked:
        across, down = steps_within(left, right), steps_within(top, bottom)
        if across is None or down is None:
            continue
        written = chat_prompt(loaded, FAMILY.messages(blank, text), {})
        words = fill_placeholders(written, token, 1, iter([rows * columns]))
        asked = loaded.tokenizer(words, add_special_tokens=False)["input_ids"]
        behind = asked.index(config.vision_end_token_id) + 1
        opening = tuple(asked[:behind])
        reply = FAMILY.render(Point(across[0] / STEPS, down[0] / STEPS), blank.size)
        said = [*loaded.tokenizer(reply, add_special_tokens=False)["input_ids"], loaded.tokenizer.eos_token_id]
        bounds = [(one, one) for one in said]
        for place, (_, first, last) in zip((1, 3), (across, down), strict=True):
            bounds[place] = (FIRST_NUMBER + first, FIRST_NUMBER + last)
        begins = len(asked) - behind
        learnt = tuple((begins + at, *bound) for at, bound in enumerate(bounds))
        questions.append(TokenQuestion((*asked[behind:], *said), learnt))
    return Lesson(picture, opening, (rows, columns), tuple(questions))


class GrounderLearner:
    """The small grounder's network; implements `learner.Learner`."""

    def __init__(self, loaded: LoadedModel) -> None:
        self.loaded = loaded
        self.network = loaded.model

    def about(self) -> dict[str, Any]:
        """Its form is in its folder."""
        return {}

    def lower(self) -> None:
        """Calculate in bfloat16; the angles of positions stay as they are."""
        for weight in self.network.parameters():
            weight.data = weight.data.to(torch.bfloat16)

    def length(self, sample: Lesson) -> int:
        """Tokens of a picture and its questions."""
        return len(sample.opening) + sum(len(one.tokens) for one in sample.questions)

    def answers(self, batch: Sequence[Lesson]) -> Answers:
        """What the network says to each question."""
        device = self.loaded.device
        time = max(map(self.length, batch))
        tokens = torch.zeros(len(batch), time, dtype=torch.long)
        # 0 is the picture, from 1 on questions, -1 padding.
        parts = torch.full((len(batch), time), -1)
        positions = torch.zeros(3, len(batch), time, dtype=torch.long)
        learnt: list[tuple[int, int, int, int]] = []
        replies = 0
        for row, lesson in enumerate(batch):
            at = len(lesson.opening)
            tokens[row, :at], parts[row, :at] = torch.tensor(lesson.opening), 0
            positions[:, row, :at], follows = picture_positions(lesson.grid, at)
            for number, question in enumerate(lesson.questions, 1):
                upto = at + len(question.tokens)
                tokens[row, at:upto], parts[row, at:upto] = torch.tensor(question.tokens), number
                positions[:, row, at:upto] = follows + torch.arange(len(question.tokens))
                learnt += [(row * time + at + place - 1, low, high, replies) for place, low, high in question.learnt]
                replies += 1
                at = upto
        pictures = [Image.encoded(lesson.picture.read_bytes()) for lesson in batch]
        shown = [image_patches(picture, self.loaded.images, device) for picture in pictures]
        hidden = self.network.model(
            input_ids=tokens.to(device),
            attention_mask=mask_of(parts, self.network.dtype).to(device),
            position_ids=positions.to(device),
            pixel_values=torch.cat([numbers for numbers, _ in shown]),
            image_grid_thw=torch.tensor([grid for _, grid in shown], device=device),
            use_cache=False,
        ).last_hidden_state
        places, low, high, owners = (torch.tensor(column, device=device) for column in zip(*learnt, strict=True))
        scores = self.network.lm_head(hidden.flatten(0, 1)[places]).float()
        return Answers(scores, low, owners, replies, tokens.numel(), high)


def picture_positions(grid: tuple[int, int], length: int) -> tuple[Tensor, int]:
    """Positions (3, length) of one token, a picture and one more, in time, height and width, and where text goes on.

    Source: M-RoPE (Wang et al. 2024, Qwen2-VL, §2.1).
    """
    rows, columns = grid
    found = torch.zeros(3, length, dtype=torch.long)
    found[:, 1:-1] = 1
    found[1, 1:-1] += torch.arange(rows).repeat_interleave(columns)
    found[2, 1:-1] += torch.arange(columns).repeat(rows)
    found[:, -1] = 1 + max(rows, columns)
    return found, 2 + max(rows, columns)


def mask_of(parts: Tensor, dtype: torch.dtype) -> Tensor:
    """What is added before the softmax of attention, (batch, 1, time, time): each part sees the picture and itself."""
    time = parts.shape[1]
    before = torch.ones(time, time, dtype=torch.bool).tril()
    together = (parts[:, :, None] == parts[:, None, :]) | (parts[:, None, :] == 0)
    seen = before & together
    return torch.zeros(seen.shape, dtype=dtype).masked_fill(~seen, torch.finfo(dtype).min)[:, None]
