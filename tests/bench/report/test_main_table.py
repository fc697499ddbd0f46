"""Tables of runs: which columns tell them apart, and how they look on a narrow terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Episode, RunSpec
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.void_reasons import AGAIN, LONGEST, MOST, void_notes, void_words
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import (
    _DIFFERING,
    _LABELS,
    CHECKED,
    ENDINGS,
    OVER,
    QUESTIONS,
    brief_table,
    main_table,
    task_table,
)
from omnipilot.bench.report.terminal_tables import NARROWEST, render_table
from omnipilot.bench.report.terms import FIGURES as FIGURE_TERMS
from omnipilot.bench.report.terms import SETTINGS, TERMS, meaning
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.tables import Table
from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Usage

ALWAYS = ("suite", "planner", "grounder")
FIGURES = ("solved", "SR %", "CR %", "EE %", "CE %")


def episode(reason: str = "done", completed: int = 0, tokens: int = 0) -> Episode:
    names = (*("world_seconds", "wall_seconds"), *("turns", "steps", "actions", "invalid"))
    ended: dict[str, Any] = {"reason": reason, "status": "failure", "detail": "", "completed": completed, "total": 2}
    values: dict[str, Any] = dict.fromkeys(names, 1) | ended
    usage = Usage(calls=1, tokens_in=tokens)
    return Episode("t#0.0", "t", 0, 0, 1, "Do it.", {}, usage=usage, nodes={}, **values)


def run(name: str = "one", suite: PartSpec | None = None, stand_in: str = "", **agent: Any) -> Run:
    spec = RunSpec(AgentSpec(**agent), suite or PartSpec("duet"), "1", stand_in=stand_in)
    return Run(name, spec, (episode(),), 1)


def heads(*runs: Run) -> tuple[str, ...]:
    """The columns that say what the runs were of."""
    columns = main_table(runs).columns
    return columns[: columns.index("solved")]


def test_one_run_has_no_more_columns_than_needed() -> None:
    assert main_table([run()]).columns == (*ALWAYS, *FIGURES, "gave up")
    assert heads(run(stand_in="noise", modalities=frozenset({Modality.AUDIO}))) == ALWAYS


def test_a_brief_table_has_what_tells_runs_apart_and_how_much_they_solved() -> None:
    one, two = run("one", planner=PartSpec("random")), run("two", planner=PartSpec("noop"))
    table = brief_table([one, replace(two, episodes=(episode("void"), episode("done", 2)))])
    assert table.columns == ("planner", "solved", "SR %", "CR %", "void")
    assert table.rows[1] == ("noop", "0/2", "0.0", "50.0", "1")
    assert not [note for note in table.notes if "EE" in note or "pointed" in note]
    assert brief_table([one]).columns == (*ALWAYS, "solved", "SR %", "CR %")


def test_what_checks_found_has_columns_where_a_run_has_any() -> None:
    plain = run("plain")
    checked = replace(run("checked"), episodes=(replace(episode(), checked=4, violated=1), episode()), planned=2)
    table = main_table([plain, checked])
    at = table.columns.index("violations")
    assert [row[at] for row in table.rows] == ["·", "1/4 (0.50)"] and "repaired" not in table.columns
    assert CHECKED in table.notes and CHECKED not in main_table([plain]).notes
    mended = replace(checked, episodes=tuple(replace(one, repaired=2) for one in checked.episodes))
    table = main_table([plain, mended])
    assert [row[table.columns.index("repaired")] for row in table.rows] == ["·", "4"]


def test_questions_have_a_column_where_the_user_answered_any() -> None:
    silent = run("silent")
    asking = replace(run("asking"), episodes=(replace(episode(), verbs={"ask_user": 2, "click": 3}),) * 2, planned=2)
    table = main_table([silent, asking])
    assert [row[table.columns.index("questions")] for row in table.rows] == ["·", "4"] and QUESTIONS in table.notes
    assert "questions" not in main_table([silent]).columns and QUESTIONS not in main_table([silent]).notes
    chosen = main_table([silent, asking], chosen=("questions",))
    assert chosen.columns.count("questions") == 1
    assert [row[chosen.columns.index("questions")] for row in chosen.rows] == ["0.0", "2.0"]


def test_who_answers_is_a_setting_that_runs_differ_in() -> None:
    nobody = run("nobody")
    nobody = replace(nobody, spec=replace(nobody.spec, user=PartSpec("none")))
    table = main_table([run("usual"), nobody])
    assert [row[table.columns.index("user")] for row in table.rows] == ["rules", "none"]


def test_the_runs_of_an_ablation_are_told_apart() -> None:
    quiet = ALL_MODALITIES - {Modality.AUDIO}
    table = main_table([run("full"), run("quiet", modalities=quiet), run("hiss", stand_in="noise")])
    assert table.columns[:5] == (*ALWAYS, "modalities", "stand in")
    assert [row[3:5] for row in table.rows] == [("all", "none"), ("no audio", "none"), ("all", "noise")]


@pytest.mark.parametrize(
    ("other", "column", "cell"),
    [
        (run(suite=PartSpec("duet", {"variant": "paper", "data": "/there"})), "suite options", "variant=paper"),
        pytest.param(
            run(planner=PartSpec("rules", {"turns": 3})),
            "planner options",
            "turns=3",
            marks=pytest.mark.exhibit("rules"),
        ),
        (run(grounder=PartSpec("elements", {"near": {"far": 2}})), "grounder options", "near.far=2"),
        (run(critic=PartSpec("rules")), "critic", "rules"),
        (run(memory=PartSpec("window", {"turns": 4})), "memory", "window(turns=4)"),
        (run(planner_modalities=frozenset()), "planner modalities", "none"),
    ],
)
def test_every_setting_that_differs_has_a_column(other: Run, column: str, cell: str) -> None:
    table = main_table([run(), other])
    assert heads(run(), other) == (*ALWAYS, column)
    assert table.rows[1][3] == cell and table.rows[0][3] != cell


def test_varied_tasks_are_told_even_where_all_runs_have_them() -> None:
    one = run(suite=PartSpec("duet", {"vary": "dark+zoom"}))
    assert heads(one)[:2] == ("suite", "vary")
    assert main_table([one]).rows[0][1] == "dark+zoom"
    assert [row[1] for row in main_table([run(), one]).rows] == ["none", "dark+zoom"]


def test_where_a_model_or_data_lies_is_no_difference_and_options_of_other_parts_are_none() -> None:
    here = run(suite=PartSpec("duet", {"data": "/here"}), planner=PartSpec("json", {"model": "a/b", "url": "http://x"}))
    there = run("two", PartSpec("duet", {"data": "/there"}), planner=PartSpec("json", {"model": "a/b"}))
    assert heads(here, there) == ("run", "suite", "planner", "model", "grounder")
    assert heads(run(), run(planner=PartSpec("oracle", {"pace": 2}))) == ALWAYS


def void(detail: str) -> Episode:
    return replace(episode("void"), detail=detail)


def test_why_episodes_are_void_is_told_once_for_each_error() -> None:
    at = "model unavailable: a/b gave no answer: Cannot connect to host h:9 ssl:<ssl.SSLContext object at 0x7{}>"
    lost = [void(f"{at.format(number)}\n [refused]") for number in range(3)] + [void("worker died (signal 9)")]
    notes = main_table([replace(run(), episodes=(episode(), *lost))]).notes
    why = "model unavailable: a/b gave no answer: Cannot connect to host h:9 [refused]"
    assert [note for note in notes if "void: " in note] == [
        f"one: 3 void: {why}",
        "one: 1 void: worker died (signal 9)",
    ]
    assert AGAIN in notes and AGAIN not in main_table([run()]).notes


def test_long_and_many_reasons_are_cut() -> None:
    assert len(void_words("word " * 500)) <= LONGEST and void_words("a" * 9 + "b" * 999 + "end").endswith("end")
    assert void_words("") == "no reason was recorded"
    assert void_words("x" * LONGEST) == "x" * LONGEST
    told = void_notes("one", [void(f"error {number}") for number in range(9)])
    assert len(told) == MOST + 1 and told[-1] == "one: 4 void for 4 other reasons; the report has each"


def test_runs_that_only_their_directories_tell_apart_have_those_and_versions_are_told() -> None:
    assert main_table([run("first"), run("second")]).rows[1][0] == "second"
    newer = run("newer")
    newer = replace(newer, spec=replace(newer.spec, suite_version="2"))
    assert "duet: runs of 2 versions" in " ".join(main_table([run(), newer]).notes)


def test_who_answered_is_told_by_the_name_of_the_row_where_the_row_does_not_say_it() -> None:
    def answered(planner: str, *models: str) -> Run:
        made = run(planner=PartSpec(planner))
        usage = replace(made.episodes[0].usage, models=models)
        return replace(made, name=f"{planner}-4e1a", episodes=(replace(made.episodes[0], usage=usage),))

    notes = main_table([answered("mini", "mini"), answered("json", "gpt-4o-2024")]).notes
    assert [one for one in notes if "answered by" in one] == ["json: answered by gpt-4o-2024"]


def test_what_a_guard_refused_is_no_invalid_action() -> None:
    table = main_table([replace(run(), episodes=(episode("denied"), episode("invalid"), episode("denied")), planned=3)])
    ended = dict(zip(table.columns, table.rows[0], strict=True))
    assert (ended["refused by the guard"], ended["invalid action"]) == ("2", "1")


def test_an_episode_that_its_world_ended_is_explained() -> None:
    over = replace(run(), episodes=(episode("world"),))
    table = main_table([over])
    assert table.columns[-1] == "world over" and table.rows[0][-1] == "1" and OVER in table.notes
    assert OVER not in main_table([run()]).notes


def test_completion_a_token_has_no_interval_where_nothing_was_completed() -> None:
    nothing = replace(run(), episodes=(episode(tokens=900),))
    assert ("one", "CE %", "0.0000 [—]", "1", "none, as there is only one task") in interval_table(
        [nothing], resamples=200
    ).rows


def test_the_figures_without_void_episodes_stand_apart_if_there_are_any() -> None:
    lost = replace(run(), episodes=(episode(), episode("void")))
    with_void, without = interval_table([lost], resamples=200), interval_table([run()], resamples=200)
    assert "without void" in with_void.columns and "(1 void)" in with_void.rows[0][3]
    assert "without void" not in without.columns and {len(row) for row in without.rows} == {len(without.columns)}


TABLE = Table(
    ("suite", "planner", "solved", "SR %"), (("duet", "rules", "12/40", "30.0 [20.1, 42.0]"),), ("a b c" * 40,), 2
)


def test_a_narrow_terminal_gets_the_columns_below_each_other() -> None:
    lines = render_table(TABLE, 40).split("\n")
    assert max(map(len, lines)) <= 40
    assert [line.split()[:3] for line in lines if line.startswith("duet")] == [
        ["duet", "rules", "12/40"],
        ["duet", "30.0", "[20.1,"],
    ]
    whole = f"{TABLE.text()}\n  {TERMS}"
    assert render_table(TABLE, 500) == whole and render_table(TABLE) == whole


def test_wide_characters_take_two_cells() -> None:
    table = Table(("task", "名前", "by"), (("送信[b]", "1", "短"), ("send", "100", "long")), words=("by",))
    assert table.text().split("\n") == [
        "task     名前  by",
        "───────  ────  ────",
        "送信[b]     1  短",
        "send      100  long",
    ]
    noted = replace(table, notes=("ノート " * 20,))
    lines = render_table(noted, 40).split("\n")
    assert max(map(cell_len, lines)) <= 40 and "".join(lines).count("ノート") == 20


@pytest.mark.parametrize(
    ("name", "value", "styled"), [("X", "", True), ("NO_COLOR", "1", False), ("TERM", "dumb", False)]
)
def test_a_terminal_shows_headings_in_bold_unless_it_is_asked_not_to(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, styled: bool
) -> None:
    for setting in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    shown = render_table(Table(("task", "SR %"), (("[red]x[/red]", "1.0"),)))
    assert ("\x1b[1mtask" in shown) == styled and ("\x1b" in shown) == styled
    assert "[red]x[/red]   1.0" in shown and TERMS in shown


def test_every_column_of_the_main_tables_has_a_meaning() -> None:
    ends = ("done", "world", "void")
    first = replace(run(), episodes=tuple(episode(reason) for reason in ends))
    columns = {
        *main_table([first, run("two", critic=PartSpec("rules"))]).columns,
        *interval_table([first]).columns,
        "value",
        "variant",
    }
    columns |= (
        {name.replace("_", " ") for name in AXES} | {title for title, *_ in (*_LABELS, *_DIFFERING)} | set(ENDINGS)
    )
    assert [name for name in columns if not meaning(name)] == []
    assert not SETTINGS.keys() & FIGURE_TERMS.keys()
    assert all(text and text[-1] != "." and len(text) < 120 for text in (*SETTINGS.values(), *FIGURE_TERMS.values()))


def test_a_table_of_names_alone_points_to_no_glossary() -> None:
    assert TERMS in render_table(main_table([run()])) and TERMS not in render_table(task_table([run()]))


words = st.text("abc…", min_size=1, max_size=9)


def test_of_the_labels_only_those_that_tell_the_rows_apart_are_said_again() -> None:
    rows = tuple(("duet", name, "1" * 20, "2" * 20) for name in ("rules", "noop"))
    lines = render_table(Table(("suite", "planner", "first", "second"), rows, labels=2), 45).split("\n")
    assert [line.split()[0] for line in lines if line.endswith("2")] == ["rules", "noop"]


@given(st.integers(1, 3), st.integers(1, 6), st.data(), st.integers(NARROWEST + 5, 90))
def test_no_cell_is_lost_and_no_line_is_longer_than_the_terminal(labels: int, more: int, data: Any, width: int) -> None:
    row = st.tuples(*[words] * (labels + more))
    table = Table(data.draw(row), tuple(data.draw(st.lists(row, max_size=3))), ("why " * 30,), labels)
    text = render_table(table, width)
    assert all(len(line) <= width for line in text.split("\n"))
    found = text.split()
    assert all(found.count(cell) >= 1 for cells in (table.columns, *table.rows) for cell in cells)
