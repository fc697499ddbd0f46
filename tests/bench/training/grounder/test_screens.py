"""Screens that the small grounder is trained on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.bench.suites.pointing.sim_screens import LOOKS
from omnipilot.bench.training.grounder.screens import FAMILY, read_screens, write_screens
from omnipilot.envs import ConfigError, Image, Size

EACH = 15


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("screens")
    write_screens(made, [100], LOOKS[:1])
    return made


def test_a_picture_has_the_size_at_which_it_is_sent_and_boxes_lie_in_it(folder: Path) -> None:
    found = read_screens([folder / "00100.jsonl"])
    assert len(found) > EACH and len({screen.id for _, screen in found}) == len(found)
    for picture, screen in found:
        size = Image.encoded(picture.read_bytes()).size
        assert size == Size(*screen.size) == FAMILY.sent_size(size)
        assert size.pixels <= 448 * 280
        for text, (left, top, right, bottom) in screen.asked:
            assert text and 0 <= left < right <= 1 and 0 <= top < bottom <= 1


def test_what_is_there_is_kept(folder: Path) -> None:
    path = folder / "00100.jsonl"
    before = path.stat().st_mtime_ns
    write_screens(folder, [100], LOOKS[:1])
    assert path.stat().st_mtime_ns == before


def test_what_is_kept_for_measuring_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="instance 99 of pointing is kept for measuring"):
        write_screens(tmp_path, [99], LOOKS[:1])
    line = json.loads((folder / "00100.jsonl").read_text().splitlines()[0])
    (tmp_path / "00100.jsonl").write_text(json.dumps({**line, "instance": 0}) + "\n")
    with pytest.raises(ConfigError, match="instance 0 of pointing is kept for measuring"):
        read_screens([tmp_path / "00100.jsonl"])
    (tmp_path / "00100.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match=r"jsonl:1 is no TrainingScreen"):
        read_screens([tmp_path / "00100.jsonl"])
