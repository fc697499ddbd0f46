"""Cells: only what is missing is run, nothing twice, and what cannot be run is refused before anything is."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from toy_suite import toy_spec

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench import RunSpec
from omnipilot.bench.experiments import Cell, run_cells
from omnipilot.bench.experiments.cells import PendingCell, Stopped, cell_name, pending_cells
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeStarted, RunStarted
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.labels import label_of, modality_words, part_words, run_name, varying
from omnipilot.bench.run.parts import read_part
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.run.runner import RunFailed
from omnipilot.envs import ConfigError


def cell(folder: Path, *tasks: str, planner: str = "oracle", instances: int = 1, trials: int = 1) -> Cell:
    spec = toy_spec(*tasks, planner=planner, instances=instances, trials=trials)
    return Cell(planner, spec, folder / cell_name(spec))


def starts(folder: Path) -> int:
    return sum(isinstance(event, RunStarted) for event in read(folder))


def attempts(folder: Path) -> Counter[str]:
    return Counter(event.key for event in read(folder) if isinstance(event, EpisodeStarted))


@pytest.mark.slow
def test_only_what_is_missing_is_run(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []

    def tell(due: PendingCell) -> None:
        told.append((due.cell.label, due.lacking))

    one, two = cell(tmp_path, "count", "answer"), cell(tmp_path, "count", "answer", planner="noop")
    runs = run_cells([one, two], RunExecution(2), on_cell=tell)
    assert [(run.name, len(run.episodes), run.planned) for run in runs] == [("oracle", 2, 2), ("noop", 2, 2)]
    assert [sum(e.success for e in run.episodes) for run in runs] == [2, 0]
    again = run_cells([one, two, cell(tmp_path, "count", "answer", planner="random")], on_cell=tell)
    assert told == [("oracle", 2), ("noop", 2), ("random", 2)]
    assert again[:2] == runs
    assert starts(one.folder) == starts(two.folder) == 1


def test_a_directory_grows_with_what_is_asked_and_loses_nothing(tmp_path: Path) -> None:
    small = cell(tmp_path, "count")
    run_cells([small])
    (large,) = run_cells([cell(tmp_path, "count", "far", instances=2, trials=2)])
    assert len(large.episodes) == large.planned == 8
    assert set(attempts(small.folder).values()) == {1} and len(attempts(small.folder)) == 8
    # What is asked for now counts, not all that is there.
    (narrow,) = run_cells([cell(tmp_path, "far", instances=2)])
    assert [e.key for e in narrow.episodes] == ["far#0.0", "far#1.0"]
    assert narrow.planned == 2 and starts(small.folder) == 2
    with pytest.raises(ConfigError, match=r"(?s)cell 'oracle'.*--instances 2 --trials 2.*choose another --out"):
        run_cells([cell(tmp_path, "answer")])
    with pytest.raises(ConfigError, match="1 of the episodes asked for"):
        run_cells([cell(tmp_path, "count", instances=3)])


def test_cells_of_one_identity_are_one(tmp_path: Path) -> None:
    one = cell(tmp_path, "count")
    runs = run_cells([one, Cell("the same", one.spec, tmp_path / "elsewhere"), cell(tmp_path, "count", planner="noop")])
    assert [run.name for run in runs] == ["oracle", "the same", "noop"]
    assert runs[0].episodes == runs[1].episodes != runs[2].episodes
    assert not (tmp_path / "elsewhere").exists()


def test_nothing_is_run_where_one_cell_cannot_be(tmp_path: Path) -> None:
    good = cell(tmp_path, "count")
    with pytest.raises(ConfigError, match="cell 'oracle': planner 'oracle' plays a task's solution, and untold"):
        run_cells([good, cell(tmp_path / "b", "count", "untold")])
    wrong = replace(good.spec, agent=replace(good.spec.agent, grounder=PartSpec("elemnts")))
    with pytest.raises(ConfigError, match="cell 'typo'.*did you mean elements"):
        run_cells([good, Cell("typo", wrong, tmp_path / "c")])
    with pytest.raises(ConfigError, match="'cuont'"):
        run_cells([good, cell(tmp_path, "cuont")])
    assert list(tmp_path.iterdir()) == []
    run_cells([good])
    with pytest.raises(ConfigError, match=r"(?s)cell 'other'.*other settings.*agent.planner.name"):
        run_cells([Cell("other", toy_spec("count", planner="noop"), good.folder)])


def test_a_bug_says_in_which_cell_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_FOLDER", str(tmp_path))
    with pytest.raises(RunFailed, match=r"(?s)cell 'oracle'.*a bug in the toy"):
        run_cells([cell(tmp_path / "runs", "bug")])


@pytest.mark.slow
def test_a_stopped_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    cells = [
        cell(tmp_path, "count", "answer", planner=planner, instances=3) for planner in ("oracle", "noop", "random")
    ]
    now: list[str] = []

    def stop(standing: Standing) -> None:
        if now[-1] == "noop" and not standing.over:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Stopped) as caught:
        run_cells(cells, RunExecution(1, on_progress=stop), on_cell=lambda due: now.append(due.cell.label))
    assert not (caught.value.over_budget or caught.value.given_up)
    first, second, third = caught.value.runs
    assert len(first.episodes) == 6 and len(second.episodes) < 6 and third.episodes == ()
    assert [run.name for run in caught.value.runs] == ["oracle", "noop", "random"]
    assert not cells[2].folder.exists()
    done = run_cells(cells, RunExecution(1))
    assert [len(run.episodes) for run in done] == [6, 6, 6]
    assert starts(cells[0].folder) == 1 and starts(cells[1].folder) == 2
    assert set(attempts(cells[0].folder).values()) == {1}


def test_void_episodes_are_made_again_only_when_asked(tmp_path: Path) -> None:
    lost = cell(tmp_path, "lost", instances=2)
    (run,) = run_cells([lost])
    assert [e.void for e in run.episodes] == [True, False]
    assert pending_cells([lost])[0].lacking == 0
    assert pending_cells([lost], rerun_void=True)[0].lacking == 1
    run_cells([lost], RunExecution(rerun_void=True))
    assert attempts(lost.folder) == {"lost#0.0": 2, "lost#1.0": 1}


def test_a_cell_has_one_name_whatever_its_size() -> None:
    spec = toy_spec("count")
    larger = replace(spec, tasks=(), instances=5, trials=3)
    assert cell_name(spec) == cell_name(larger) and cell_name(spec).startswith("oracle-")
    agent = AgentSpec("by-function", PartSpec("function-calling", {"model": "openai/gpt-4o"}), PartSpec("ocr"))
    assert cell_name(replace(spec, agent=agent)).startswith("by-function-openai-gpt-4o-ocr-")
    assert cell_name(replace(spec, retries=4)) != cell_name(spec)
    long = replace(agent, memory=PartSpec("window", {"x": "y" * 300}))
    assert len(cell_name(replace(spec, agent=long))) < 100


def test_cells_that_differ_in_a_value_alone_have_names_and_labels_of_their_own() -> None:
    parts = [PartSpec("graded", {"accuracy": accuracy}) for accuracy in (0.5, 0.9)]
    specs = [RunSpec(AgentSpec(planner=one, grounder=one), PartSpec("toy")) for one in parts]
    assert [label_of(one, varying(specs)) for one in specs] == ["graded:0.5 · graded:0.5", "graded:0.9 · graded:0.9"]
    assert [cell_name(one)[:-9] for one in specs] == ["graded-0.5-graded-0.5", "graded-0.9-graded-0.9"]
    assert [run_name(one)[:-9] for one in specs] == ["toy-single-graded-0.5", "toy-single-graded-0.9"]
    assert [one.label for one in specs] == ["toy · graded:0.5 · graded:0.5", "toy · graded:0.9 · graded:0.9"]
    assert part_words(PartSpec("graded", {"accuracy": 0.9, "errors": "drop"}), "planner") == "graded:0.9(errors=drop)"
    assert part_words(read_part("blind:openai/gpt-4o", "planner"), "planner") == "blind:openai/gpt-4o"
    assert part_words(PartSpec("vllm", {"model": "uground-v1-7b"}), "grounder") == "vllm:uground-v1-7b"


def test_a_model_that_is_the_main_option_is_said_once() -> None:
    served = PartSpec("vllm", {"model": "osunlp/UGround-V1-7B", "retries": 1})
    assert part_words(served, "grounder") == "vllm:osunlp/UGround-V1-7B(retries=1)"
    assert part_words(served) == "vllm osunlp/UGround-V1-7B(retries=1)"


@pytest.mark.exhibit("duet", "rules")
def test_words_for_what_is_varied() -> None:
    assert part_words(PartSpec("function-calling", {"model": "openai/gpt-4o", "url": "http://x"})) == "openai/gpt-4o"
    assert part_words(PartSpec("json", {"model": "openai/gpt-4o", "images": 2})) == "json openai/gpt-4o(images=2)"
    assert part_words(PartSpec("window", {"turns": 4})) == "window(turns=4)"
    assert part_words(None) == "none"
    names = ("all", "none", "screenshot,elements,context", "audio,elements")
    assert [modality_words(modalities(name)) for name in names] == [
        *("all", "none", "no video, no audio"),
        "elements+audio",
    ]
    base = RunSpec(AgentSpec(), PartSpec("duet"))
    other = replace(base, agent=AgentSpec(planner=PartSpec("noop"), memory=PartSpec("window", {"turns": 4})))
    assert varying([base, other]) == ("planner", "memory")
    assert label_of(other, ("planner", "memory")) == "noop · window(turns=4)"
