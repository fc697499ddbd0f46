"""Which runs a table is about: run directories, folders of them, and directories of `omnipilot ground`, with labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.agents import parse_part
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.experiments.ablation import FULL, conditions
from omnipilot.bench.experiments.budget import under_budget
from omnipilot.bench.experiments.comparison_file import MANIFEST as COMPARED
from omnipilot.bench.experiments.comparison_file import read_comparison
from omnipilot.bench.experiments.grid import MANIFEST as GRID
from omnipilot.bench.experiments.sweep import MANIFEST as SWEEP
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.pointing_directory import SPEC as POINTED
from omnipilot.bench.journal.pointing_directory import read_spec as read_pointing_spec
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import SPEC as RUN
from omnipilot.bench.report.paper.row_names import split_run
from omnipilot.bench.run.labels import label_of, part_words, varying
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text

FULL_SET = "full"
"""The directory of an ablation's full set."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """A run of a table.

    Attributes:
        folder: its directory. run: what it holds; None for a run of `omnipilot ground`, whose settings are `pointed`.
        label: what its row is called; "" until it is known in what the runs differ. section: a heading above it.
        reference: the folder it came from says that others are compared with it.
        cut: its episodes are those of a budget, so that its journal says more than `run`.
    """

    folder: Path
    run: Run | None = None
    pointed: Mapping[str, Any] | None = None
    label: str = ""
    section: str = ""
    reference: bool = False
    cut: bool = False

    @property
    def suite(self) -> str:
        """The name of its suite."""
        if self.run is not None:
            return self.run.spec.suite.name
        return str((self.pointed or {}).get("suite", {}).get("name", ""))

    @property
    def unfinished(self) -> bool:
        """Whether episodes that were asked for are missing; of a run of `omnipilot ground` it cannot be told."""
        return self.run is not None and len(self.run.episodes) < self.run.planned


def find_sources(arguments: Sequence[str]) -> list[TableSource]:
    """The runs that arguments name, with labels that tell them apart.

    Args:
        arguments: each a run directory, a folder of them (of a sweep, a grid, an ablation, or any), or a directory of
            `omnipilot ground`; or NAME=RUN, where NAME is the row's label, or SECTION/NAME.

    Raises:
        ConfigError: there is no run; the message names the argument.
    """
    found: list[TableSource] = []
    for argument in arguments:
        section, name, path = split_run(argument)
        some = list(_sources_at(path))
        if name and len(some) > 1:
            # A name for a folder of runs is a section, since its runs need names of their own.
            some = [replace(one, section=f"{section}, {name}" if section else name) for one in some]
        elif name:
            some = [replace(one, section=section, label=name) for one in some]
        found += some
    return _labelled(list({(one.folder.resolve(), one.label if one.cut else ""): one for one in found}.values()))


def _sources_at(path: Path) -> Iterable[TableSource]:
    """The runs in a directory or directly below it.

    Raises:
        ConfigError: there is none.
    """
    if (path / RUN).is_file() or (path / POINTED).is_file():
        return [_source(path)]
    for name in (SWEEP, GRID):
        if (path / name).is_file():
            return _of_manifest(path, name)
    if (path / FULL_SET / RUN).is_file():
        return _of_ablation(path)
    if (path / COMPARED).is_file():
        return _of_comparison(path)
    below = sorted({file.parent for kind in (RUN, POINTED) for file in path.glob(f"*/{kind}")})
    if not below:
        raise ConfigError(
            f"there is no run in {path}: give a directory of `omnipilot run` or `ground`, or the folder of a sweep, "
            "a grid or an ablation"
        )
    return [_source(folder) for folder in below]


def _source(folder: Path) -> TableSource:
    if (folder / RUN).is_file():
        return TableSource(folder, load_run(folder))
    return TableSource(folder, pointed=read_pointing_spec(folder))


def _of_manifest(path: Path, name: str) -> list[TableSource]:
    """The cells of a sweep or a grid that were started, in its order."""
    file = path / name
    try:
        told = parse_json(read_text(file))
        cells = [(str(cell["label"]), path / str(cell["folder"])) for cell in told["cells"]]
        against = str(told.get("against", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{file} cannot be read ({error!r}); name the run directories in {path} instead") from None
    found = [
        replace(_source(folder), label=label, reference=label == against)
        for label, folder in cells
        if (folder / RUN).is_file()
    ]
    if not found:
        raise ConfigError(f"no run of {path} was started; run `omnipilot {file.stem}` again")
    return found


def _of_ablation(path: Path) -> list[TableSource]:
    """The conditions of an ablation that were run, in its order; the full set is what they are compared with."""
    full = _source(path / FULL_SET)
    assert full.run is not None
    known = {one.slug: one.name for one in conditions(full.run.spec)}
    others = {file.parent.name: file.parent for file in sorted(path.glob(f"*/{RUN}"))}
    order = [slug for slug in known if slug in others] + [name for name in others if name not in known]
    return [
        replace(_source(others[slug]), label=known.get(slug, slug.replace("-", " ")), reference=slug == FULL_SET)
        for slug in order
    ]


def _of_comparison(path: Path) -> list[TableSource]:
    """The two runs of a comparison, or its one run under two budgets; the first is what the other is compared with."""
    runs, budgets = read_comparison(path)
    found = [_source(folder) for folder in runs]
    if len(found) == 1:
        found *= 2
    labels = [""] * len(found) if budgets is None else [f"at most {budget}" for budget in budgets]
    made = []
    for at, (one, label) in enumerate(zip(found, labels, strict=True)):
        assert one.run is not None
        run = one.run if budgets is None else replace(under_budget(one.run, budgets[at]), name=one.run.name)
        label = f"{one.folder.name}, {label}" if budgets is not None and len(runs) > 1 else label
        made.append(replace(one, run=run, label=label, reference=at == 0, cut=budgets is not None))
    return made


def _labelled(sources: Sequence[TableSource]) -> list[TableSource]:
    """The sources with labels: those given, and for the others the settings in which they differ."""
    bare = [one for one in sources if not one.label]
    words = dict(zip((id(one) for one in bare), _differences(bare), strict=True))
    found = [one if one.label else replace(one, label=words[id(one)]) for one in sources]
    seen: dict[tuple[str, str, str], int] = {}
    for one in found:
        key = (one.suite, one.section, one.label)
        seen[key] = seen.get(key, 0) + 1
    return [
        one if seen[one.suite, one.section, one.label] == 1 else replace(one, label=f"{one.label} ({one.folder.name})")
        for one in found
    ]


def _differences(sources: Sequence[TableSource]) -> list[str]:
    """The settings in which runs differ, other than their suite; the planner where there is none."""
    axes = varying([one.run.spec for one in sources if one.run is not None]) or ("planner",)
    return [label_of(one.run.spec, axes) if one.run is not None else _grounder(one) for one in sources]


def head_of_labels(sources: Sequence[TableSource], arguments: Sequence[str]) -> str:
    """What stands above the labels: "Model" for names that a user gave, else what runs differ in."""
    if any(split_run(argument)[1] for argument in arguments):
        return "Model"
    if any(one.folder.name == FULL_SET and one.label == FULL for one in sources):
        return "Condition"
    if all(one.cut for one in sources):
        return "Budget"
    if all(one.run is None for one in sources):
        return "Grounder"
    axes = varying([one.run.spec for one in sources if one.run is not None]) or ("planner",)
    return " · ".join(axes).replace("_", " ").capitalize()


def _grounder(source: TableSource) -> str:
    spec = source.pointed or {}
    return part_words(parse_part(spec.get("grounder", {}), GROUNDERS), "grounder")


def gold_grounder(source: TableSource) -> list[str]:
    """The parts of a run of `omnipilot ground` that know where targets are; none of another run."""
    if source.pointed is None:
        return []
    part = parse_part(source.pointed.get("grounder", {}), GROUNDERS)
    return [f"grounder {name}" for name in GROUNDERS.gold_names(part)]


def reference_of(sources: Sequence[TableSource], named: str) -> int | None:
    """Which source the others are compared with: the one that is named, or the one that its folder names.

    Args:
        named: a label, the name of a directory or its path; "" for what the folders say, "none" for none.

    Raises:
        ConfigError: it names none, or more than one.
    """
    if named == "none":
        return None
    if not named:
        told = [at for at, one in enumerate(sources) if one.reference]
        return told[0] if len(told) == 1 and len(sources) > 1 else None
    path = Path(named)
    tests: list[Callable[[TableSource], bool]] = [
        lambda one: path.exists() and one.folder.resolve() == path.resolve(),
        lambda one: one.label == named,
        lambda one: one.folder.name == named,
    ]
    for test in tests:
        if meant := [at for at, one in enumerate(sources) if test(one)]:
            if len(meant) > 1:
                raise ConfigError(f"--reference {named!r} means {len(meant)} rows; give the path of one run")
            return meant[0]
    raise ConfigError(describe_unknown("row for --reference", named, [one.label for one in sources]))
