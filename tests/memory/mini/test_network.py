"""The network in numpy, beside one that is written out as sums, and beside the one that is trained."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest
from small_ears import CONFIG, drawn_arrays, write_small_ears

from omnipilot.memory.mini import BANDS, OUTPUTS, EarsConfig, EarsNetwork, stack_frames
from omnipilot.memory.mini.network import LOWEST


def drawn_features(frames: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1.6, 1.0, (frames, BANDS)).astype(np.float32)


def slow_scores(features: np.ndarray) -> np.ndarray:
    """The network of `CONFIG`, frame by frame, as its definition says."""
    weights = {name: array.astype(np.float64) for name, array in drawn_arrays().items()}

    def normed(x: np.ndarray) -> np.ndarray:
        return x / math.sqrt(sum(one * one for one in x) / len(x) + CONFIG.epsilon)

    def frame(at: int) -> np.ndarray:
        return features[at] if 0 <= at < len(features) else np.full(BANDS, LOWEST)

    count = math.ceil(len(features) / 4)
    seen = [np.concatenate([frame(4 * at + beside) for beside in range(-2, 6)]) for at in range(count)]
    rows = [weights["stem.weight"] @ one + weights["stem.bias"] for one in seen]
    for number in range(CONFIG.layers):
        block = {
            name.split(".", 2)[2]: array for name, array in weights.items() if name.startswith(f"blocks.{number}.")
        }
        taps = block["taps"].reshape(CONFIG.kernel, CONFIG.width)
        before = [normed(row) for row in rows]
        for at in range(count):
            around = sum(taps[tap] * before[at + tap - 1] for tap in range(CONFIG.kernel) if 0 <= at + tap - 1 < count)
            wide = np.maximum(block["up.weight"] @ around + block["up.bias"], 0)
            rows[at] = rows[at] + block["down.weight"] @ wide
    found = []
    for row in rows:
        for half in (weights["head.weight"] @ normed(row) + weights["head.bias"]).reshape(2, OUTPUTS):
            found.append(half - math.log(sum(math.exp(one) for one in half)))
    return np.array(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_small_ears(tmp_path / "ears")


@pytest.mark.parametrize("frames", [1, 3, 4, 21])
def test_scores_are_those_of_the_definition(folder: Path, frames: int) -> None:
    features = drawn_features(frames)
    scores = EarsNetwork(folder).scores(features)
    assert scores.shape == (2 * math.ceil(frames / 4), OUTPUTS) and scores.dtype == np.float32
    np.testing.assert_allclose(scores, slow_scores(features), atol=2e-4)
    np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1, atol=1e-5)


def test_scores_are_those_of_the_network_that_is_trained(folder: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not here; test_real_local.py runs this file where it is")
    from omnipilot.bench.training.ears.network import TrainableEars

    trained = TrainableEars(CONFIG)
    trained.load_state_dict({name: torch.from_numpy(array) for name, array in drawn_arrays().items()})
    features = [drawn_features(frames, seed) for seed, frames in enumerate((13, 40))]
    rows = [stack_frames(one) for one in features]
    longest = max(map(len, rows))
    stacked, there = torch.zeros(2, longest, rows[0].shape[1]), torch.zeros(2, longest, 1)
    for number, row in enumerate(rows):
        stacked[number, : len(row)], there[number, : len(row)] = torch.from_numpy(row), 1
    with torch.no_grad():
        scores = trained(stacked, there).log_softmax(-1).numpy()
    network = EarsNetwork(folder)
    for number, one in enumerate(features):
        alone = network.scores(one)
        np.testing.assert_allclose(scores[number, : len(alone)], alone, atol=2e-4)


def test_a_second_of_sound_takes_less_than_30_ms_in_the_form_that_is_shipped(tmp_path: Path) -> None:
    network = EarsNetwork(write_small_ears(tmp_path, EarsConfig(width=192, inner=384, layers=10, kernel=9)))
    features = drawn_features(500)
    network.scores(features)
    took = []
    for _ in range(5):
        began = time.thread_time()
        network.scores(features)
        took.append(time.thread_time() - began)
    assert min(took) / 5 < 0.03
