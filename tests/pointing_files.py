"""Files of pointing benchmarks made by hand, and a grounder that knows where everything is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing_data import DataPointing
from omnipilot.bench.pointing_place import Nowhere, Polygon
from omnipilot.bench.pointing_registry import POINTING
from omnipilot.envs.actions import Described
from omnipilot.envs.geometry import Point
from omnipilot.envs.media import Image
from omnipilot.envs.observation import Modality, Observation
from omnipilot.grounders.base import Abstention, Grounding


def picture(path: Path, width: int = 200, height: int = 100, shade: int = 200) -> None:
    """A plain picture."""
    from PIL import Image as Pictures

    path.parent.mkdir(parents=True, exist_ok=True)
    Pictures.new("RGB", (width, height), (shade, shade, shade)).save(path)


def put(path: Path, data: Any) -> Path:
    """A file of JSON, or of its lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, data)) if lines else json.dumps(data), encoding="utf-8")
    return path


def without(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The record less a field."""
    return {key: value for key, value in record.items() if key != name}


def told(suite: DataPointing[Any]) -> Sequence[str]:
    """What is said of the bad records."""
    return [str(bad) for bad in suite.bad]


class Perfect:
    """Points at the middle of what is meant, or says that it is not there; it has read the truth."""

    needs = reads = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})

    def __init__(self, suite: str, data: str, option: str = "") -> None:
        name, _, value = option.partition("=")
        given = {name: True if value == "true" else value} if name else {}
        made = POINTING.make(suite, {"data": data, **given})
        self.seen: list[Observation] = []
        self._truth = {}
        for shot in made.shots():
            assert isinstance(shot.observation.screenshot, Image)
            for target in shot.targets:
                words = target.basic or target.advanced
                self._truth[words, shot.observation.screenshot.digest] = target.box

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        self.seen.append(observation)
        assert isinstance(observation.screenshot, Image)
        place = self._truth[str(target), observation.screenshot.digest]
        if isinstance(place, Nowhere):
            return Abstention("not_found", "it is not there")
        if isinstance(place, Polygon):
            corners = place.corners
            return Grounding(Point(sum(c.x for c in corners) / len(corners), sum(c.y for c in corners) / len(corners)))
        return Grounding(place.center)
