"""Attributions in a file beside the forks that show them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from omnipilot.bench.attribution.causes import Attribution
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.journal.run import Run

FOLDER, FILE = "attribution", "attribution.json"
"""Of a run directory: where the forks of its episodes are, unless another is named, and the file in it."""


def write_attributions(out: Path, origin: Run, found: Sequence[Attribution]) -> Path:
    """Write what was found of a run's failures; those that are there of other episodes stay.

    Returns:
        The file: `identity` of the run, and `episodes` as `Attribution.to_json` gives them.
    """
    path = out / FILE
    kept = {}
    if path.exists():
        before = json.loads(path.read_text())
        if before.get("identity") == origin.spec.identity:
            kept = {one["key"]: one for one in before["episodes"]}
    kept |= {one.key: one.to_json() for one in found}
    order = {one.key: number for number, one in enumerate(origin.episodes)}
    episodes = sorted(kept.values(), key=lambda one: order.get(one["key"], len(order)))
    text = json.dumps({"identity": origin.spec.identity, "episodes": episodes}, ensure_ascii=False, indent=1)
    out.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    return path


def read_causes(run: Path) -> dict[str, tuple[str, str]]:
    """The cause of each attributed failure of a run, and its sentence, by the episode's key; empty where there is none.

    Args:
        run: its directory; what lies there of another run does not count.
    """
    path = run / FOLDER / FILE
    if not path.exists():
        return {}
    found = json.loads(path.read_text())
    if found.get("identity") != survey_of(run).identity:
        return {}
    return {one["key"]: (str(one["cause"]), str(one["why"])) for one in found["episodes"]}
