"""A folder that `datasets.load_dataset` reads: JSON lines by split, pictures by hash, parquet, and a card.

Rows are written as they come, so a pool of any size fits. Parquet files hold the same rows with the pictures inside:
what is nested in a row stands there as JSON text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.doors.hf_dataset import write_parquet
from omnipilot.bench.suites.pool.export.files import PictureFolder
from omnipilot.envs.types import install_line, require

SPLITS = ("train", "test")
PARQUET_WORDS = (
    " In `data/*.parquet` the pictures are in the column `images`, each once a row, and what is nested is JSON text."
)


@dataclass(slots=True)
class Card:
    """What the card of a data set says.

    Attributes:
        title, about: heading and a paragraph. command: that wrote it. licence: an identifier of the Hugging Face hub.
        seed: of what was drawn. fields: name → what it is, of a row. tested: subtasks that are held out.
        templates, tasks, levels: of the rows of each split; levels as numbers of tasks. left_out: counts by reason.
    """

    title: str
    about: str
    command: str
    licence: str
    seed: int
    fields: Mapping[str, str]
    tested: Sequence[str] = ()
    templates: Mapping[str, set[str]] = field(default_factory=lambda: {name: set() for name in SPLITS})
    tasks: Mapping[str, set[str]] = field(default_factory=lambda: {name: set() for name in SPLITS})
    levels: Mapping[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in SPLITS})
    left_out: Counter[str] = field(default_factory=Counter)


class DatasetFolder:
    """Writes the rows of a data set as they come.

    Args:
        root: the folder; it is made.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pictures = PictureFolder(root)
        self.counts: Counter[str] = Counter()
        (root / "data").mkdir(parents=True, exist_ok=True)

    def write(self, split: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Append rows to a split; returns their number."""
        count = 0
        with (self.root / "data" / f"{split}.jsonl").open("a", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
        self.counts[split] += count
        return count

    def finish(self, card: Card) -> list[str]:
        """Write the card, and parquet files where the extra `hub` is installed; returns what was written, in lines."""
        parquet = [split for split in SPLITS if self.counts[split]] if _has_hub() else []
        for split in parquet:
            write_parquet(self.root / "data" / f"{split}.parquet", self._flat(split), self._features(split))
        (self.root / "README.md").write_text(self._card(card, bool(parquet)), encoding="utf-8")
        lines = [
            f"{self.counts['train']} rows to train on, {self.counts['test']} of the test, "
            f"{len(self.pictures)} pictures in {self.root}",
            *(f"left out: {count} {reason}" for reason, count in card.left_out.most_common()),
        ]
        return lines if parquet else [*lines, f"no parquet files: {install_line('hub')} and write it again"]

    def _rows(self, split: str) -> Iterator[dict[str, Any]]:
        with (self.root / "data" / f"{split}.jsonl").open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def _flat(self, split: str) -> Iterator[dict[str, Any]]:
        for row in self._rows(split):
            names = list(dict.fromkeys(picture_paths(row)))
            flat = {
                name: value if isinstance(value, str | int | float) else _text(value) for name, value in row.items()
            }
            images = [{"bytes": (self.root / name).read_bytes(), "path": name} for name in names]
            yield {**flat, "images": images}

    def _features(self, split: str) -> Any:
        datasets: Any = require("datasets", "hub")
        kinds = {int: "int64", float: "float64", str: "string"}
        row = next(self._rows(split))
        columns = {name: datasets.Value(kinds.get(type(value), "string")) for name, value in row.items()}
        return datasets.Features({**columns, "images": datasets.List(datasets.Image())})

    def _card(self, card: Card, parquet: bool) -> str:
        ending = "parquet" if parquet else "jsonl"
        files = [f"  - split: {split}\n    path: data/{split}.{ending}" for split in SPLITS if self.counts[split]]
        head = [
            "---",
            f"license: {card.licence}",
            f"pretty_name: {card.title}",
            "tags: [gui, agents, synthetic]",
            "configs:",
            "- config_name: default",
            "  data_files:",
            *files,
            "---",
        ]
        splits = [
            f"| {split} | {self.counts[split]} | {len(card.tasks[split])} | {len(card.templates[split])} |"
            for split in SPLITS
        ]
        levels = sorted({level for split in SPLITS for level in card.levels[split]})
        body = [
            f"# {card.title}",
            "",
            card.about,
            "",
            "| split | rows | tasks | templates |",
            "|---|---:|---:|---:|",
            *splits,
            "",
            "Subtasks that are held out occur in no row to train on; a task of the test has at least one of them."
            + (f" Held out here: {', '.join(card.tested)}." if card.tested else ""),
            "",
            "| level of a subtask | tasks to train on | tasks of the test |",
            "|---|---:|---:|",
            *(f"| {level} | {card.levels['train'][level]} | {card.levels['test'][level]} |" for level in levels),
            "",
            "## A row",
            "",
            "| field | what it is |",
            "|---|---|",
            *(f"| `{name}` | {what} |" for name, what in card.fields.items()),
            "",
            "Files `data/*.jsonl` name pictures by path, `images/HASH.png`." + (PARQUET_WORDS if parquet else ""),
            "",
            "## How it was made",
            "",
            f"```sh\n{card.command}\n```",
            "",
            f"Seed {card.seed}; licence {card.licence}. Everything was played on the embedded world, judged, and kept "
            "only where it was solved.",
            *(["", "Left out:", "", *_listed(card.left_out)] if card.left_out else []),
            "",
        ]
        return "\n".join([*head, "", *body])


def picture_paths(value: Any) -> Iterator[str]:
    """The paths of pictures in a row, in order."""
    if isinstance(value, str):
        if value.startswith("images/") and value.endswith(".png"):
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from picture_paths(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from picture_paths(one)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(left_out: Counter[str]) -> list[str]:
    return [f"- {count}: {reason}" for reason, count in left_out.most_common()]


def _has_hub() -> bool:
    from importlib.util import find_spec

    return find_spec("datasets") is not None
