"""The sentence above a comparison's tables: what it claims, what it leaves open, and what a design cannot show."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_runs import a_run, episode

from omnipilot.bench.experiments.ablation_results import rows_of as ablation_rows
from omnipilot.bench.experiments.budget import read_budgets
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.experiments.sweep_results import rows_of as sweep_rows
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.conclusions import (
    conclude_ablation,
    conclude_comparison,
    conclude_sweep,
    condition_words,
    points,
)
from omnipilot.bench.report.results.stored import store_results
from omnipilot.bench.report.terminal_tables import ShownRows, render_results


def solving(name: str, solved: str, template: str = "") -> Run:
    """A run with one task for each character: 1 solved, 0 not, v void; all of one template if one is named."""
    made = [
        episode(f"t{n:02}#0.0", 2 * (one == "1"), "void" if one == "v" else "", template=template)
        for n, one in enumerate(solved)
    ]
    return a_run(name, made)


def ablated(full: str, template: str = "", **others: str) -> tuple[str, ...]:
    runs = {name.replace("_", " "): solving(name, solved, template) for name, solved in others.items()}
    rows = ablation_rows(solving("full set", full, template), runs, "")
    return conclude_ablation(rows, "rules", available=40).sentences


def test_one_condition_that_differs_and_the_rest() -> None:
    (said,) = ablated("1" * 12, no_elements="0" * 12, no_audio="1" * 11 + "0", no_context="1" * 12)
    assert said == (
        "Without elements, rules solves 100 points fewer tasks (12/12 → 0/12; 95 % interval −100 to −51.5; "
        "Holm p = 0.0015); for the other 2 conditions nothing can be told: differences smaller than 66 points cannot "
        "be seen with 12 tasks."
    )


def test_several_that_differ_are_listed_by_effect_and_further_ones_by_name() -> None:
    rows = sweep_rows(
        [
            solving("rules", "1" * 12 + "0" * 12),
            solving("none", "0" * 24),
            solving("few", "1" + "0" * 23),
            solving("some", "11" + "0" * 22),
            solving("less", "111" + "0" * 21),
            solving("all", "1" * 24),
        ]
    )
    found = conclude_sweep(rows)
    (said,) = found.sentences
    assert said.startswith("none (−50 points; 12/24 → 0/24; 95 % interval −")
    assert ", some (−41.7 points; 12/24 → 2/24; " in said and ") and less" in said
    assert (
        said.count("Holm p = ") == 4
        and " and less solve fewer tasks than rules; all solves 50 points more tasks than rules (12/24 → 24/24;" in said
    )
    assert (found.better, found.worse, found.untold) == (("all",), ("none", "few", "some", "less"), ())


def test_a_design_that_cannot_show_anything_says_so_first_and_what_would() -> None:
    conditions = {f"no_{name}": "1" * 8 for name in ("audio", "video", "context", "screenshot", "text", "words")}
    first, cure, largest = ablated("1" * 8, no_elements="0" * 8, **conditions)
    assert first == (
        "8 tasks cannot show any difference in 7 comparisons at once: even if all of them changed alike, p would be "
        "0.055 after Holm’s correction."
    )
    assert cure == (
        "Take at least 9 tasks that share no template (the suite has 40 tasks), or ask about at most 6 conditions; "
        "further instances of the same tasks would not help."
    )
    assert largest == ("The largest difference seen: without elements, 8/8 → 0/8, p = 0.0078 without correction.")
    # Six conditions can show it, as it says.
    conditions.popitem()
    assert ablated("1" * 8, no_elements="0" * 8, **conditions)[0].startswith(
        "Without elements, rules solves 100 points"
    )


def test_tasks_that_share_their_templates_are_one() -> None:
    first, largest = ablated("1" * 9, "s", no_elements="0" * 9)
    assert first == (
        "9 tasks share their templates and so cannot show any difference: it takes at least 6 that share no template "
        "(the suite has 40 tasks)."
    )
    assert largest == "The largest difference seen: without elements, 9/9 → 0/9."
    assert ablated("1", no_elements="0")[0] == (
        "1 task cannot show any difference: it takes at least 6 (the suite has 40 tasks)."
    )


def test_nothing_told_says_how_much_it_would_have_seen_and_how_many_tasks_would_do() -> None:
    said, largest, more = ablated("1" * 12, no_audio="1" * 10 + "00", no_video="1" * 12)
    assert said.startswith("No difference can be told for any of 2 conditions: differences smaller than ")
    assert said.endswith(" points cannot be seen with 12 tasks.")
    assert largest == "The largest difference seen: without audio, 12/12 → 10/12, p = 0.5 without correction."
    assert more.startswith("To see one of 20 points takes about ") and more.endswith(
        "tasks like these; the suite has 40."
    )


def test_two_runs() -> None:
    better = conclude_comparison(compare(solving("old", "0" * 10), solving("new", "1" * 8 + "00")))
    assert better.text.startswith("new solves 80 points more tasks than old (0/10 → 8/10; 95 % interval +")
    assert "; p = 0.0078)." in better.text and better.better == ("new",)
    same = conclude_comparison(compare(solving("old", "1" * 10), solving("new", "1" * 10)))
    assert same.text.startswith("No difference can be told: differences smaller than ") and same.untold == ("new",)
    short = replace(solving("new", "1" * 8 + "v"), planned=10)
    lost = conclude_comparison(compare(solving("old", "1" * 10), short)).sentences
    assert lost[-2].startswith("1 of 18 episodes is void and counts as not solved")
    assert lost[-1] == "Not all is finished (new: 9 of 10 episodes), so this is about the 9 pairs that both have."


def test_one_run_under_two_budgets_has_no_test() -> None:
    run = solving("run", "1" * 10)
    episodes = tuple(replace(one, turns=5 + 3 * at, turn_limit=50) for at, one in enumerate(run.episodes))
    found = compare(replace(run, episodes=episodes), replace(run, episodes=episodes), budgets=read_budgets("15,50"))
    (said,) = conclude_comparison(found).sentences
    assert said.startswith("run at 50 turns solves 60 points more tasks than run at 15 turns (4/10 → 10/10; 95 %")
    assert "p " not in said.partition("interval")[2]


def test_no_common_tasks() -> None:
    other = replace(solving("b", "1"), episodes=(episode("other#0.0", 2),))
    found = conclude_sweep(sweep_rows([solving("a", "1"), other]))
    assert found.text == "Nothing can be compared: no two runs have a task and instance in common."


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no audio", "without audio"),
        ("no video, audio", "without video and audio"),
        ("only screenshot", "with screenshot only"),
        ("noise", "under noise"),
        ("other", "with another task’s sound and video"),
        ("both 0 dB", "with the instruction as both 0 dB"),
    ],
)
def test_conditions_in_words(name: str, words: str) -> None:
    assert condition_words(name) == words


def test_points_have_no_more_digits_than_they_need() -> None:
    assert [points(one) for one in (0.8, -0.425, 0.01)] == ["80 points", "42.5 points", "1 point"]


def test_the_conclusion_comes_first_on_a_terminal_and_in_the_files(tmp_path: Path) -> None:
    found = compare(solving("old", "0" * 10), solving("new", "1" * 8 + "00"))
    said, table = conclude_comparison(found), compare_table(found)
    printed = render_results(said, [table])
    assert printed.startswith(f"{said.text}\n\n") and printed.endswith(
        "--methods says how intervals and p-values were obtained"
    )
    assert "McNemar" not in printed and "McNemar" in render_results(said, [table], ShownRows(methods=True))
    narrow = render_results(said, [table], width=60).partition("\n\n")[0].splitlines()
    assert len(narrow) > 1 and max(map(len, narrow)) <= 60 and " ".join(narrow) == said.text
    text = store_results(tmp_path / "out", said, {"New against old": [table]})
    assert text.read_text(encoding="utf-8").startswith(said.text) and "McNemar" in text.read_text(encoding="utf-8")
    stored = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert stored["conclusion"] == {"text": said.text, "better": ["new"], "worse": [], "untold": []}
    assert stored["tables"][0]["title"] == "New against old" and len(stored["tables"][0]["rows"]) == len(table.rows)
