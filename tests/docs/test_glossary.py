"""docs/glossary.md has an entry for every column of our tables and for every ending; links between documents hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest
from made_runs import a_run, episode
from shared_folders import ROOT, SOURCES

from omnipilot.agents import PartSpec
from omnipilot.bench.experiments.ablation_results import rows_of as ablation_rows
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.experiments.grid_results import grid_results
from omnipilot.bench.experiments.sweep_results import rows_of as sweep_rows
from omnipilot.bench.report.ablation_table import ablate_table, groups_table
from omnipilot.bench.report.comparison_table import compare_table, flip_table
from omnipilot.bench.report.grid_table import grid_tables
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import main_table, task_table
from omnipilot.bench.report.pointing_table import pointing_table
from omnipilot.bench.report.results.columns import EVERY_TRIAL
from omnipilot.bench.report.scope_table import scope_table
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.scoring.metrics import METRICS
from omnipilot.bench.scoring.score import Scored, scored_tables
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import Termination

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
GLOSSARY = PAGES["docs/glossary.md"]
REASONS = ("done", "turns", "invalid", "denied", "cost", "world", "void", "success", "unjudged", "stopped")
"""One reason for each way in which an episode ends."""


def anchors(text: str) -> list[str]:
    """What the headings of a page are linked by, as GitHub makes it of them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def explained_columns(text: str) -> dict[str, str]:
    """Each column of the glossary's table, with what is said of it."""
    rows = re.findall(r"^\| (`.+?) \| (.+) \|$", text, flags=re.MULTILINE)
    return {title: meaning for titles, meaning in rows for title in re.findall(r"`([^`]+)`", titles)}


def broken_links(page: str, text: str) -> list[str]:
    """Links of a page to files that are not there, or to headings that those do not have."""
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (ROOT / page).parent / name if name else ROOT / page
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            broken.append(target)
    return broken


def tables() -> list[Table]:
    """Every main table, of runs that differ in all that has a column."""
    one = a_run("one", [episode(f"t#{number}.0", 1, reason) for number, reason in enumerate(REASONS)])
    tagged = [replace(each, tags={"level": f"L{number % 2}"}) for number, each in enumerate(one.episodes)]
    pointed = replace(episode("t#9.0", 1, "done"), status="success", pointed_right=2, pointed_told=3)
    tagged.append(replace(pointed, checked=3, violated=1, repaired=1))
    one = replace(one, episodes=tuple(tagged))
    planner, grounder = PartSpec("json", {"model": "m"}), PartSpec("marks", {"model": "some"})
    agent = replace(one.spec.agent, system="by-function", planner=planner, grounder=grounder)
    further = {"planner": PartSpec("json", {"model": "m", "history": 1})}
    optioned = replace(agent, **further, grounder=PartSpec("marks", {"model": "some", "sources": "ocr"}))
    two = replace(one, name="two", spec=replace(one.spec, agent=agent))
    three = replace(one, name="three", spec=replace(one.spec, agent=optioned, suite=PartSpec("toy", {"a": "b"})))
    bare = replace(one, name="four", spec=replace(one.spec, suite=PartSpec("toy")))
    won = replace(one, name="won", episodes=tuple(replace(each, completed=2, reason="success") for each in tagged))
    scoped = tuple(replace(each, tags={"app": "a+b" if each.instance % 2 else "a"}) for each in tagged)
    scoped = tuple(replace(each, task=f"t{each.instance}") for each in scoped)
    by_scope = scope_table([replace(one, episodes=scoped)], resamples=200)
    assert by_scope is not None
    found = compare(one, won)
    by_level = ablation_rows(one, {"two": two}, "level", resamples=200)
    return [
        main_table([one, two, three, bare]),
        main_table([one, one]),
        main_table([one], chosen=(*METRICS.names(), EVERY_TRIAL)),
        task_table([one]),
        interval_table([one], resamples=200),
        by_scope,
        *filter(None, [pointing_table([one])]),
        sweep_table(sweep_rows([one, two], resamples=200), tuple(AXES)),
        ablate_table(by_level),
        *filter(None, [groups_table(by_level, "level")]),
        *grid_tables(grid_results(["rules", "noop"], ["elements", "ocr"], [one, won, won, one])),
        compare_table(found),
        flip_table(found),
        *scored_tables(Scored("toy", "paper", ())),
    ]


def test_every_column_has_an_entry() -> None:
    columns = {column for table in tables() for column in table.columns} - {
        "",
        "one",
        "won",
        "rules",
        "elements",
        "ocr",
    }
    assert {"its model", "suite options", "p Holm", "cap", "interval by", "level", "task#instance"} <= columns
    explained = explained_columns(GLOSSARY)
    assert sorted(columns - explained.keys()) == []
    axes = {name.replace("_", " ") for name in AXES}
    assert sorted(axes - explained.keys()) == []
    assert sorted(explained.keys() - columns - axes) == []


@pytest.mark.parametrize("ending", [name for name in get_args(Termination) if name != "success"])
def test_every_ending_has_a_heading_and_a_column(ending: str) -> None:
    heading = ending.replace(" ", "-")
    assert heading in anchors(GLOSSARY)
    assert "#how-an-episode-ends" in explained_columns(GLOSSARY)[ending]


def test_each_term_has_one_entry_of_a_few_sentences() -> None:
    assert len(set(anchors(GLOSSARY))) == len(anchors(GLOSSARY)) > 60
    entries = re.split(r"^### ", GLOSSARY, flags=re.MULTILINE)[1:]
    assert [entry.splitlines()[0] for entry in entries if not 30 < len(entry) < 700] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_between_documents_hold(page: str) -> None:
    assert broken_links(page, PAGES[page]) == []


def test_a_broken_link_is_found() -> None:
    text = "[a](nowhere.md), [b](glossary.md#nothing), [c](glossary.md#void), [d](https://example.org/x)"
    assert broken_links("docs/duet.md", text) == ["nowhere.md", "glossary.md#nothing"]


def test_the_turn_limit_has_one_name() -> None:
    """Pages, tables and messages say "turn limit", however the benchmark or the journal calls it."""
    files = [
        path for room in SOURCES for kind in ("py", "js", "html", "toml") for path in (ROOT / room).rglob(f"*.{kind}")
    ]
    texts = PAGES | {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    assert len(texts) > 500
    other = re.compile(r"step[ -]limit|limit (on|of) turns(?! \(`--turns`\)| or of actions)", re.IGNORECASE)
    assert [name for name, text in texts.items() if other.search(text)] == []
