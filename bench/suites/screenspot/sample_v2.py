"""A miniature ScreenSpot v2: the miniature of v1 with the file names of v2."""

from __future__ import annotations

from pathlib import Path

from omnipilot.bench.suites.screenspot.sample import write_files, write_samples
from omnipilot.bench.suites.screenspot.suite import ScreenSpotV2Suite


def write(folder: Path, seed: int = 0) -> None:
    """Write about fifty targets to `screenspot_<platform>_v2.json` and `screenspotv2_image/`."""
    write_files(folder, seed, "_v2", "screenspotv2_image")


def sample_predictions(folder: Path) -> Path:
    """Sample predictions as for v1."""
    return write_samples(folder, ScreenSpotV2Suite(str(folder)))
