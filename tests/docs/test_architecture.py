"""docs/architecture.md tells the truth: what it names is there, and its tree is that of the folders."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import numpy as np
import pytest
from architecture_picture import architecture
from PIL import Image as pil
from shared_folders import ROOT, SOURCES

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
FENCED = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
TEXT = FENCED.sub("", PAGE)
"""The page without its blocks of code and drawings."""
PATH = re.compile(r"[\w-]+(?:/[\w*.-]+)+/?|[\w-]+/|\w+\.py")
PLAIN = {"data.py", "score.py", "metrics.py", "metrics/", "__init__.py"}
"""Names that many folders have."""
OTHERS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md") if path.name != "architecture.md")
YET_TO_WRITE = re.compile(r"/(test_)?mine[./]")
"""Files that a page tells its reader to write."""


def named_paths(text: str) -> list[str]:
    """What stands in backticks and looks like a file or a folder."""
    spans = re.findall(r"`([^`\n]+)`", text)
    return [one for one in spans if PATH.fullmatch(one)]


def missing_paths(text: str) -> list[str]:
    """Those that are not in the repository: a folder ends with a slash, `*` stands for any text."""
    return [
        path
        for path in named_paths(text)
        if path not in PLAIN
        and not any(found.is_dir() == path.endswith("/") for found in ROOT.glob(path.removesuffix("/")))
    ]


def drawn_packages(text: str) -> list[str]:
    """The packages of the tree that the page draws: two spaces a level, a name with a slash, then what it holds."""
    (tree,) = [block for kind, block in FENCED.findall(text) if kind == "text" and block.startswith("envs/")]
    found: list[str] = []
    above: list[str] = []
    for line in tree.splitlines():
        indent, name, said = re.fullmatch(r"( *)(\w+)/ +(\S.*)", line).groups()  # type: ignore[union-attr]
        above = [*above[: len(indent) // 2], name]
        assert len(above) == len(indent) // 2 + 1, f"too far to the right: {line}"
        assert said
        found.append("/".join(above))
    return found


def test_every_path_is_there() -> None:
    assert missing_paths(TEXT) == []
    assert len(named_paths(TEXT)) > 80


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *OTHERS])
def test_the_paths_of_other_documents_are_there(page: str) -> None:
    missing = missing_paths(FENCED.sub("", (ROOT / page).read_text(encoding="utf-8")))
    ours = [path for path in missing if path.startswith(tuple(f"{room}/" for room in (*SOURCES, "tests", "docs")))]
    assert [path for path in ours if not YET_TO_WRITE.search(path)] == []


@pytest.mark.parametrize("path", ["envs/nowhere.py", "envs/nowhere/", "envs/base/", "envs/web", "planners/x_*.md"])
def test_a_path_that_is_not_there_is_found(path: str) -> None:
    assert missing_paths(f"see `{path}` and `envs/base.py`, `envs/web/`, `planners/chat/prompt_*.md`") == [path]


def test_the_tree_is_that_of_the_folders() -> None:
    drawn = drawn_packages(PAGE)
    there = {
        path.parent.relative_to(ROOT).as_posix() for room in SOURCES for path in (ROOT / room).rglob("__init__.py")
    }
    assert sorted(drawn) == sorted(there)


def test_the_imports_of_the_page_work() -> None:
    (code,) = [block for kind, block in FENCED.findall(PAGE) if kind == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_every_row_says_where_to_look() -> None:
    rows = re.findall(r"^\| .*", TEXT.partition("## Where to look")[2].partition("\n## ")[0], re.MULTILINE)[1:]
    assert len(rows) >= 40
    assert [row for row in rows if not named_paths(row)] == []


def test_the_picture_is_the_one_that_is_made() -> None:
    kept, made = (
        np.asarray(pil.open(io.BytesIO(png)).convert("RGB"), np.int16)
        for png in ((ROOT / "docs/pictures/architecture.png").read_bytes(), architecture().png())
    )
    assert kept.shape == made.shape and np.abs(kept - made).mean() < 1.0, (
        "run: python docs/figures/architecture_picture.py docs/pictures/architecture.png"
    )
