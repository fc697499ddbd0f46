"""The faults that `tests/perf/mutation.py` puts into the source: which there are, and that they are found again."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).with_name("mutants.py")

SOURCE = '''
"""A module's docstring."""
LIMIT = 3

def first(items: list["int"], most: int = 5) -> "str | None":
    """A docstring, 1 + 1."""
    if not items or len(items) > most:
        raise ValueError("too many " + "items")
    record(items)
    count: "int" = most * 2
    return f"{count + 1}" if items[1:count] else "ä", items[0] == count

class Thing:
    """Another, 2 < 3."""

    def ready(self) -> bool:
        return True
'''
CHANGES = {
    "not items or len(items) > most → not (not items or len(items) > most)",
    "not items or len(items) > most → not items and len(items) > most",
    "not items → items",
    "len(items) > most → len(items) >= most",
    "len(items) > most → len(items) <= most",
    "record(items) → None",
    "most * 2 → most / 2",
    "2 → 3",
    "2 → 1",
    "items[1:count] → not items[1:count]",
    "1 → 2",
    "1 → 0",
    "count → count + 1",
    "'ä' → ''",
    "0 → 1",
    "0 → -1",
    "items[0] == count → items[0] != count",
    "(f'{count + 1}' if items[1:count] else 'ä', items[0] == count) → None",
    "True → False",
    "True → None",
}


@pytest.fixture(scope="module")
def mutants() -> ModuleType:
    """The module, which lies where no test can import it by name."""
    spec = importlib.util.spec_from_file_location("mutants", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module
    spec.loader.exec_module(module)
    return module


def file(root: Path, name: str, text: str = SOURCE) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_every_kind_of_change_is_there_and_texts_for_people_are_left_alone(mutants: ModuleType, tmp_path: Path) -> None:
    found = mutants.mutants_of(file(tmp_path, "bench/suites/old/metrics.py"), tmp_path)
    assert {one.change for one in found} == CHANGES
    assert len({one.key for one in found}) == len(found)


def test_each_mutant_is_another_program_and_differs_in_its_own_place(mutants: ModuleType, tmp_path: Path) -> None:
    source = SOURCE.encode()
    trees = set()
    for one in mutants.mutants_of(file(tmp_path, "bench/suites/old/metrics.py"), tmp_path):
        text = one.applied(source).decode()
        trees.add(ast.dump(ast.parse(text)))
        changed = [n for n, (a, b) in enumerate(zip(SOURCE.splitlines(), text.splitlines(), strict=True), 1) if a != b]
        assert changed == [one.line] and one.lines[0] <= one.line <= one.lines[1]
    assert len(trees) == len(CHANGES) and ast.dump(ast.parse(source)) not in trees


def test_a_mutant_is_found_again_in_a_moved_file_with_other_lines(mutants: ModuleType, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    file(old, "bench/suites/old/metrics.py")
    wrapped = SOURCE.replace("    if not items or len", "    # why\n    if not items or (\n        len")
    wrapped = wrapped.replace("> most:", "> most\n    ):").replace("most * 2", "most * 3")
    file(new, "bench/suites/a/metrics.py", wrapped)
    file(new, "bench/suites/b/metrics.py", wrapped)
    earlier = [vars(one) for one in mutants.draw(old, {}, 100, 0)]
    assert {one["change"] for one in earlier} == CHANGES
    again, gone = mutants.find_again(earlier, new, {"bench/suites/old/metrics.py": "bench/suites/b/metrics.py"})
    assert {one["change"] for one in gone} == {"most * 2 → most / 2", "2 → 3", "2 → 1"}
    assert [(one.key, one.change) for one in again] == [
        (one["key"], one["change"]) for one in earlier if one not in gone
    ]
    assert {one.file for one in again} == {"bench/suites/b/metrics.py"}


def test_a_sample_is_the_same_each_time_and_its_groups_are_alike(mutants: ModuleType, tmp_path: Path) -> None:
    file(tmp_path, "bench/suites/old/metrics.py")
    file(tmp_path, "envs/types/keys.py")
    file(tmp_path, "bench/journal/void_reasons.py")
    sample = mutants.draw(tmp_path, {}, 12, 7)
    assert sample == mutants.draw(tmp_path, {}, 12, 7)
    assert sample != mutants.draw(tmp_path, {}, 12, 8)
    assert [one.group for one in sample] == ["metrics", "vocabulary", "journal"] * 4
    assert {one.function for one in sample[:6]} == {"first", "Thing.ready"}
