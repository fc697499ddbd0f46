"""A miniature OSWorld-G in the official files: boxes, polygons and refusals on the embedded desktop."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing.evaluation import Target
from omnipilot.bench.suites.osworld_g.suite import OSWorldGSuite
from omnipilot.bench.suites.pointing.sample_screens import (
    Case,
    MiniScreen,
    picture,
    pixels,
    samples,
    some,
    stranger,
    write_json,
)

ABILITIES = {"text": "text_matching", "icon": "element_recognition"}
SMALL = 40
"""Targets of at most so many pixels need fine-grained manipulation as well."""
_TYPES = {"text": ["Label", "Button"], "icon": ["Icon", "Button"]}


def write(folder: Path, seed: int = 0) -> None:
    """Write about forty records to `OSWorld-G.json`, its refined twin, `classification_result.json` and `images/`."""
    short: list[dict[str, Any]] = []
    refined: list[dict[str, Any]] = []
    abilities: dict[str, list[dict[str, str]]] = {}
    for turn, screen in enumerate(some(seed, "desktop", 14)):
        stem = screen.file.removesuffix(".png")
        picture(folder / "images", screen)
        targets = (*screen.of("text", 2), *screen.of("icon", 1))
        for number, target in enumerate(targets):
            record = _record(screen, f"{stem}-{number}", target, polygon=number == 1)
            short.append({**record, "instruction": f'Click "{target.name}".'})
            refined.append({**record, "instruction": target.basic})
            left, top, right, bottom = pixels(target, screen.size)
            small = min(right - left, bottom - top) <= SMALL
            also = ["layout_understanding"] * (number == 1) + ["fine_grained_manipulation"] * small
            for tag in (ABILITIES[target.kind], *also):
                abilities.setdefault(tag, []).append({"id": record["id"]})
        if turn % 2:
            id = f"{stem}-{len(targets)}"
            refused = {
                **_shared(screen, id),
                "instruction": stranger(seed, screen, turn),
                "box_type": "refusal",
                "box_coordinates": [-1, -1, -1, -1],
                "GUI_types": ["Icon"],
            }
            short.append(refused)
            refined.append(refused)
            abilities.setdefault("refusal", []).append({"id": id})
    write_json(folder / "OSWorld-G.json", short)
    write_json(folder / "OSWorld-G_refined.json", refined)
    write_json(folder / "classification_result.json", {"classified": abilities})


def _shared(screen: MiniScreen, id: str) -> dict[str, Any]:
    return {"id": id, "image_path": screen.file, "image_size": [screen.size.width, screen.size.height]}


def _record(screen: MiniScreen, id: str, target: Target, polygon: bool) -> dict[str, Any]:
    left, top, right, bottom = pixels(target, screen.size)
    x, y = (left + right) / 2, (top + bottom) / 2
    rhomb = [left, y, x, top, right, y, x, bottom]
    return {
        **_shared(screen, id),
        "box_type": "polygon" if polygon else "bbox",
        "box_coordinates": rhomb if polygon else [left, top, right - left, bottom - top],
        "GUI_types": _TYPES[target.kind],
    }


def sample_predictions(folder: Path) -> Path:
    """`predictions.jsonl` with rows of id and point in pixels, by the rules of `sample_screens`."""
    suite = OSWorldGSuite(str(folder))

    def row(number: int, case: Case, point: tuple[float, float] | None) -> Mapping[str, Any]:
        spot = suite.spots[number]
        if spot.box_type == "refusal" and case not in ("wrong", "unreadable"):
            return {"id": spot.target.id, "point": [-1, -1]}
        width, height = spot.size
        return {"id": spot.target.id, "point": None if point is None else [point[0] * width, point[1] * height]}

    rows = samples([spot.target.box for spot in suite.spots], row)
    path = folder / "predictions.jsonl"
    lines = [json.dumps(one) for one in (*rows, {"id": "nobody", "point": [1, 2]})]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
