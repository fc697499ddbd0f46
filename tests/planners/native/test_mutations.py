"""Answers with pieces cut, doubled, swapped or put in: actions or MalformedReply, a point or an abstention."""

from __future__ import annotations

import json
import random

import pytest
from raw_answers import ACTING
from typed_answers import AWKWARD, WRITTEN

from omnipilot.envs import Size
from omnipilot.envs.schema import from_json, to_json
from omnipilot.grounders import Abstention, Grounding
from omnipilot.grounders.families import families as pointing
from omnipilot.memory import MalformedReply
from omnipilot.planners.native.families.table import get

HD = Size(1920, 1080)
PIECES = (
    "'",
    '"',
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "```",
    "<think>",
    "</think>",
    "Action:",
    "null",
    ",",
    "\udc80",
)


def mutated(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 4)):
        at, end = sorted(dice.randint(0, len(text)) for _ in range(2))
        text = dice.choice(
            (
                text[:at] + text[end:],
                text[:end] + text[at:],
                text[:at] + dice.choice(PIECES) + text[at:],
                text[at:] + text[:at],
                text[:end],
            )
        )
    return text


PARTS = [(17, 1_000), *(pytest.param(seed, 100_000, marks=pytest.mark.slow) for seed in range(100, 110))]
"""Seeds and numbers of answers: a thousand by default, a million in parts that end in time on a busy machine."""


@pytest.mark.parametrize(("seed", "count"), PARTS)
def test_a_mutated_answer_is_read_or_refused(seed: int, count: int) -> None:
    dice = random.Random(seed)
    acting = [(get(name), write) for name, writers in WRITTEN.items() for write in writers]
    asked = [(family, family.syntax.write(500.0, 250.0)) for family in pointing()]
    for turn in range(count):
        if turn % 2:
            if turn % 4 == 1:
                family, write = dice.choice(acting)
                answer = write(dice.choice(AWKWARD))
            else:
                name, _, answer, _ = dice.choice(ACTING)
                family = get(name)
            try:
                made, _ = family.parse(mutated(answer, dice), HD, HD)
            except MalformedReply as error:
                assert str(error)
            else:
                assert [from_json(json.loads(json.dumps(to_json(one)))) for one in made] == made
        else:
            record, answer = dice.choice(asked)
            assert isinstance(record.parse(mutated(answer, dice), HD, HD), Grounding | Abstention)
