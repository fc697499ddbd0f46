"""The laws of the house: what may import what, where files may lie, how large they may grow, what is never written.

A law is a function of a source tree that lists its breaches. Each is held against the real tree, and against a small
tree in which it is broken, so that a law that has gone blind fails too.
"""

from __future__ import annotations

import ast
import functools
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = {"envs": 0, "memory": 1, "planners": 2, "grounders": 2, "agents": 3, "bench": 4}
SUB_PACKAGES = {"envs/sim", "bench/metrics", "bench/suites"}
SHAPELESS = re.compile(r"(^|_)(core|utils?|common|helpers?|misc)(_|$)")
VOCABULARY = {
    *(f"envs/{name}.py" for name in ("geometry", "keys", "verb", "actions", "media", "observation", "custom")),
    *("envs/errors.py", "envs/frames.py", "memory/transcript.py", "memory/trace.py", "agents/spec.py"),
}
HEAVY = ("numpy", "PIL", "pydantic", "cv2", "av", "torch", "litellm", "playwright", "miniwob")
PYDANTIC = {"envs/wire.py"}
MEDIAN, LARGE, LARGEST = 120, 250, 400
LARGE_FILES = {
    "bench/contract.py": "one check, in the order of its contract",
    "envs/contract.py": "one check, in the order of its contract",
    "planners/contract.py": "one check, in the order of its contract",
    "memory/contract.py": "one check, in the order of its contract",
    "grounders/contract.py": "one check, in the order of its contract",
    "envs/actions.py": "every verb in one place, one short dataclass each",
    "envs/browser.py": "one Env over one browser; what could go (input, pages, tabs, pictures) has gone",
    "envs/media.py": "three captures that share one idea of identity and time",
}
SLEEPS = {
    "envs/browser.py": (1, "lets time pass on the page for as long as the agent asked"),
    "envs/browser_input.py": (2, "holds a button or keys for as long as the agent asked"),
}
"""Files that may sleep a given time: how often it is written there, and why."""
SCRIPTS = {
    "envs/sim/fonts/make_atlas.py": "draws the atlas that lies beside it, by hand; no part of the package",
    "envs/sim/speech/make_speech.py": "records the words that lie beside it, by hand; no part of the package",
}
"""Files beside the data they made, which are no modules."""


