"""How the ears are taught: the loss beside all ways of writing a text, and a training that sees it fall."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from omnipilot.memory.mini import BLANK, OUTPUTS, EarsTranscriber, best_outputs

torch = pytest.importorskip(
    "torch",
    reason="torch is not in this environment; test_real_local.py runs this file where it is",
)


def test_the_loss_is_that_of_all_ways_to_write_the_texts() -> None:
    from omnipilot.bench.training.ears.learner import HeardSigns

    texts, lengths = ((1, 2), (2, 2)), (3, 4)
    torch.manual_seed(0)
    scores = torch.full((2, 4, OUTPUTS), -40.0)
    scores[:, :, :3] = torch.randn(2, 4, 3)
    heard = HeardSigns(scores, lengths, texts, torch.tensor([1, 2, 2, 2]), 8)
    shares = scores.softmax(-1).numpy()
    wanted = 0.0
    for number, (text, length) in enumerate(zip(texts, lengths, strict=True)):
        ways = [way for way in product(range(3), repeat=length) if best_outputs(way) == list(text)]
        wanted -= math.log(sum(np.prod([shares[number, at, one] for at, one in enumerate(way)]) for way in ways))
    assert float(heard.loss("sum")) == pytest.approx(wanted, rel=1e-4)
    assert float(heard.loss()) == pytest.approx(wanted / 4, rel=1e-4)


def test_an_utterance_is_right_if_every_sign_is() -> None:
    from omnipilot.bench.training.ears.learner import HeardSigns

    scores = torch.zeros(3, 4, OUTPUTS)
    for number, row in enumerate(([1, 1, BLANK, 2], [1, BLANK, 1, 9], [BLANK] * 4)):
        for at, output in enumerate(row):
            scores[number, at, output] = 5.0
    heard = HeardSigns(scores, (4, 3, 4), ((1, 2), (1, 1), ()), torch.tensor([1, 2, 1, 1]), 12)
    assert heard.right() == 3 and heard.replies == 3
    assert HeardSigns(scores, (4, 4, 4), ((1, 2), (1, 1), ()), heard.targets, 12).right() == 2


def test_measuring_gives_the_same_again_and_changes_nothing_for_training() -> None:
    from omnipilot.bench.training.ears.learner import EarsLearner
    from omnipilot.bench.training.ears.run import SHAPES
    from omnipilot.bench.training.ears.samples import Utterance

    batch = [Utterance((np.full((40, 40), -6.0, np.float16),), (5, 5), "a 1")]
    one, other = (EarsLearner(SHAPES["tiny"], 0) for _ in range(2))
    with torch.no_grad():
        measured = [one.answers(batch).scores for _ in range(2)]
    assert torch.equal(*measured)
    assert torch.equal(one.answers(batch).scores, other.answers(batch).scores)


@pytest.mark.slow
@pytest.mark.needs("espeak-ng", "omnipilot[figures]")
def test_a_short_training_sees_the_loss_fall_and_is_the_same_again(tmp_path: Path) -> None:
    from omnipilot.bench.training.ears.run import EarsOrder, train_ears
    from omnipilot.bench.training.trainer import Schedule

    def train(name: str, steps: int) -> float:
        lines: list[str] = []
        schedule = Schedule(minutes=0, steps=steps)
        train_ears(EarsOrder(tmp_path / name, schedule, 2, shape="tiny", speech=tmp_path / "speech"), lines.append)
        assert any("part 2 of 3" in line for line in lines) and (tmp_path / name / "training.svg").exists()
        last = json.loads((tmp_path / name / "log.jsonl").read_text().splitlines()[-1])
        assert last["step"] == steps
        return float(last["loss"])

    assert train("one", 40) < train("begun", 2) / 2
    assert train("two", 40) == train("one", 40)
    first, second = ((tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("one", "two"))
    assert first == second
    EarsTranscriber(str(tmp_path / "one" / "model")).warm_up()
