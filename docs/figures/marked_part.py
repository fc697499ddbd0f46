"""The part of a document that a command writes: what stands between two marks."""

from __future__ import annotations

from pathlib import Path


def write_part(path: Path, begin: str, end: str, found: str) -> None:
    """Exchange what stands between two marks of a document."""
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    path.write_text(f"{before}{begin}\n\n{found}\n\n{end}{after}", encoding="utf-8")
