"""From runs to a table: rows, columns, references and notes, on made-up runs and on those of folders."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import omnipilot
from made_runs import a_run, episode

from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.paper import build, sources
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.record import OVERALL, PaperTable
from omnipilot.bench.report.paper.sources import TableSource, find_sources, reference_of
from omnipilot.bench.stats.correction import holm
from omnipilot.envs import ConfigError


def made(name: str, solved: int, count: int = 12, planned: int = 0, **spec: object) -> TableSource:
    """A run of tasks with the tags level and os, the first of which are solved."""
    episodes = [
        replace(
            episode(f"task-{at:02}#0.0", 2 if at < solved else 0),
            tags={"level": ("easy", "hard", "medium")[at % 3], "os": "linux" if at % 2 else "web+linux"},
            turn_limit=10,
        )
        for at in range(count)
    ]
    run = a_run(name, episodes, name, planned)
    return TableSource(Path(name), replace(run, **spec))  # type: ignore[arg-type]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> object:
    """Makes a table of made-up runs."""

    def make(runs: list[TableSource], *columns: str, **request: object) -> PaperTable:
        monkeypatch.setattr(build, "find_sources", lambda _: sources._labelled(runs))
        return paper_table(TableRequest(tuple(one.folder.name for one in runs), columns, **request))  # type: ignore[arg-type]

    return make


def test_rows_are_what_runs_differ_in_and_columns_are_figures(table: object) -> None:
    found = table([made("good", 12), made("bad", 3)], "sr", "turns")  # type: ignore[operator]
    assert found.stub == "Planner"
    assert [row.label for row in found.rows] == ["good", "bad"]
    assert [(one.head, one.unit, one.better) for one in found.columns] == [
        ("SR", "%", "higher"),
        ("turns", "", "lower"),
    ]
    (sr, turns), (low, _) = found.cells
    assert (sr.estimate, low.estimate, turns.estimate) == (100.0, 25.0, 4.0)
    assert sr.count == 12 and sr.low is not None and sr.low < 100 == sr.high
    assert found.notes[0] == "n = 12 episodes" and found.reference == ""


def test_a_reference_is_compared_with_all_others_and_p_is_adjusted(table: object) -> None:
    runs = [made("good", 12), made("fair", 10), made("bad", 0)]
    found = table(runs, "sr", "turns", reference="good")  # type: ignore[operator]
    assert [row.reference for row in found.rows] == [True, False, False]
    deltas = [cell.delta for line in found.cells for cell in line if cell.delta is not None]
    tested = [delta for delta in deltas if delta.p is not None]
    assert found.comparisons == len(tested) == 4 and len(deltas) == 4
    assert [delta.adjusted for delta in tested] == list(holm([delta.p for delta in tested]))  # type: ignore[misc]
    bad = found.cells[2][0].delta
    assert bad is not None and bad.estimate == -100 and bad.significant
    assert found.cells[0][0].delta is None
    assert any("differs from good" in text and "Holm over 4 comparisons" in text for text in found.sentences())


def test_values_of_a_tag_are_columns_in_their_order_and_exploratory(table: object) -> None:
    runs = [made("good", 12), made("bad", 0)]
    found = table(runs, "sr", by=("level",), reference="good")  # type: ignore[operator]
    assert [one.head for one in found.columns] == ["Easy", "Medium", "Hard", OVERALL]
    assert [one.partial for one in found.columns] == [True, True, True, False]
    line = found.cells[1]
    assert [cell.count for cell in line] == [4, 4, 4, 12] and found.comparisons == 1
    assert all(cell.delta is not None and cell.delta.adjusted is None for cell in line[:3])
    assert "exploratory" in " ".join(found.sentences())
    without = table(runs, "sr", by=("level",), overall=False)  # type: ignore[operator]
    assert [one.head for one in without.columns] == ["Easy", "Medium", "Hard"]


def test_two_figures_or_two_tags_make_two_heads(table: object) -> None:
    runs = [made("good", 12), made("bad", 0)]
    found = table(runs, "sr", "eqa", by=("os",))  # type: ignore[operator]
    heads = [(one.group, one.head) for one in found.columns]
    assert heads == [(name, one) for name in ("Web", "Linux", OVERALL) for one in ("SR", "EQA")]
    assert [cell.count for cell in found.cells[0]] == [6, 6, 12, 12, 12, 12]
    both = table(runs, "sr", by=("os", "level"), overall=False)  # type: ignore[operator]
    assert [(one.group, one.head) for one in both.columns][:4] == [
        ("Web", "Easy"), ("Web", "Medium"), ("Web", "Hard"), ("Linux", "Easy")
    ]  # fmt: skip
    one = table(runs, "sr", "sr/level")  # type: ignore[operator]
    assert [(column.group, column.head) for column in one.columns][:2] == [("", "SR"), ("SR by level", "Easy")]


def test_a_tag_or_budgets_make_sections(table: object) -> None:
    runs = [made("good", 12), made("bad", 0)]
    found = table(runs, "sr", rows="level")  # type: ignore[operator]
    assert [name for name, _ in found.sections()] == ["Easy", "Medium", "Hard", OVERALL]
    assert [row.partial for row in found.rows] == [True] * 6 + [False] * 2
    cut = table(runs, turns="3,10", reference="bad")  # type: ignore[operator]
    assert [row.section for row in cut.rows] == ["At most 3 turns"] * 2 + ["At most 10 turns"] * 2
    assert [line[0].estimate for line in cut.cells] == [0, 0, 100, 0]
    assert cut.cells[2][0].delta is not None and cut.cells[2][0].delta.estimate == 100
    with pytest.raises(ConfigError, match="steps is of whole episodes, not of a budget"):
        table(runs, "steps", turns="3,10")  # type: ignore[operator]


def test_suites_stand_side_by_side(table: object) -> None:
    other = [made("good", 6, 8), made("bad", 1, 8)]
    moved = [
        replace(one, run=replace(one.run, spec=replace(one.run.spec, suite=replace(one.run.spec.suite, name="other"))))
        for one in other
        if one.run is not None
    ]
    found = table([made("good", 12), made("bad", 3), *moved], "sr")  # type: ignore[operator]
    assert [row.label for row in found.rows] == ["good", "bad"]
    assert [one.head for one in found.columns] == ["SR", "SR"]
    assert [one.group for one in found.columns][1] == "other"
    assert [cell.estimate for cell in found.cells[0]] == [100, 75]
    assert "12 episodes" in found.notes[0] and "8 episodes (other)" in found.notes[0]
    with pytest.raises(ConfigError, match="2 suites .* side by side as columns; leave out --by"):
        table([made("good", 12), moved[0]], "sr", by=("level",))  # type: ignore[operator]


def test_what_is_not_finished_has_a_mark_and_nothing_at_all_is_refused(table: object) -> None:
    found = table([made("good", 12), made("bad", 3, planned=20)], "sr")  # type: ignore[operator]
    assert [row.unfinished for row in found.rows] == [False, True]
    assert any("not finished" in text for text in found.sentences())
    with pytest.raises(ConfigError, match="no episode has come to an end; start them again"):
        table([made("good", 0, 0, planned=3)], "sr")  # type: ignore[operator]


def test_names_that_nothing_has_are_refused_with_the_nearest(table: object) -> None:
    runs = [made("good", 12), made("bad", 0)]
    with pytest.raises(ConfigError, match="'levl'; did you mean level"):
        table(runs, "sr", by=("levl",))  # type: ignore[operator]
    with pytest.raises(ConfigError, match="'srr'; did you mean sr"):
        table(runs, "srr")  # type: ignore[operator]
    with pytest.raises(ConfigError, match="'goood'; did you mean good"):
        table(runs, "sr", reference="goood")  # type: ignore[operator]
    with pytest.raises(ConfigError, match="one tag or two"):
        table(runs, "sr", by=("level", "os", "task"))  # type: ignore[operator]


def test_a_name_and_a_section_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(folder: Path) -> Run:
        return a_run(folder.name, [episode("a#0.0")], folder.name)

    monkeypatch.setattr(sources, "load_run", loaded)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "spec.json").write_text("{}")
    found = find_sources([f"Ours/Mine={tmp_path}/one", f"{tmp_path}/two"])
    assert [(one.section, one.label) for one in found] == [("Ours", "Mine"), ("", "two")]
    assert [one.label for one in find_sources([str(tmp_path)])] == ["one", "two"]
    assert [one.section for one in find_sources([f"All={tmp_path}"])] == ["All", "All"]
    assert len(find_sources([f"{tmp_path}/one", f"{tmp_path}/one"])) == 1
    assert reference_of(found, "two") == 1 and reference_of(found, f"{tmp_path}/one") == 0
    assert reference_of(found, "") is None and reference_of(found, "none") is None
    with pytest.raises(ConfigError, match="there is no run in"):
        find_sources([str(tmp_path / "none")])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep, an ablation, a grid and comparisons of the toy suite."""
    out = tmp_path_factory.mktemp("toy")
    toy = ["--suite", "toy", "--instances", "1"]
    two = ["--planner", "noop", "--planner", "oracle"]
    commands = (
        ["sweep", *toy, *two, "--out", f"{out}/sweep"],
        ["ablate", *toy, "--planner", "oracle", "--conditions", "no-audio", "--out", f"{out}/ablate"],
        ["grid", *toy, *two, "--grounder", "elements", "--grounder", "gold", "--out", f"{out}/grid"],
    )
    for command in commands:
        done = omnipilot(*command)
        assert done.returncode == 0, done.stderr
    runs = [f"{out}/sweep/{cell['folder']}" for cell in json.loads((out / "sweep/sweep.json").read_text())["cells"]]
    assert omnipilot("compare", *runs, "--out", f"{out}/compare").returncode == 0
    assert omnipilot("compare", runs[1], "--turns", "2,20", "--out", f"{out}/budgets").returncode == 0
    return out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "stub", "labels", "reference"),
    [
        ("sweep", "Planner", ["noop", "oracle"], "noop"),
        ("ablate", "Condition", ["full set", "no audio"], "full set"),
        ("grid", "Planner · grounder", ["noop · elements", "noop · gold", "oracle · elements", "oracle · gold"], ""),
        ("compare", "Planner", ["noop", "oracle"], "noop"),
        ("budgets", "Budget", ["at most 2 turns", "at most 20 turns"], "at most 2 turns"),
    ],
)
def test_a_folder_of_runs_is_a_table_in_its_order(
    folders: Path, name: str, stub: str, labels: list[str], reference: str
) -> None:
    found = paper_table(TableRequest((str(folders / name),), ("sr",)))
    assert found.stub == stub
    assert [row.label for row in found.rows] == labels
    assert [row.label for row in found.rows if row.reference] == ([reference] if reference else [])


def test_two_budgets_of_one_run_are_not_tested(folders: Path) -> None:
    found = paper_table(TableRequest((str(folders / "budgets"),), ("sr",)))
    assert [line[0].estimate for line in found.cells] == [0, 100]
    delta = found.cells[1][0].delta
    assert delta is not None and delta.estimate == 100 and delta.p is None and found.comparisons == 0


def test_a_damaged_folder_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "compare.json").write_text('{"runs": []}')
    with pytest.raises(ConfigError, match="compare the runs again"):
        find_sources([str(tmp_path)])
    (tmp_path / "compare.json").write_text('{"runs": ["gone", "too"], "turns": null}')
    with pytest.raises(ConfigError, match="give the run directories themselves"):
        find_sources([str(tmp_path)])
    (tmp_path / "sweep.json").write_text("[]")
    with pytest.raises(ConfigError, match="name the run directories"):
        find_sources([str(tmp_path)])
