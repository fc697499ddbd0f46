"""The soak finds nothing, and would find something."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import soak
from chat_server import Status

from omnipilot.bench import load_run


@pytest.mark.parametrize(
    "part",
    [
        pytest.param((3, 40, 12), id="a little"),
        pytest.param((40, 400, 150), id="more", marks=[pytest.mark.slow, pytest.mark.timeout(1200)]),
    ],
)
def test_nothing_is_stopped_and_nothing_is_lost(part: tuple[int, int, int]) -> None:
    found = list(soak.soak(part, seed=0))
    assert [one.tried >= number for one, number in zip(found, part, strict=True)] == [True] * 3
    assert [(one.stopped, one.lost, one.told) for one in found] == [(0, 0, [])] * 3


def test_a_server_that_refuses_the_key_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "FAULTS", (lambda dice: Status(401),))
    found = soak.faults(1, Random(0), tmp_path)
    assert found.stopped and "key" in found.told[0]


@pytest.mark.slow
def test_a_damage_that_nobody_tells_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "load_checked", lambda folder: replace(load_run(folder), problems=()))
    monkeypatch.setattr(
        soak, "damaged", lambda content, dice: content.replace(b'"reason":"success"', b'"reason":"turns"')
    )
    found = soak.damages(20, Random(1), tmp_path)
    assert found.lost and not found.stopped
