"""How the site reads docstrings: a row for each name, whatever stands in one line of the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from shared_folders import ROOT
from site_docstrings import entry_names, regroup

ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")
NAME = re.compile(r"\**[A-Za-z_]\w*")


def test_names_of_one_line_become_rows_of_their_own() -> None:
    written = """What it is.

    Attributes:
        low, high: its ends; None: there
            are none. level: of confidence. note: in `words: here`, and
            further ones.

    Args:
        seed: of chance. otherwise: it is random.

    Returns:
        model: its name

    Raises:
        ConfigError, EnvLost: it is gone. MissingExtra: a package is.
    """
    assert regroup(written, {"low", "high", "level", "note", "seed"}).split("\n")[2:] == [
        "    Attributes:",
        "        low: its ends; None: there are none.",
        "        high: its ends; None: there are none.",
        "        level: of confidence.",
        "        note: in `words: here`, and further ones.",
        "",
        "    Args:",
        "        seed: of chance. otherwise: it is random.",
        "",
        "    Returns:",
        "        `model`: its name",
        "",
        "    Raises:",
        "        ConfigError: it is gone.",
        "        EnvLost: it is gone.",
        "        MissingExtra: a package is.",
        "    ",
    ]


def test_a_list_in_an_entry_stays_as_it_is() -> None:
    written = "    Args:\n        kind: one of\n            - a: this\n            - b: that\n"
    assert regroup(written, {"kind", "a", "b"}) == written


def docstrings() -> Iterator[tuple[str, str, set[str]]]:
    """Where each docstring stands, its text, and the names of its class or function."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
                    inner = [node, *(one for one in ast.walk(node) if isinstance(one, ast.FunctionDef))]
                    names = {arg.arg for one in inner if isinstance(one, ast.FunctionDef) for arg in one.args.args}
                    names |= {one.target.id for one in ast.walk(node) if _is_field(one)}  # type: ignore[attr-defined]
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", text, names


def _is_field(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


@pytest.mark.slow
def test_every_docstring_names_what_a_row_can_be_of() -> None:
    mangled = [
        f"{where}: {name!r}"
        for where, text, known in docstrings()
        for name in entry_names(regroup(text, known))
        if not NAME.fullmatch(name)
    ]
    assert mangled == [], "write `name: what it is`, or `one, other: what they are`"
