"""A training is gone on from where its checkpoint was written, also from one of the first form, in two files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from omnipilot.envs import ConfigError

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)
if TYPE_CHECKING:
    from omnipilot.bench.training.trainer import Trainer


def linear() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))


@dataclass
class Parity:
    """Tells whether a number is odd."""

    network: Any = field(default_factory=linear)

    def about(self) -> dict[str, Any]:
        return {"of": "parity"}

    def lower(self) -> None:
        raise AssertionError("not asked for")

    def length(self, sample: int) -> int:
        return 3

    def answers(self, batch: Sequence[int]) -> Any:
        from omnipilot.bench.training.learner import Answers

        digits = torch.tensor([[one >> bit & 1 for bit in range(3)] for one in batch], dtype=torch.float32)
        targets = torch.tensor([one % 2 for one in batch])
        return Answers(self.network(digits), targets, torch.arange(len(batch)), len(batch), 3 * len(batch))


def trainer(folder: Path, steps: int = 3) -> Trainer[int]:
    from omnipilot.bench.training.trainer import Schedule, Trainer

    return Trainer(Parity(), Schedule(steps=steps, bf16=False), folder)


def trained(folder: Path) -> Trainer[int]:
    made = trainer(folder)
    made.train(range(8), range(8), lambda _: None)
    return made


def state(of: Trainer[int]) -> dict[str, Any]:
    moments = {
        f"{name}.{key}": value
        for name, weight in of._named.items()
        for one in of.optimizers
        for key, value in one.state.get(weight, {}).items()
    }
    return {**of.named_weights(), **moments}


def assert_same(first: Trainer[int], second: Trainer[int]) -> None:
    before, after = state(first), state(second)
    assert before.keys() == after.keys() and len(before) == 4 + 2 + 2 * 3
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert (first.step, first.seconds, first.tokens) == (second.step, second.seconds, second.tokens)


def write_first_form(folder: Path) -> None:
    """The checkpoint in a folder as it was written at first: what it says in a file beside, which is no longer."""
    from safetensors import safe_open
    from safetensors.torch import save_file

    path = folder / "checkpoint.safetensors"
    with safe_open(path, "pt") as file:
        about, arrays = file.metadata()["about"], {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    path.unlink()
    save_file(arrays, path)
    (folder / "checkpoint.json").write_text(about)


def test_weights_moments_and_steps_are_back(tmp_path: Path) -> None:
    first = trained(tmp_path)
    assert first.step == 3 and {path.name for path in tmp_path.iterdir()} == {"checkpoint.safetensors", "log.jsonl"}
    second = trainer(tmp_path, 5)
    assert_same(first, second)
    for held, weight in zip(second.network.parameters(), second.weights, strict=True):
        assert torch.equal(held, weight)
    second.train(range(8), range(8), lambda _: None)
    assert second.step == 5


def test_a_checkpoint_of_the_first_form_is_gone_on_from_and_replaced(tmp_path: Path) -> None:
    first = trained(tmp_path)
    write_first_form(tmp_path)
    second = trainer(tmp_path)
    assert_same(first, second)
    second.step = 4
    second.save()
    assert not (tmp_path / "checkpoint.json").exists() and trainer(tmp_path).step == 4


def change(path: Path, name: str, value: Any) -> None:
    from safetensors.torch import load_file, save_file

    arrays = load_file(path)
    if value is None:
        del arrays[name]
    else:
        arrays[name] = value
    save_file(arrays, path, {"about": json.dumps({"step": 1, "seconds": 1.0, "tokens": 1})})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("weight.0.weight", None),
        ("weight.0.weight", np.zeros((5, 3), np.float32)),
        ("weight.0.weight", np.full((4, 3), np.nan, np.float32)),
        ("weight.7.weight", np.zeros((4, 3), np.float32)),
    ],
)
def test_a_checkpoint_of_another_network_is_refused(name: str, value: Any, tmp_path: Path) -> None:
    trained(tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    change(path, name, value if value is None else torch.from_numpy(value))
    with pytest.raises(ConfigError, match="cannot be gone on from .*; remove it .* another --out") as told:
        trainer(tmp_path)
    assert str(path) in str(told.value)


@pytest.mark.parametrize("damage", ["about", "cut", "noise"])
def test_a_damaged_checkpoint_is_refused(damage: str, tmp_path: Path) -> None:
    trained(tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    if damage == "about":
        write_first_form(tmp_path)
        (tmp_path / "checkpoint.json").write_text("[3")
    else:
        path.write_bytes(path.read_bytes()[:-5] if damage == "cut" else b"nothing")
    with pytest.raises(ConfigError, match="cannot be gone on from"):
        trainer(tmp_path)
