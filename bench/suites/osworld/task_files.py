"""The task files of a checkout of OSWorld or WindowsAgentArena, and which of them can be had and judged here."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.foreign import checkout_hash
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.suites.osworld.judge.web_files import find_file
from omnipilot.envs import ConfigError

Layout: TypeAlias = Literal["osworld", "waa"]
GET = "git clone https://github.com/xlang-ai/OSWorld, and name its folder with --data"
WAA_GET = (
    "git clone https://github.com/microsoft/WindowsAgentArena, and name its folder src/win-arena-container/client with "
    "--data"
)
CREDENTIALS = Path("evaluation_examples/settings/googledrive/credentials.json")
INFEASIBLE = "infeasible"


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One task.

    Attributes:
        id: domain and id, as "os/94d95f96-…". domain: the folder.
        content: the file's, for the checkout's own code. path: of the file.
    """

    id: str
    domain: str
    content: Mapping[str, Any]
    path: Path

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the functions that judge it."""
        named = self.content["evaluator"]["func"]
        return tuple(named) if isinstance(named, list) else (named,)

    @property
    def getters(self) -> tuple[str, ...]:
        """Kinds of what is read to judge it, in the order of its file."""
        evaluator = self.content["evaluator"]
        found = []
        for part in ("result", "expected"):
            wanted = evaluator.get(part) or []
            found += [one["type"] for one in (wanted if isinstance(wanted, list) else [wanted]) if one]
        return tuple(found)

    @property
    def is_infeasible(self) -> bool:
        """Whether the right ending is that it cannot be done."""
        return self.metrics == (INFEASIBLE,)

    def addresses(self) -> tuple[str, ...]:
        """Addresses of the web whose files its setup or its judging takes."""
        found: dict[str, None] = {}
        evaluator = self.content["evaluator"]
        for step in (*self.content.get("config", ()), *evaluator.get("postconfig", ())):
            if step["type"] == "download":
                found |= dict.fromkeys(one["url"] for one in step["parameters"]["files"])
        for part in ("result", "expected"):
            wanted = evaluator.get(part) or []
            for one in wanted if isinstance(wanted, list) else [wanted]:
                if one and one["type"] == "cloud_file":
                    paths = one["path"]
                    found |= dict.fromkeys(paths if isinstance(paths, list) else [paths])
        return tuple(found)


JUDGING_FILES = ("desktop_env/*.py", "desktop_env/**/evaluators/**/*.py", "desktop_env/**/controllers/**/*.py")
"""The code of a checkout by which tasks are set up and judged."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout, its list of tasks, and what of them cannot be used.

    Attributes:
        tasks: those that can be played and judged. bad: the others of the list, with the reason.
        version: a hash of the task files and the evaluators.
    """

    folder: Path
    layout: Layout
    tasks: Mapping[str, TaskFile]
    bad: Sequence[Bad]
    version: str


def subsets(folder: Path) -> list[str]:
    """Names of the lists of tasks that a checkout has."""
    return sorted(path.stem for path in (folder / _examples(folder)).glob("test_*.json"))


def read_list(folder: Path, subset: str) -> dict[str, list[str]]:
    """The ids of a list of tasks, by domain.

    Raises:
        ConfigError: there is no such list.
    """
    path = folder / _examples(folder) / f"{subset}.json"
    if not path.is_file():
        raise ConfigError(describe_unknown("subset", subset, subsets(folder)))
    return {domain: list(ids) for domain, ids in json.loads(path.read_text(encoding="utf-8")).items()}


def load_checkout(data: str, layout: Layout = "osworld", subset: str = "test_all", files: str = "") -> Checkout:
    """Read a list of tasks.

    Args:
        data: the checkout. files: a folder with files of the web, as `find_file` finds them; "" where the web is asked.

    Raises:
        ConfigError: it is no such checkout, or has no such list.
    """
    get = GET if layout == "osworld" else WAA_GET
    folder = Path(data).expanduser().resolve() if data else None
    if folder is None or not (folder / "desktop_env").is_dir() or not _examples(folder):
        what = f"{data} has not" if data else "no data given:"
        raise ConfigError(f"{what} the folders desktop_env and evaluation_examples of {layout}'s checkout; {get}")
    tasks: dict[str, TaskFile] = {}
    bad: list[Bad] = []
    known = _metrics(folder)
    read: list[str] = []
    for domain, ids in read_list(folder, subset).items():
        for name in ids:
            path = folder / _examples(folder) / "examples" / domain / f"{name}.json"
            where = path.relative_to(folder).as_posix()
            try:
                task = TaskFile(f"{domain}/{name}", domain, json.loads(path.read_bytes()), path)
                problem = _problem(task, folder, known, files)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                bad.append(Bad(where, name, "", f"it cannot be read: {type(error).__name__}: {error}"))
                continue
            read.append(where)
            if problem:
                bad.append(Bad(where, name, *problem))
            else:
                tasks[task.id] = task
    return Checkout(folder, layout, tasks, tuple(bad), checkout_hash(folder, [*read, *JUDGING_FILES]))


def _examples(folder: Path) -> str:
    names = ("evaluation_examples", "evaluation_examples_windows")
    return next((name for name in names if (folder / name / "examples").is_dir()), "")


def _problem(task: TaskFile, folder: Path, known: frozenset[str], files: str) -> tuple[str, str] | None:
    """The field because of which a task cannot be had or judged, and the reason."""
    if not isinstance(task.content["instruction"], str) or task.content["id"] is None:
        raise ValueError("it has no instruction")
    if lost := [name for name in task.metrics if name != INFEASIBLE and known and name not in known]:
        return "evaluator", f"the checkout has no metric {', '.join(lost)}"
    steps = {step["type"] for step in task.content.get("config", ())}
    if steps & {"googledrive", "login"} and not (folder / CREDENTIALS).is_file():
        return "config", f"it needs an account of Google Drive: no {CREDENTIALS} in the checkout"
    if files and (lost := [url for url in task.addresses() if find_file(Path(files), url) is None]):
        return "config", f"{len(lost)} of its files are not in {files}, the first: {lost[0]}"
    return None


def _metrics(folder: Path) -> frozenset[str]:
    """Names that the checkout's metrics export, read without importing them."""
    path = folder / "desktop_env" / "evaluators" / "metrics" / "__init__.py"
    if not path.is_file():
        raise ConfigError(f"{folder} has no {path.relative_to(folder)}; {GET}")
    return frozenset(_names(ast.parse(path.read_text(encoding="utf-8"))))


def _names(module: ast.Module) -> Iterator[str]:
    for part in module.body:
        if isinstance(part, ast.ImportFrom):
            yield from (one.asname or one.name for one in part.names)
        elif isinstance(part, ast.FunctionDef):
            yield part.name