def sources(root: Path, *folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module of the rooms (or of `folders`), as its path from the root and its syntax tree."""
    for folder in folders or FLOORS:
        for path in sorted((root / folder).rglob("*.py")):
            yield path.relative_to(root).as_posix(), parsed(path.read_text(encoding="utf-8"))


@functools.cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


def imported(node: ast.AST) -> list[str]:
    """Full names that an import statement may bring in: `from a import b` may be the module `a.b`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def loaded(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported: not those in functions, nor what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.stmt):
            yield node
        yield from loaded(node)


def imports_go_down(root: Path) -> list[str]:
    """Law 1. Late imports count, and so do modules named in text (`"omnipilot.agents.build:make"`)."""
    found = []
    for path, tree in sources(root):
        room = path.split("/")[0]
        for node in ast.walk(tree):
            names = imported(node)
            if isinstance(node, ast.Constant) and re.fullmatch(r"omnipilot\.\w+[.:][\w.:]+", str(node.value)):
                names = [node.value.replace(":", ".")]  # type: ignore[union-attr]
            for other in (name.split(".")[1] for name in names if name.startswith("omnipilot.")):
                if other != room and FLOORS.get(other, -1) >= FLOORS[room]:
                    found.append(f"{path}:{node.lineno}: {room} imports {other}")  # type: ignore[attr-defined]
    return found


def nothing_is_shapeless(root: Path) -> list[str]:
    """Law 2. A shared type lives in the lowest room that uses it."""
    inside = [path for room in FLOORS for path in (root / room).rglob("*") if "__pycache__" not in path.parts]
    beside = [path for path in root.iterdir() if path.is_dir()]
    named = {path.relative_to(root).as_posix() for path in inside + beside if SHAPELESS.search(path.stem)}
    return [f"{path}: says nothing about what it holds" for path in sorted(named)]


def rooms_are_flat(root: Path) -> list[str]:
    """Law 3. Packages are the rooms and the listed sub-packages, in the tree as in pyproject.toml."""
    modules = {path.relative_to(root) for room in FLOORS for path in (root / room).rglob("*.py")}
    tree = {path.parent.as_posix() for path in modules if path.as_posix() not in SCRIPTS}
    allowed = set(FLOORS) | SUB_PACKAGES
    found = [f"{folder}: no such sub-package is allowed" for folder in sorted(tree - allowed)]
    config = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    listed = set(config["packages"])
    wanted = {"omnipilot." + folder.replace("/", ".") for folder in tree | set(FLOORS)}
    found += [f"pyproject.toml: {name} is listed or in the tree, not both" for name in sorted(listed ^ wanted)]
    folders = {"omnipilot." + folder.replace("/", "."): folder for folder in allowed}
    found += [
        f"pyproject.toml: {name} is mapped to another folder"
        for name in sorted(listed & set(folders))
        if config["package-dir"].get(name) != folders[name]
    ]
    found += [f"{room}/py.typed: is missing" for room in FLOORS if not (root / room / "py.typed").exists()]
    return found + ["__init__.py: the root is no package"] * (root / "__init__.py").exists()


def the_wheel_is_the_tree(root: Path) -> list[str]:
    """Law 3. Every file of the rooms is in the wheel, and nothing else."""
    kept = {
        path.relative_to(root).as_posix()
        for room in FLOORS
        for path in (root / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    build = "import setuptools.build_meta as backend; backend.build_wheel('wheel')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=root, capture_output=True, text=True, timeout=200, check=False
    )
    if done.returncode:
        return [f"the wheel cannot be built: {done.stderr[-1500:]}"]
    (wheel,) = (root / "wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        packed = {name.removeprefix("omnipilot/") for name in file.namelist() if ".dist-info/" not in name}
    return [f"{path}: is not in the wheel" for path in sorted(kept - packed - set(SCRIPTS))] + [
        f"{path}: is in the wheel but not in the tree" for path in sorted(packed - kept)
    ]


def imports_are_absolute(root: Path) -> list[str]:
    """Law 4. Rooms are imported as parts of omnipilot."""
    found = []
    for path, tree in sources(root, *FLOORS, "tests"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                found.append(f"{path}:{node.lineno}: relative import")
            for name in imported(node):
                if name.split(".")[0] in FLOORS:
                    found.append(f"{path}:{node.lineno}: write omnipilot.{name}")  # type: ignore[attr-defined]
    return found


def the_vocabulary_is_light(root: Path) -> list[str]:
    """Law 5. What an `__init__`, a `base` or a vocabulary module loads, others included, is standard library."""
    trees = dict(sources(root))
    due = [path for path in trees if path.endswith(("/__init__.py", "/base.py")) or path in VOCABULARY]
    reached = dict.fromkeys(due, "")
    found = []
    while due:
        path = due.pop()
        for node in loaded(trees[path]):
            for name in imported(node):
                if name.startswith("omnipilot."):
                    parts = name.split(".")[1:]
                    files = ["/".join(parts[:depth]) + ".py" for depth in range(1, len(parts) + 1)]
                    for file in (file for file in files if file in trees and file not in reached):
                        reached[file] = path
                        due.append(file)
                elif name.split(".")[0] not in sys.stdlib_module_names:
                    through = f" (loaded by {reached[path]})" if reached[path] else ""
                    found.append(f"{path}:{node.lineno}: imports {name.split('.')[0]} at the top{through}")
    return found


def pydantic_is_at_one_door(root: Path) -> list[str]:
    """Law 5, and design §2: JSON becomes vocabulary in one place."""
    return [
        f"{path}:{node.lineno}: imports pydantic"  # type: ignore[attr-defined]
        for path, tree in sources(root)
        for node in ast.walk(tree)
        if path not in PYDANTIC and any(name.split(".")[0] == "pydantic" for name in imported(node))
    ]


def files_are_small(root: Path) -> list[str]:
    """Law 6. Package markers do not count."""
    paths = [path for room in FLOORS for path in (root / room).rglob("*.py") if path.name != "__init__.py"]
    lines = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8").count("\n") for path in paths}
    found = [f"{path}: {count} lines, at most {LARGEST}" for path, count in lines.items() if count > LARGEST]
    for path, count in lines.items():
        if LARGE < count <= LARGEST and path not in LARGE_FILES:
            found.append(f"{path}: {count} lines of {LARGE}; split it, or give its reason in LARGE_FILES")
    if lines and statistics.median(lines.values()) > MEDIAN:
        found.append(f"the median is {statistics.median(lines.values())} lines, at most {MEDIAN}")
    return found


def nothing_forbidden_is_written(root: Path) -> list[str]:
    """No pickles, no evaluated text, no fixed sleeps."""
    found = []
    for path, tree in sources(root):
        slept = 0
        for node in ast.walk(tree):
            names = {name.split(".")[0] for name in imported(node)}
            told = [
                f"imports {name}" for name in names & {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"}
            ]
            if "time.sleep" in imported(node):
                told.append("write time.sleep, so that it is seen")
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in ("eval", "exec", "compile", "builtins.eval", "builtins.exec"):
                    told.append(f"calls {called}")
                if called == "time.sleep" or called.endswith(".wait_for_timeout"):
                    slept += 1
                    if slept > SLEEPS.get(path, (0, ""))[0]:
                        told.append("sleeps a fixed time")
                if any(word.arg == "allow_pickle" and ast.unparse(word.value) != "False" for word in node.keywords):
                    told.append("loads pickles")
            found += [f"{path}:{node.lineno}: {problem}" for problem in told]  # type: ignore[attr-defined]
    return found


Law = Callable[[Path], list[str]]
LAWS: list[Law] = [
    imports_go_down,
    nothing_is_shapeless,
    rooms_are_flat,
    imports_are_absolute,
    the_vocabulary_is_light,
    pydantic_is_at_one_door,
    files_are_small,
    nothing_forbidden_is_written,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_house_keeps(law: Law) -> None:
    assert law(ROOT) == []


def test_every_exception_is_still_one() -> None:
    for path in [*LARGE_FILES, *SLEEPS, *SCRIPTS]:
        assert (ROOT / path).exists(), f"{path} is excused but not there"
    for path, (times, _) in SLEEPS.items():
        written = len(re.findall(r"time\.sleep\(|\.wait_for_timeout\(", (ROOT / path).read_text(encoding="utf-8")))
        assert written == times, f"{path} sleeps {written} times, {times} are excused"
    for path in LARGE_FILES:
        assert (ROOT / path).read_text(encoding="utf-8").count("\n") > LARGE, f"{path} needs no excuse any more"


def copy_of(root: Path, to: Path) -> Path:
    """What a wheel is built from, without anything that earlier builds left."""
    for room in FLOORS:
        shutil.copytree(root / room, to / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        if (root / name).exists():
            shutil.copy(root / name, to / name)
    return to


@pytest.mark.slow
def test_the_wheel_is_the_tree(tmp_path: Path) -> None:
    assert the_wheel_is_the_tree(copy_of(ROOT, tmp_path)) == []


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['omnipilot', '--help']\n"
        "from omnipilot.bench.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        f"print('loaded:', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "loaded:"


# Each law, the files that break it, and what it must say.
BREACHES: list[tuple[Law, dict[str, str], str]] = [
    (imports_go_down, {"envs/a.py": "from omnipilot.memory.base import Memory"}, "envs/a.py:1: envs imports memory"),
    (
        imports_go_down,
        {"memory/a.py": "def f():\n    import omnipilot.planners.base"},
        "memory/a.py:2: memory imports planners",
    ),
    (imports_go_down, {"planners/a.py": "from omnipilot import grounders"}, "planners imports grounders"),
    (imports_go_down, {"grounders/a.py": "from omnipilot.planners import base"}, "grounders imports planners"),
    (imports_go_down, {"agents/a.py": 'import_module("omnipilot.bench.runner")'}, "agents imports bench"),
    (imports_go_down, {"envs/sim/a.py": 'WHERE = "omnipilot.agents.build:make"'}, "envs imports agents"),
    (nothing_is_shapeless, {"envs/utils.py": ""}, "envs/utils.py"),
    (nothing_is_shapeless, {"bench/suites/web_helpers.py": ""}, "bench/suites/web_helpers.py"),
    (nothing_is_shapeless, {"common/a.py": ""}, "common"),
    (rooms_are_flat, {"grounders/vision/__init__.py": ""}, "grounders/vision: no such sub-package"),
    (rooms_are_flat, {"bench/metrics/deep/a.py": ""}, "bench/metrics/deep"),
    (rooms_are_flat, {"__init__.py": ""}, "the root is no package"),
    (rooms_are_flat, {"pyproject.toml": "unlisted"}, "omnipilot.envs.sim is listed or in the tree, not both"),
    (rooms_are_flat, {"pyproject.toml": "mapped"}, "omnipilot.envs is mapped to another folder"),
    (rooms_are_flat, {"memory/py.typed": "gone"}, "memory/py.typed: is missing"),
    (imports_are_absolute, {"envs/a.py": "from . import base"}, "envs/a.py:1: relative import"),
    (imports_are_absolute, {"tests/test_a.py": "import envs.base"}, "write omnipilot.envs.base"),
    (imports_are_absolute, {"agents/a.py": "def f():\n    from memory import base"}, "write omnipilot.memory.base"),
    (the_vocabulary_is_light, {"envs/__init__.py": "import numpy as np"}, "envs/__init__.py:1: imports numpy"),
    (
        the_vocabulary_is_light,
        {"planners/base.py": "try:\n    import litellm\nexcept ImportError: pass"},
        "imports litellm",
    ),
    (the_vocabulary_is_light, {"envs/media.py": "class A:\n    from PIL import Image"}, "envs/media.py:2: imports PIL"),
    (
        the_vocabulary_is_light,
        {"memory/base.py": "from omnipilot.envs.wire import read", "envs/wire.py": "import pydantic"},
        "envs/wire.py:1: imports pydantic at the top (loaded by memory/base.py)",
    ),
    (pydantic_is_at_one_door, {"bench/task.py": "def f():\n    from pydantic import BaseModel"}, "bench/task.py:2"),
    (files_are_small, {"envs/a.py": "x = 1\n" * 401}, "401 lines, at most 400"),
    (files_are_small, {"envs/a.py": "x = 1\n" * 251}, "give its reason"),
    (files_are_small, {f"envs/{name}.py": "x = 1\n" * 121 for name in "abcd"}, "the median is 121 lines"),
    (nothing_forbidden_is_written, {"bench/a.py": "import pickle"}, "imports pickle"),
    (nothing_forbidden_is_written, {"bench/a.py": "def f(x):\n    return eval(x)"}, "bench/a.py:2: calls eval"),
    (nothing_forbidden_is_written, {"bench/a.py": "exec('x')"}, "calls exec"),
    (nothing_forbidden_is_written, {"envs/a.py": "import time\ntime.sleep(1)"}, "envs/a.py:2: sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "from time import sleep"}, "write time.sleep"),
    (nothing_forbidden_is_written, {"envs/browser.py": "time.sleep(1)\ntime.sleep(1)"}, "envs/browser.py:2: sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "page.wait_for_timeout(500)"}, "sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "np.load(f, allow_pickle=True)"}, "loads pickles"),
]
FINE = {
    "envs/fine.py": "import re\nA = re.compile('x')\ndef f(page):\n    import numpy\n    return page.eval('1'), numpy",
    "envs/base.py": "if TYPE_CHECKING:\n    import numpy\nfrom omnipilot.envs.fine import f",
    "agents/fine.py": "from omnipilot.planners.base import a\nfrom omnipilot.grounders import b\nG = 'omnipilot.suite'",
    "tests/test_fine.py": "import omnipilot.bench",
}


@pytest.fixture
def small_house(tmp_path: Path) -> Path:
    """A tree in which every law is kept."""
    packages = sorted({*FLOORS, *SUB_PACKAGES})
    for package in packages:
        (tmp_path / package).mkdir(parents=True, exist_ok=True)
        (tmp_path / package / "__init__.py").touch()
    for room in FLOORS:
        (tmp_path / room / "py.typed").touch()
    names = {"omnipilot." + package.replace("/", "."): package for package in packages}
    mapped = "\n".join(f'"{name}" = "{package}"' for name, package in names.items())
    (tmp_path / "pyproject.toml").write_text(
        f"[project]\nname = 'omnipilot'\nversion = '0'\n[tool.setuptools]\npackages = {list(names)}\n"
        "include-package-data = false\n[tool.setuptools.package-data]\n'*' = ['py.typed']\n"
        f"[tool.setuptools.package-dir]\n{mapped}\n"
    )
    write(tmp_path, FINE)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text == "gone":
            path.unlink()
        elif name == "pyproject.toml":
            whole = path.read_text()
            path.write_text(
                whole.replace("'omnipilot.envs.sim', ", "")
                if text == "unlisted"
                else whole.replace('"omnipilot.envs" = "envs"', '"omnipilot.envs" = "env"')
            )
        else:
            path.write_text(text)


@pytest.mark.parametrize(("law", "files", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_law_is_told(law: Law, files: dict[str, str], told: str, small_house: Path) -> None:
    assert law(small_house) == []
    write(small_house, files)
    breaches = law(small_house)
    assert any(told in breach for breach in breaches), breaches


def test_every_law_is_broken_once() -> None:
    assert {law for law, _, _ in BREACHES} == set(LAWS)


@pytest.mark.slow
def test_a_file_that_the_wheel_forgets_is_told(small_house: Path) -> None:
    write(small_house, {"envs/sim/tune.wav": "la", "agents/deep/a.py": ""})
    assert the_wheel_is_the_tree(small_house) == [
        "agents/deep/a.py: is not in the wheel",
        "envs/sim/tune.wav: is not in the wheel",
    ]
