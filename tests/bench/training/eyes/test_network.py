"""Training of the small eyes: the networks are the same in torch and in numpy, and learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mini_eyes import FORM, drawn_weights

from omnipilot.grounders.mini.eyes.form import CELL
from omnipilot.grounders.mini.eyes.network import EyesNetwork, anchor_of, pair_features

torch = pytest.importorskip("torch", reason="torch is not in this environment")


def both():  # type: ignore[no-untyped-def]
    from omnipilot.bench.training.eyes.network import EyesLayers

    weights = drawn_weights()
    layers = EyesLayers(FORM, 0)
    for name, value in weights.items():
        layers.weights[name.replace(".", ":")].data = torch.from_numpy(value)
    return EyesNetwork(FORM, weights), layers


@pytest.mark.parametrize("size", [(916, 412), (100, 130), (33, 31)])
def test_both_see_the_same(size: tuple[int, int]) -> None:
    network, layers = both()
    pixels = np.random.default_rng(1).integers(0, 255, (*size, 3)).astype(np.uint8)
    chances, near = network.chances(pixels)
    with torch.no_grad():
        scores, known = layers.chances(torch.from_numpy(pixels))
    assert chances.shape[:2] == (-(-size[0] // CELL), -(-size[1] // CELL))
    np.testing.assert_allclose(known.numpy().transpose(1, 2, 0), near, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(scores.sigmoid().numpy().transpose(1, 2, 0), chances, atol=1e-3)
    rows, columns, groups = np.array([0, 1, 3]), np.array([0, 2, 3]), np.array([0, 1, 1])
    told = network.tell(near, rows, columns, groups)
    with torch.no_grad():
        other = layers.tell(known, *(torch.from_numpy(part) for part in (rows, columns, groups)))
    for head, value in told.items():
        np.testing.assert_allclose(other[head].numpy(), value, rtol=1e-3, atol=1e-3)


def test_both_read_the_same() -> None:
    network, layers = both()
    strip = np.random.default_rng(2).random((32, 90)).astype(np.float32)
    with torch.no_grad():
        np.testing.assert_allclose(
            layers.letter_scores(torch.from_numpy(strip)).numpy(), network.letter_scores(strip), rtol=1e-3, atol=1e-3
        )


def test_lines_do_not_disturb_each_other() -> None:
    network, _ = both()
    inks = [np.random.default_rng(seed).random((32, 20 + 7 * seed)).astype(np.float32) for seed in range(4)]
    assert network.read(inks) == [network.read([ink])[0] for ink in inks]
    assert network.read([]) == []


def test_both_put_pairs_in_the_same_order() -> None:
    network, layers = both()
    boxes = np.random.default_rng(3).random((2, 4)).astype(np.float32) * 300
    features = pair_features(boxes[:1], boxes[1:])
    with torch.no_grad():
        score = layers.before(torch.from_numpy(features), torch.tensor([1]), torch.tensor([3]))
    from omnipilot.grounders.mini.eyes.network import SeenElement

    elements = [SeenElement(kind, 0, 0, frozenset(), tuple(box), 1.0) for kind, box in zip((1, 3), boxes, strict=True)]  # type: ignore[arg-type]
    back = layers.before(torch.from_numpy(pair_features(boxes[1:], boxes[:1])), torch.tensor([3]), torch.tensor([1]))
    first = elements[0] if float(score) > float(back) else elements[1]
    assert network.order(elements)[0] is first
    assert set(map(id, network.order(elements))) == set(map(id, elements))


def test_the_place_of_an_element_is_near_its_left_edge() -> None:
    assert anchor_of((100, 40, 500, 56)) == (6, 14)
    assert anchor_of((0, 0, 8, 8)) == (0, 0)


def train(folder: Path, steps: int):  # type: ignore[no-untyped-def]
    from omnipilot.bench.suites.duet.suite import Duet
    from omnipilot.bench.training.data import write_lines
    from omnipilot.bench.training.eyes.run import EyesOrder, train_eyes
    from omnipilot.bench.training.eyes.screens import collect_screens
    from omnipilot.bench.training.order import read_log
    from omnipilot.bench.training.trainer import Schedule
    from omnipilot.grounders.mini.eyes.pictures import layout_picture

    screens = folder / "screens"
    for instance in (100, 101):
        (screens / f"{instance:05d}").mkdir(parents=True)
        found = []
        for number, (_, image, screen) in enumerate(collect_screens(Duet("dev"), "send-message", instance)):
            if screen.device == "phone":
                name = f"{instance:05d}/{number:04d}.png"
                (screens / name).write_bytes(layout_picture(image).png())
                found.append(type(screen)(instance, "phone", name, screen.size, screen.elements, screen.lines))
        write_lines(screens / f"{instance:05d}.jsonl", found * 5)
    schedule = Schedule(steps=steps, rate=3e-3, tokens=6000, bf16=False, every=5.0)
    train_eyes(EyesOrder(folder, schedule, 2), lambda line: None)
    return folder / "model", read_log(folder)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    weights = []
    for name in ("one", "two"):
        folder, _ = train(tmp_path / name, 3)
        weights.append((folder / "model.safetensors").read_bytes())
    assert weights[0] == weights[1]


@pytest.mark.slow
def test_a_minute_of_training_lowers_the_loss_and_the_weights_are_read(tmp_path: Path) -> None:
    from omnipilot.grounders.mini.eyes.source import MiniEyes

    folder, log = train(tmp_path, 60)
    assert log[-1].loss < 0.7 * log[0].loss
    MiniEyes(str(folder)).warm_up()
