"""The pictures of docs/duet.md are those that its command makes."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from duet_pictures import PICTURES, main
from numpy.typing import NDArray
from PIL import Image

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMAND = "python docs/figures/duet_pictures.py docs/pictures"
LARGEST = 60_000


def pixels(file: bytes) -> NDArray[np.int16]:
    return np.asarray(Image.open(BytesIO(file)).convert("RGB")).astype(np.int16)


def test_the_document_shows_every_picture_and_names_the_command() -> None:
    text = (DOCS / "duet.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^\]]+\]\(pictures/([\w.]+)\)", text) == list(PICTURES)
    assert COMMAND in text
    assert set(PICTURES) <= {path.name for path in (DOCS / "pictures").iterdir()}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_up_to_date(name: str) -> None:
    """Its bytes hang on the versions of the compressor and of the scaler too, what it shows does not."""
    shown = (DOCS / "pictures" / name).read_bytes()
    assert len(shown) <= LARGEST
    old, new = pixels(shown), pixels(PICTURES[name]().png())
    assert old.shape == new.shape, f"it changed: {COMMAND}"
    apart = np.abs(old - new)
    assert apart.mean() < 1 and (apart.max(axis=2) > 64).mean() < 0.001, f"it changed: {COMMAND}"


def test_the_command_writes_the_same_bytes_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet_pictures.PICTURES", {"task.png": PICTURES["task.png"]})
    for folder in ("one", "two"):
        main([str(tmp_path / folder)])
    assert (tmp_path / "one" / "task.png").read_bytes() == (tmp_path / "two" / "task.png").read_bytes()
    with pytest.raises(SystemExit, match="FOLDER"):
        main([])
