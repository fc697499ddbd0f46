"""Runs with parts of one's own: edited code is another run, and every door says so."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec, load_run
from omnipilot.bench.experiments.cells import Cell, run_cells
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.run import run
from omnipilot.bench.run.code import code_changes, refuse_changed_code
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.shards.merge import merge_runs
from omnipilot.bench.verification.verify import version_notes
from omnipilot.envs import ConfigError

NAME = "planner own_idler:Idler"
SOURCE = """from omnipilot.planners import Decision, Planner


class Idler(Planner):
    def begin(self, brief):
        pass

    def plan(self, request):
        return Decision((), "one")
"""


@pytest.fixture
def idler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a planner of one's own."""
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "own_idler.py"
    file.write_text(SOURCE)
    yield file
    sys.modules.pop("own_idler", None)


def edit(file: Path) -> None:
    file.write_text(file.read_text().replace("one", "another"))
    # As a process that starts after it would find it.
    sys.modules.pop("own_idler", None)
    importlib.invalidate_caches()


def spec_of(planner: str = "own_idler:Idler") -> RunSpec:
    limits = replace(RunSpec(AgentSpec(), PartSpec("toy")).limits, turns=1)
    return RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec("toy"), limits=limits)


def play(spec: RunSpec, out: Path) -> RunSpec:
    return run(spec, out, RunExecution(jobs=0)).spec


def test_a_run_is_of_one_program(idler: Path, tmp_path: Path) -> None:
    first = play(spec_of(), tmp_path / "first")
    assert first.code is not None and list(first.code) == [NAME]
    assert play(spec_of(), tmp_path / "first").identity == first.identity
    edit(idler)
    with pytest.raises(ConfigError) as refused:
        play(replace(spec_of(), trials=2), tmp_path / "first")
    other = play(spec_of(), tmp_path / "second")
    assert other.code is not None and other.identity != first.identity
    for told in (NAME, first.code[NAME], other.code[NAME], "--out"):
        assert told in str(refused.value)
    assert len(load_run(tmp_path / "first").episodes) == 1

    both = compare(load_run(tmp_path / "first"), load_run(tmp_path / "second"))
    assert any(NAME in line for line in both.specs)
    with pytest.raises(ConfigError, match=NAME):
        merge_runs([tmp_path / "first", tmp_path / "second"], tmp_path / "merged")
    assert any(NAME in note for note in version_notes(load_run(tmp_path / "first")))
    assert not any(NAME in note for note in version_notes(load_run(tmp_path / "second")))
    with pytest.raises(ConfigError, match=NAME):
        run_cells([Cell("idler", spec_of(), tmp_path / "first")], RunExecution(jobs=0))


def test_a_worker_that_finds_other_code_plays_nothing(idler: Path, tmp_path: Path) -> None:
    spec = play(spec_of(), tmp_path / "run")
    refuse_changed_code(spec)
    edit(idler)
    assert list(code_changes(spec)) == [NAME]
    with pytest.raises(ConfigError, match=NAME):
        refuse_changed_code(spec)


def test_a_fork_may_go_on_with_edited_code(idler: Path, tmp_path: Path) -> None:
    played = play(spec_of(), tmp_path / "run")
    edit(idler)
    point = ForkPoint(tmp_path / "run", Slot(load_run(tmp_path / "run").episodes[0].task, 0, 0), 1, 1)
    spec, _ = fork_spec(point, RunSettings())
    assert spec.code is None
    assert play(spec, tmp_path / "fork").code != played.code


def test_parts_of_ours_leave_an_identity_as_it_was(tmp_path: Path) -> None:
    spec = play(spec_of("noop"), tmp_path / "run")
    assert spec.code is None
    data = spec.to_json()
    del data["code"]
    assert RunSpec.from_json(data).identity == spec.identity
