"""The summary for a pull request says the verdict first, and shows what agents typed as code."""

from __future__ import annotations

from made_runs import a_run, episode

from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.gates.changes import ChangedInstance, FirstStep
from omnipilot.bench.gates.rule import judge_gates, read_gate
from omnipilot.bench.gates.summary import MOST, code, summary_markdown


def summary(lost: int, *gates: str, tasks: int = 40, step: FirstStep | None = None) -> list[str]:
    keys = [f"t{number:02}#0.0" for number in range(tasks)]
    a = a_run("main", [episode(key) for key in keys])
    b = a_run("change", [episode(key, 0 if number < lost else 2) for number, key in enumerate(keys)])
    found = compare(a, b, resamples=1000)
    changes = [ChangedInstance(flip, (flip.task, flip.task), step) for flip in found.flips]
    verdicts = judge_gates(a, b, [read_gate(one) for one in gates])
    return summary_markdown(found, ["It is as it was."], changes, verdicts).splitlines()


def test_the_verdict_stands_first() -> None:
    failed = summary(12, "SR < -5", "SR > 5")
    assert failed[0] == "## Failed: SR < -5 (12 worse, 0 better)"
    assert failed[2].startswith("SR < -5 fails: B − A is -30.0 [")
    assert summary(2, "SR < -5")[0] == "## Passed (2 worse, 0 better), but 1 of 1 gates too weak"
    assert summary(2, "SR < -60")[0] == "## Passed (2 worse, 0 better)"
    assert summary(2)[:3] == ["## Compared: 2 worse, 0 better", "", "It is as it was."]


def test_figures_have_intervals_and_changed_episodes_their_first_step() -> None:
    typed = FirstStep(4, "Click “Send”", "Type “`@all` | <b>\n# x”")
    lines = summary(1, "SR < -5", step=typed)
    assert any(line.startswith("| SR % | 100.0 [") for line in lines)
    assert r"| worse | t00#0 | 1/1 | 0/1 | 4 | `Click “Send”` | `Type “'@all' \| <b> # x”` | turn limit |" in lines


def test_a_long_list_is_cut_and_says_so() -> None:
    lines = summary(MOST + 3, tasks=60)
    assert sum(line.startswith("| worse |") for line in lines) == MOST
    assert lines[-1] == "- 3 more: `omnipilot compare --all`"
    assert len(code("a" * 1000)) < 250
