"""A miniature MMBench-GUI level 2: the embedded world's devices under the names of the six platforms."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.mmbench_gui.level2.suite import FILE, MMBenchL2Suite
from omnipilot.bench.suites.pointing.sample_screens import (
    Case,
    Device,
    MiniScreen,
    picture,
    pixels,
    samples,
    screens,
    write_json,
)

PLATFORMS: Mapping[str, tuple[Device, str, tuple[str, ...]]] = {
    "os_windows": ("desktop", "light", ("settings", "text-editor")),
    "os_mac": ("desktop", "dark", ("settings", "text-editor")),
    "os_linux": ("desktop", "dark", ("spreadsheet", "terminal")),
    "os_ios": ("phone", "light", ("notes", "contacts")),
    "os_android": ("phone", "dark", ("messages", "tasks")),
    "os_web": ("browser", "light", ("browser",)),
}
"""Platform → device, theme and applications that stand for it."""
EACH = 2


def write(folder: Path, seed: int = 0) -> None:
    """Write about eighty records to `L2_annotations.json`, two per target, and `offline_images/<platform>/`."""
    records: list[dict[str, Any]] = []
    for platform, (device, theme, apps) in PLATFORMS.items():
        here = [s for s in screens(seed) if (s.device, s.theme) == (device, theme) and s.app in apps]
        for screen in (s for s in here if s.number == 0 or device == "browser"):
            found = _records(screen, platform)
            if found:
                picture(folder / "offline_images" / platform, screen)
            records += [{"index": len(records) + i, **record} for i, record in enumerate(found)]
    write_json(folder / FILE, records)


def _records(screen: MiniScreen, platform: str) -> list[dict[str, Any]]:
    both = [target for target in screen.targets if target.advanced and not target.distractor]
    records = []
    for kind in ("icon", "text"):
        for number, target in enumerate([target for target in both if target.kind == kind][:EACH]):
            left, top, right, bottom = edges = pixels(target, screen.size)
            width, height = screen.size.width, screen.size.height
            shares = [round(v, 4) for v in (left / width, top / height, right / width, bottom / height)]
            for mode in ("basic", "advanced"):
                records.append(
                    {
                        "image_path": screen.file,
                        "instruction": target.instruction("basic" if mode == "basic" else "advanced"),
                        # Most boxes of the original are in shares of the sides, some in pixels.
                        "bbox": list(edges) if number else shares,
                        "image_size": [width, height],
                        "data_type": kind,
                        "platform": platform,
                        "app_name": screen.app,
                        "grounding_type": mode,
                    }
                )
    return records


def sample_predictions(folder: Path) -> Path:
    """`predictions.csv` with the columns of the release's table, by the rules of `sample_screens`."""
    suite = MMBenchL2Suite(str(folder))

    def row(number: int, case: Case, point: tuple[float, float] | None) -> Mapping[str, Any]:
        spot = suite.spots[number]
        said = "I cannot find it."
        if point is not None:
            x, y = point[0] * spot.size[0], point[1] * spot.size[1]
            said = f"({point[0]:.6f}, {point[1]:.6f})" if case == "right" else f"Here: x={x:.1f}, y={y:.1f}."
        words = spot.target.basic or spot.target.advanced
        return {"index": spot.index, "instruction": words, "platform": spot.platform, "prediction": said}

    rows = samples([spot.target.box for spot in suite.spots], row)
    path = folder / "predictions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([*rows, {**rows[0], "index": 999_999}])
    return path
