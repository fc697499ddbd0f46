"""Kinds of figures: their numbers are those of tables, and what they cannot show is refused with the cure."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from figure_checks import check, look
from made_runs import a_run, episode

from omnipilot.bench.journal.events import EpisodeStarted
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.report.figure_kinds import chosen_episodes, difficulty, eqa, kind, task_graph, termination
from omnipilot.bench.report.figure_kinds.kind import FIGURES, FigureRequest, RunFigure, figure_kind, make_figure
from omnipilot.bench.report.figures.draw import DOUBLE, SINGLE
from omnipilot.bench.report.figures.records import Curves, Forest, Radar, Stacks, ValueMap
from omnipilot.bench.report.figures.stacks import FILLS
from omnipilot.bench.report.paper import build, sources
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.plain import csv_table
from omnipilot.bench.report.paper.sources import TableSource
from omnipilot.bench.report.paper.values import ValueSettings
from omnipilot.bench.tasks.figures import termination as ending_of
from omnipilot.envs import ConfigError

FAST = ValueSettings(resamples=200)
CAPABILITIES = ("planning", "identification+planning", "knowledge")


def made(name: str, solved: int, count: int = 12) -> TableSource:
    """A run of tasks of which the first were solved, on two devices."""
    episodes = [
        replace(
            episode(f"task-{at:02}#0.0", 2 if at < solved else 0),
            tags={
                "level": ("easy", "hard", "medium")[at % 3],
                "capability": CAPABILITIES[at % 3],
                "app": ("mail", "mail+notes")[at % 2],
            },
            envs=(("phone",), ("desktop", "phone"), ("desktop",))[at % 3],
            turn_limit=10,
            turns=2 + at % 3,
        )
        for at in range(count)
    ]
    return TableSource(Path(name), replace(a_run(name, episodes, name), folder=None), label=name)


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> object:
    """Makes a figure of made-up runs."""

    def make(name: str, runs: list[TableSource], **request: object) -> RunFigure:
        for module in (build, difficulty, eqa, termination, chosen_episodes):
            monkeypatch.setattr(module, "find_sources", lambda _: sources._labelled(runs))
        return make_figure(name, FigureRequest(tuple(one.label for one in runs), settings=FAST, **request))  # type: ignore[arg-type]

    return make


def lines(figure: RunFigure) -> list[dict[str, str]]:
    return list(csv.DictReader(figure.data.split("\n")))


def table_lines(runs: list[TableSource], *columns: str) -> str:
    names = tuple(one.label for one in runs)
    return csv_table(paper_table(TableRequest(names, columns, reference="none", settings=FAST), runs))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 8])
def test_levels_show_what_the_table_says(draw: object, count: int) -> None:
    runs = [made(f"run-{n}", n) for n in range(count)]
    figure = draw("levels", runs, by=("level", "app"))  # type: ignore[operator]
    assert figure.data == table_lines(runs, "sr/level", "sr/app", "sr")
    (block,) = figure.spec.rows[0]
    assert isinstance(block, Forest) and len(block.panels) == 3
    shown = Counter(round(dot.estimate, 6) for panel in block.panels for dot in panel.dots if dot.estimate is not None)
    assert shown == Counter(round(float(line["estimate"]), 6) for line in lines(figure))
    words = " ".join(check(figure.spec))
    assert "n = 4" in words and "n = 12" in words


def test_a_radar_shows_what_the_table_says_and_has_gaps(draw: object) -> None:
    whole, part = made("whole", 7), made("part", 3)
    assert part.run is not None
    only = [one for one in part.run.episodes if "knowledge" not in one.tags["capability"]]
    part = replace(part, run=replace(part.run, episodes=tuple(only)))
    figure = draw("radar", [whole, part])  # type: ignore[operator]
    assert figure.data == table_lines([whole, part], "sr/capability", "sr")
    (around,), (below,) = figure.spec.rows
    assert isinstance(around, Radar) and isinstance(below, ValueMap)
    assert around.values[1][around.axes.index("Knowledge")] is None
    assert [[cell.estimate for cell in line] for line in below.cells[:3]] == [
        [None if value is None else pytest.approx(100 * value) for value in line]
        for line in zip(*around.values, strict=True)
    ]
    for width in (SINGLE, DOUBLE):
        assert "—" in look(figure.spec, width).words


def test_curves_have_the_tables_eqa_as_their_area(draw: object) -> None:
    runs = [made("fast", 12), made("slow", 5)]
    figure = draw("eqa", runs, turns="5,10")  # type: ignore[operator]
    assert [type(block) for row in figure.spec.rows for block in row] == [Curves, Curves]
    whole = paper_table(TableRequest(("fast", "slow"), ("sr", "eqa"), reference="none", settings=FAST), runs)
    found = [line for line in lines(figure) if line["budget"] == "10 turns"]
    for name, cells in zip(("fast", "slow"), whole.cells, strict=True):
        points = [line for line in found if line["row"] == name]
        assert {float(one["sr"]) for one in points} == {cells[0].estimate}
        assert {float(one["eqa"]) for one in points} == {cells[1].estimate}
        reached = [float(one["reached"]) for one in points]
        area = sum((a + b) / 2 for a, b in zip(reached, reached[1:], strict=False)) / (len(reached) - 1)
        assert cells[1].estimate is not None and area == pytest.approx(cells[1].estimate / 100, abs=0.01)
    assert "EQA" in " ".join(check(figure.spec))


@pytest.mark.parametrize("count", [1, 8])
def test_terminations_add_up_to_those_of_the_report(draw: object, count: int) -> None:
    runs = [made(f"run-{n}", n) for n in range(count)]
    figure = draw("termination", runs)  # type: ignore[operator]
    (block,) = figure.spec.rows[0]
    assert isinstance(block, Stacks)
    found = lines(figure)
    for run in runs:
        assert run.run is not None
        whole = Counter(ending_of(one.reason, one.status, one.success) for one in run.run.episodes)
        own = [line for line in found if line["row"] == run.label]
        assert {line["ending"]: int(line["count"]) for line in own if not line["value"]} == {
            end: whole[end]  # type: ignore[index]
            for end in termination.ENDS
        }
        parts = Counter(dict.fromkeys(termination.ENDS, 0))
        for line in own:
            parts[line["ending"]] += int(line["count"]) if line["value"] else 0
        assert parts == Counter(dict(whole)), "each episode is on one device or on both"
    rates = [line for line in found if line["ending"] == "success" and not line["value"]]
    assert [float(line["share"]) for line in rates] == pytest.approx([n / 12 for n in range(count)])
    whole_table = paper_table(TableRequest(tuple(one.label for one in runs), ("cr",), settings=FAST), runs)
    assert [float(line["cr"]) for line in rates] == [line[0].estimate for line in whole_table.cells]
    assert all(float(line["cr_low"]) <= float(line["cr"]) <= float(line["cr_high"]) for line in rates)
    assert all(float(line["low"]) <= float(line["share"]) <= float(line["high"]) for line in rates)
    check(figure.spec)


def test_every_ending_has_a_field_of_its_own(draw: object) -> None:
    run = made("one", 3)
    assert run.run is not None
    reasons = ("done", "done", "stopped", "turns", "invalid", "denied", "cost", "world", "unjudged", "void")
    ends = (*run.run.episodes[:2], *map(_ended, run.run.episodes[2:], reasons))
    ends = (*ends[:3], replace(ends[3], status="success"), *ends[4:])
    figure = draw("termination", [replace(run, run=replace(run.run, episodes=ends))])  # type: ignore[operator]
    assert {line["ending"] for line in lines(figure) if int(line["count"])} == set(termination.ENDS)
    assert len(set(FILLS)) == len(FILLS) >= len(termination.ENDS)
    words = " ".join(check(figure.spec))
    assert all(end.capitalize() in words for end in termination.ENDS)


def _ended(one: Episode, reason: str) -> Episode:
    return replace(one, reason=reason)


def test_a_map_of_difficulty_tells_what_tasks_span(draw: object) -> None:
    runs = [made("good", 12), made("bad", 3)]
    figure = draw("difficulty", runs)  # type: ignore[operator]
    assert figure.data == table_lines(runs, "sr/scope")
    (block,) = figure.spec.rows[0]
    assert isinstance(block, ValueMap)
    assert [column.head for column in block.columns] == ["one app", "several apps", "several devices"]
    assert [column.note for column in block.columns] == ["n = 4", "n = 4", "n = 4"]
    assert [cell.estimate for cell in block.cells[0]] == [100.0] * 3
    check(figure.spec)


def test_other_scores_are_shown_by_name(draw: object) -> None:
    figure = draw("levels", [made("one", 6)], column="turns")  # type: ignore[operator]
    assert {line["figure"] for line in lines(figure)} == {"turns"}
    with pytest.raises(ConfigError, match="shows shares, and turns is none"):
        draw("radar", [made("one", 6)], column="turns")  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "request_", "said"),
    [
        ("radar", {"by": ("level", "app")}, "a radar shows one tag"),
        ("radar", {"by": ("app",)}, "at least 3 values, and app has 2 here; draw `omnipilot figure levels --by app`"),
        ("levels", {"by": ("levle",)}, "did you mean level"),
        ("levels", {"task": "task-01"}, "'levels' takes no --task; it takes --column, --by"),
        ("eqa", {"by": ("level",)}, "'eqa' takes no --by; it takes --turns"),
        ("graph", {}, "name the task with --task; these runs have task-00"),
        ("graph", {"task": "tusk-03"}, "did you mean task-03"),
        ("graph", {"task": "task-01", "instance": 9}, "leave out --instance and --trial"),
        ("radra", {}, "did you mean radar"),
        ("omnipilot.bench:run", {}, "is no kind of figure"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_cure(
    draw: object, name: str, request_: dict[str, object], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        draw(name, [made("one", 6)], **request_)  # type: ignore[operator]


def test_a_task_without_sub_goals_has_no_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    run = made("one", 1, 1)
    assert run.run is not None
    started = EpisodeStarted("task-00#0.0", 1, "task-00", 0, 0, "do it", [], [], {}, {}, 0.0)
    monkeypatch.setattr(task_graph, "episodes_of_task", lambda _: [(run, list(run.run.episodes))])
    monkeypatch.setattr(task_graph, "attempt_events", lambda *_: [started])
    with pytest.raises(ConfigError, match="task-00#0.0 of one has no sub-goals to draw"):
        make_figure("graph", FigureRequest(("one",), task="task-00"))


def test_more_runs_than_colours_are_refused(draw: object) -> None:
    runs = [made(f"run-{n}", n) for n in range(9)]
    with pytest.raises(ConfigError, match="tells 8 runs apart, and these are 9"):
        draw("levels", runs)  # type: ignore[operator]


def test_a_kind_of_ones_own_comes_by_its_module(draw: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_figures.py").write_text(
        "from omnipilot.bench.report import Dot, RunFigure, figure_kind, forest\n"
        "@figure_kind('task')\n"
        "def one_dot(request):\n"
        "    'A dot.'\n"
        "    return RunFigure(forest(request.task, [Dot(request.runs[0], 0.5, 0.4, 0.6)]), 'run,share\\n', ())\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    figure = draw("my_figures:one_dot", [made("one", 6)], task="mine")  # type: ignore[operator]
    assert figure.spec.title == "mine" and figure.data == "run,share\n"


def test_kinds_say_what_they_are_without_being_imported() -> None:
    assert set(FIGURES.names()) >= {"levels", "radar", "eqa", "difficulty", "termination", "graph", "strip"}
    assert all(FIGURES.summary(name).endswith(".") for name in FIGURES.names())
    with pytest.raises(ConfigError, match="cannot take colour"):
        figure_kind("colour")
    assert kind.COMMON == ("runs", "settings")
