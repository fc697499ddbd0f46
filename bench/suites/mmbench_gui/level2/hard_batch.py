"""The next batch of pointing samples from what a grounder missed, on screens of our own pointing suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.pointing import (
    STYLES,
    Shot,
    cell_of,
    corners,
    draw_weighted,
    failure_weights,
    hard_negatives,
    read_pointing_run,
)
from omnipilot.bench.suites.pointing.suite import PointingSuite
from omnipilot.envs import Absent, Box, ConfigError


def write_batch(answers: Path, out: Path, count: int, seed: int) -> str:
    """Write `targets.jsonl`, `negatives.jsonl` and the pictures that they name; returns what was written, in words.

    Targets are of new screens, drawn with a chance in proportion to how often instructions like theirs failed.
    Negatives are of the run's own screens: what was hit instead.

    Raises:
        ConfigError: the folder holds no run of the suite `pointing`, or the seed is the run's.
    """
    spec, given = read_pointing_run(answers)
    options = _options(spec)
    if not given:
        raise ConfigError(f"{answers} has no answer yet")
    if seed == options.get("seed", 0):
        raise ConfigError(f"--seed {seed} makes the screens of the run itself; choose another one")
    weights = failure_weights(given)
    usual = sum(weights.values()) / len(weights)
    out.mkdir(parents=True, exist_ok=True)
    shots = {shot.id: shot for shot in PointingSuite(seed, web=False).shots()}
    samples: dict[str, dict[str, Any]] = {}
    chances: dict[str, float] = {}
    for shot in shots.values():
        for target in shot.targets:
            for style in STYLES:
                if (words := target.instruction(style)) and isinstance(target.box, Box):
                    name, cell = f"{target.id}/{style}", cell_of(shot, target, style)
                    # A cell that the run did not have is as likely as the mean of those that it had.
                    chances[name] = weights.get(cell, usual)
                    samples[name] = {
                        "screen": shot.id,
                        "instruction": words,
                        "bbox": corners(target.box, shot),
                        "cell": cell,
                        "weight": round(chances[name], 4),
                    }
    drawn = draw_weighted(samples, chances, count, seed)
    _write(out / "targets.jsonl", out, drawn, shots)
    again = PointingSuite(**{**options, "web": False})
    before: dict[str, Shot] = {}
    negatives = []
    for shot, answer, element in hard_negatives(again.shots(), given):
        before[shot.id] = shot
        box = corners(answer.box, shot) if isinstance(answer.box, Box) else []
        told = {"screen": shot.id, "instruction": answer.text, "bbox": box}
        negatives.append({**told, "negative": corners(element.box, shot), "hit": element.name, "role": element.role})
    _write(out / "negatives.jsonl", out, negatives, before)
    return f"{len(drawn)} targets and {len(negatives)} hard negatives in {out}"


def _options(spec: Mapping[str, Any]) -> dict[str, Any]:
    suite = spec.get("suite")
    name = suite.get("name") if isinstance(suite, dict) else suite
    if name != "pointing":
        raise ConfigError(f"hard cases are drawn from runs of the suite pointing, not of {name!r}")
    options = suite.get("options", {}) if isinstance(suite, dict) else spec.get("options", {})
    return dict(options)


def _write(file: Path, out: Path, samples: Iterable[dict[str, Any]], shots: Mapping[str, Shot]) -> None:
    lines = []
    for sample in samples:
        shot = shots[sample.pop("screen")]
        name = f"{'-'.join(shot.id.replace('/', '-').split())}.png"
        image = shot.observation.screenshot
        if not isinstance(image, Absent) and not (out / name).is_file():
            (out / name).write_bytes(image.png())
        lines.append(json.dumps({"image": name, **sample}, ensure_ascii=False))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
