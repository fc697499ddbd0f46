"""OmniACT's miniature with predictions in OS-Atlas's form."""

from __future__ import annotations

import json
from pathlib import Path

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.android_control.sample import amiss
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import load
from omnipilot.bench.suites.os_atlas.score import truth_of


def write(folder: Path, seed: int = 0) -> None:
    """Write the data, as `omnipilot.bench.suites.omniact.sample` does."""
    mini_omniact.write(folder, seed)


def sample_predictions(folder: Path) -> Path:
    """Replies for the test split, derived from the truth by a fixed rule.

    Of the n-th task's lines the last is missing where n mod 5 is 4, the first is amiss by the rule of AndroidControl's
    miniature with k = n mod 7, and the others are right. Every eleventh reply is missing.
    """
    path = folder / "predictions_os_atlas.jsonl"
    with path.open("w", encoding="utf-8") as rows:
        for number, item in enumerate(load(Source.open(str(folder), ""), "test").items):
            first, *rest = (truth_of(item) or "").split("\n")
            said = "\n".join([amiss(first, number % 7), *(rest[:-1] if number % 5 == 4 else rest)])
            if number % 11 != 10:
                rows.write(json.dumps({"id": item.id, "pred": said}) + "\n")
    return path
