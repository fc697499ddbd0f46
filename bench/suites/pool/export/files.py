"""Files of an export: pictures by what is in them, JSON, and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs import Image
from omnipilot.memory.store import write_atomically

IMAGES = "images"


class PictureFolder:
    """Pictures of an export, each once, named by the digest of its pixels.

    Args:
        root: the export's folder; pictures lie in `images` in it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names: dict[str, str] = {}

    def add(self, image: Image) -> str:
        """Keep a picture; returns its path relative to the export's folder."""
        digest = image.digest
        if digest not in self._names:
            name = f"{IMAGES}/{digest[:32]}.png"
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_bytes(image.png())
            self._names[digest] = name
        return self._names[digest]

    def __len__(self) -> int:
        return len(self._names)


def write_json(path: Path, content: Any) -> None:
    """Write an object as indented JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode())


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write objects as JSON lines; returns their number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count
