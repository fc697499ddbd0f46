"""A miniature ScreenSpot-Pro: programs of the embedded desktop, each in the closest group.

Some records have no target, which the published data does not know: `gt_type` is negative and there is no box.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.pointing.sample_screens import (
    Case,
    MiniScreen,
    picture,
    pixels,
    samples,
    screens,
    stranger,
    write_json,
)
from omnipilot.bench.suites.screenspot.pro.suite import ScreenSpotProSuite

GROUPS = {
    "text-editor": "Dev",
    "terminal": "Dev",
    "video-player": "Creative",
    "signals": "CAD",
    "spreadsheet": "Scientific",
    "mail": "Office",
    "settings": "OS",
}
PLATFORMS = {"light": "windows", "dark": "linux"}


def write(folder: Path, seed: int = 0) -> None:
    """Write about fifty records to `annotations/<application>_<platform>.json` and `images/`."""
    for theme, platform in PLATFORMS.items():
        for number, (app, group) in enumerate(GROUPS.items()):
            screen = next(
                s for s in screens(seed) if (s.device, s.theme, s.app, s.number) == ("desktop", theme, app, 0)
            )
            application = app.replace("-", "_")
            name = picture(folder / "images", screen, f"{application}_{platform}/screenshot_{seed}.png")
            shared = {
                "img_filename": name,
                "application": application,
                "platform": platform,
                "img_size": [screen.size.width, screen.size.height],
                "group": group,
            }
            records = _records(screen, shared, f"{application}_{platform}")
            if number % 2:
                records.append(_absent(screen, shared, f"{application}_{platform}_{len(records)}", seed, number))
            write_json(folder / "annotations" / f"{application}_{platform}.json", records)


def _records(screen: MiniScreen, shared: Mapping[str, Any], stem: str) -> list[dict[str, Any]]:
    return [
        {
            **shared,
            "bbox": list(pixels(target, screen.size)),
            "instruction": target.basic,
            "instruction_cn": f"点击“{target.name}”。",
            "id": f"{stem}_{number}",
            "ui_type": target.kind,
        }
        for number, target in enumerate((*screen.of("text", 2), *screen.of("icon", 2)))
    ]


def _absent(screen: MiniScreen, shared: Mapping[str, Any], id: str, seed: int, turn: int) -> dict[str, Any]:
    words = stranger(seed, screen, turn)
    kind = "text" if turn % 4 == 1 else "icon"
    return {**shared, "instruction": words, "instruction_cn": words, "id": id, "ui_type": kind, "gt_type": "negative"}


def sample_predictions(folder: Path) -> Path:
    """`predictions.json` in the release's form: "details" with points in pixels, by the rules of `sample_screens`."""
    suite = ScreenSpotProSuite(str(folder), gt_type="all")

    def row(number: int, case: Case, point: tuple[float, float] | None) -> Mapping[str, Any]:
        spot = suite.spots[number]
        width, height = spot.size
        told = {"unreadable": "wrong_format", "wrong": "positive"}.get(case, "negative")
        return {
            "img_path": spot.screen.name,
            "group": spot.group,
            "platform": spot.platform,
            "application": spot.application,
            "lang": "en",
            "instruction_style": "instruction",
            "prompt_to_evaluate": spot.target.basic,
            "gt_type": spot.truth,
            "ui_type": spot.ui_type,
            "pred": None if point is None else [point[0] * width, point[1] * height],
            **({"bbox": list(spot.box)} if spot.box is not None else {"result": told}),
        }

    rows = samples([spot.target.box for spot in suite.spots], row)
    stray = {**rows[0], "prompt_to_evaluate": "what is on no screen"}
    path = folder / "predictions.json"
    write_json(path, {"details": [*rows, stray], "metrics": {}})
    return path
