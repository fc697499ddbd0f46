"""Icons by SSIM, with pictures that are drawn here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as pil
from PIL import ImageDraw

from omnipilot.envs import ConfigError
from omnipilot.grounders.sources.detact.icons import ALIKE, IconPack, ssim

LINES = {
    "close": [(8, 8, 40, 40), (40, 8, 8, 40)],
    "check": [(8, 26, 20, 38), (20, 38, 40, 10)],
    "menu": [(8, 12, 40, 12), (8, 24, 40, 24), (8, 36, 40, 36)],
    "down": [(8, 16, 24, 34), (24, 34, 40, 16)],
}
INK, PAPER = (0, 0, 0), (255, 255, 255)


def draw(name: str, ink: tuple[int, int, int] = INK, paper: tuple[int, int, int] = PAPER) -> NDArray[np.uint8]:
    """An icon of 48 x 48 pixels."""
    picture = pil.new("RGB", (48, 48), paper)
    pen = ImageDraw.Draw(picture)
    for line in LINES[name]:
        pen.line(line, fill=ink, width=5)
    return np.asarray(picture)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the pack."""
    for name in LINES:
        pil.fromarray(draw(name)).save(tmp_path / f"{name}-2.png")
    (tmp_path / "LICENSE").write_text("no picture")
    return tmp_path


def plain_ssim(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The definition, window by window."""
    line = np.exp(-(np.arange(-5, 6) ** 2) / (2 * 1.5**2))
    weights = np.outer(line, line) / line.sum() ** 2
    found = []
    for top in range(one.shape[0] - 10):
        for left in range(one.shape[1] - 10):
            x, y = (part[top : top + 11, left : left + 11] for part in (one, other))
            mx, my = (weights * x).sum(), (weights * y).sum()
            vx, vy = (weights * (x - mx) ** 2).sum(), (weights * (y - my) ** 2).sum()
            both = (weights * (x - mx) * (y - my)).sum()
            top_part = (2 * mx * my + 0.01**2) * (2 * both + 0.03**2)
            found.append(top_part / ((mx**2 + my**2 + 0.01**2) * (vx + vy + 0.03**2)))
    return float(np.mean(found))


def test_ssim_is_that_of_its_definition() -> None:
    draws = np.random.default_rng(0)
    one = draws.random((20, 24))
    others = np.stack([one, 1 - one, draws.random((20, 24)), np.clip(one + 0.1, 0, 1)])
    found = ssim(one.astype(np.float32), others.astype(np.float32))
    assert found == pytest.approx([plain_ssim(one, other) for other in others], abs=2e-4)
    assert found[0] == pytest.approx(1, abs=1e-5)


def test_the_paper_form_knows_an_icon_as_it_is_drawn_and_only_so(folder: Path) -> None:
    pack = IconPack.read(folder, strict=True)
    assert set(pack.names) == set(LINES)
    assert [(one.name, one.likeness > 0.999) for one in pack.match([draw(name) for name in LINES])] == [
        (name, True) for name in LINES
    ]
    assert all(one.likeness < ALIKE for one in pack.match([draw(name, PAPER, INK) for name in LINES]))


@pytest.mark.parametrize(
    ("ink", "paper"), [(PAPER, INK), ((255, 255, 255), (30, 90, 200)), ((90, 100, 110), (250, 250, 252))]
)
def test_otherwise_colour_and_what_is_around_it_do_not_count(
    folder: Path, ink: tuple[int, int, int], paper: tuple[int, int, int]
) -> None:
    regions = [np.pad(draw(name, ink, paper), ((9, 4), (3, 16), (0, 0)), mode="edge") for name in LINES]
    found = IconPack.read(folder).match(regions)
    assert [one.name for one in found] == list(LINES)
    assert min(one.likeness for one in found) >= ALIKE


def test_a_button_around_an_icon_does_not_hide_it(folder: Path) -> None:
    button = np.full((80, 80, 3), 240, np.uint8)
    button[6:74, 6:74] = (30, 90, 200)
    button[16:64, 16:64] = draw("check", PAPER, (30, 90, 200))
    (found,) = IconPack.read(folder).match([button])
    assert found.name == "check" and found.likeness >= ALIKE


def test_the_best_of_a_shortlist_is_the_best_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(1)
    shapes = [np.kron(draws.integers(0, 2, (6, 6, 1)), np.ones((8, 8, 3))) * 255 for _ in range(60)]
    pictures = [(f"shape {n}", one.astype(np.uint8)) for n, one in enumerate(shapes)]
    regions = [np.clip(one.astype(float) + draws.normal(0, 20, one.shape), 0, 255).astype(np.uint8) for one in shapes]
    few = IconPack(pictures).match(regions)
    monkeypatch.setattr("omnipilot.grounders.sources.detact.icons.SHORTLIST", 1000)
    assert [one.name for one in IconPack(pictures).match(regions)] == [one.name for one in few]


def test_blank_and_thin_regions_are_no_icon(folder: Path) -> None:
    blank = [np.full((1, 1, 3), 7, np.uint8), np.full((30, 200, 3), 255, np.uint8), np.zeros((12, 12, 3), np.uint8)]
    assert all(one.likeness < ALIKE for one in IconPack.read(folder).match(blank))
    assert IconPack.read(folder).match([]) == []


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match=r"trash\.png"):
            IconPack.read(place)


def test_the_identity_is_that_of_the_pictures(folder: Path) -> None:
    before = IconPack.read(folder).digest
    pil.fromarray(draw("menu", (9, 9, 9))).save(folder / "menu-2.png")
    assert IconPack.read(folder).digest != before
