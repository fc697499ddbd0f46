"""A folder of documentation: what a model is told of an application besides its screens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omnipilot.envs import ConfigError

ENDINGS = (".md", ".txt", ".rst")
MOST_CHARACTERS = 6000
EXAMPLES = "examples"
"""Name of the file with examples of subtasks, one a line."""


class Documentation:
    """A folder with a text for each application, named by it (`notes.md`, `text-editor.md`), and perhaps `examples.md`.

    Args:
        folder: None for no documentation.

    Raises:
        ConfigError: the folder is missing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise ConfigError(f"there is no folder {folder} with documentation; --docs names one with a file for each app")
        self._files = {} if folder is None else _texts(folder)

    def of(self, app: str, title: str) -> str:
        """What is written about an application, by its name or its title, shortened; "" if nothing is."""
        for name in (app, title.lower().replace(" ", "-"), title.lower().replace(" ", "_"), title.lower()):
            if name in self._files:
                return _read(self._files[name])
        return ""

    def examples(self) -> Sequence[str]:
        """Examples of subtasks; none where there is no file of them."""
        text = _read(self._files[EXAMPLES]) if EXAMPLES in self._files else ""
        return [line.strip("-* ").strip() for line in text.splitlines() if line.strip("-*# ").strip()]


def _texts(folder: Path) -> dict[str, Path]:
    return {path.stem.lower(): path for path in sorted(folder.iterdir()) if path.suffix in ENDINGS}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")[:MOST_CHARACTERS].strip()
