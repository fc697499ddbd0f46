"""`python docs/figures/tutorial_notebook.py docs/tutorial.ipynb`: the tutorial as a notebook, made from its page.

Blocks of Python become cells; those of commands too, a `!` before each; a block that says which file it is writes it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import typer

PAGE = Path(__file__).resolve().parents[1] / "tutorial.md"
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def notebook(page: str) -> str:
    """The notebook of a page, as JSON."""
    cells = []
    end = 0
    for found in FENCE.finditer(page):
        cells.append(_words(page[end : found.start()]))
        cells.append(_code(_command_lines(found[2]) if found[1] == "sh" else _python(found[2])))
        end = found.end()
    cells.append(_words(page[end:]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _python(code: str) -> str:
    file = re.match(r"# (\w+\.py)\n", code)
    return f"%%writefile {file[1]}\n{code}" if file else code


def _command_lines(block: str) -> str:
    """Commands of a shell as IPython has them: a variable that is set holds for those after it."""
    lines = []
    for line in re.sub(r" *\\\n *", " ", block).splitlines():
        variable = re.fullmatch(r"export (\w+)=(.*)", line)
        lines.append(f"%env {variable[1]}={variable[2]}" if variable else f"!{line}")
    return "\n".join(lines)


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip().splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    lines = text.strip().splitlines(keepends=True)
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": lines}


def main(path: Path) -> None:
    """Write the notebook into a file."""
    path.write_text(notebook(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    typer.run(main)
