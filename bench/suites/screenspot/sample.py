"""A miniature ScreenSpot v1: the embedded world's phone, desktop and browser in the official files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing.data import DataPointing
from omnipilot.bench.suites.pointing.sample_screens import Case, Device, picture, pixels, samples, some, write_json
from omnipilot.bench.suites.screenspot.suite import ScreenSpotItem, ScreenSpotSuite

PLATFORMS: dict[str, Device] = {"mobile": "phone", "desktop": "desktop", "web": "browser"}
ORIGINS = {"mobile": ("android", "ios"), "desktop": ("windows", "macos"), "web": ("shop", "forum")}


def write(folder: Path, seed: int = 0) -> None:
    """Write about fifty targets to `screenspot_<platform>.json` and `screenspot_imgs/`."""
    write_files(folder, seed, "", "screenspot_imgs")


def write_files(folder: Path, seed: int, tail: str, images: str) -> None:
    """Write the files of v1, or those of v2 with another suffix and folder."""
    for platform, device in PLATFORMS.items():
        records = []
        for screen in some(seed, device, 6):
            name = picture(folder / images, screen)
            for target in (*screen.of("text", 2), *screen.of("icon", 2)):
                left, top, right, bottom = pixels(target, screen.size)
                records.append(
                    {
                        "img_filename": name,
                        "bbox": [left, top, right - left, bottom - top],
                        "instruction": target.basic,
                        "data_type": target.kind,
                        "data_source": ORIGINS[platform][screen.theme == "dark"],
                    }
                )
        write_json(folder / f"screenspot_{platform}{tail}.json", records)


def sample_predictions(folder: Path) -> Path:
    """`predictions.json` with rows as SeeClick writes them, by the rules of `sample_screens`, and one for no target."""
    return write_samples(folder, ScreenSpotSuite(str(folder)))


def write_samples(folder: Path, suite: DataPointing[ScreenSpotItem]) -> Path:
    """The rows for a version's targets."""

    def row(number: int, case: Case, point: tuple[float, float] | None) -> Mapping[str, Any]:  # noqa: ARG001
        spot = suite.spots[number]
        sides = (*spot.size, *spot.size)
        return {
            "img_path": spot.screen.name,
            "text": spot.target.basic,
            "bbox": [edge / side for edge, side in zip(spot.box, sides, strict=True)],
            "pred": None if point is None else list(point),
            "type": spot.ui_type,
            "source": spot.origin,
        }

    rows = samples([spot.target.box for spot in suite.spots], row)
    path = folder / "predictions.json"
    stray = {**rows[0], "text": "what is on no screen"}
    write_json(path, [*rows, stray])
    return path
