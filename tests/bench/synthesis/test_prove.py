"""The command that proves tasks: what fails is printed and counted, whatever a proof raises."""

from __future__ import annotations

import pytest

from omnipilot.bench.synthesis.prove import MOST_SHOWN, flaws_of, parser_for, prove
from omnipilot.envs import NotFound


def refuse(task: str) -> list[str]:
    raise NotFound(f"no {task}")


def find(task: str) -> list[str]:
    return [] if task == "good" else [f"{task}: wrong"]


def test_each_defect_is_a_line_with_its_proof_and_an_error_is_one() -> None:
    proofs = {"holds": lambda task: [], "fails": lambda task: [task] * 9, "is lost": refuse}
    assert list(flaws_of(proofs, "move [0]", "move")) == [
        *["move [0] fails: move"] * MOST_SHOWN,
        "move [0] is lost: NotFound: no move",
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_fails_is_printed_and_decides_the_status(jobs: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(find, ["good", "bad"], jobs, "3 proofs, 1 instances") == 1
    assert "bad: wrong\n3 proofs, 1 instances of 2 tasks: 1 tasks fail (" in capsys.readouterr().out
    assert prove(find, ["good"], jobs, "3 proofs, 1 instances") == 0


def test_every_command_takes_tasks_instances_and_jobs() -> None:
    options = parser_for("a.b", "Says what.", instances=3, jobs=2).parse_args(["t", "--jobs", "4"])
    assert (options.tasks, options.instances, options.jobs) == (["t"], 3, 4)
