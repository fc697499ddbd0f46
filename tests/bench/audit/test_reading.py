"""What is read from judges: their code, and checks as data."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Any

from omnipilot.bench.audit.reading import JudgeReading, read_judge
from omnipilot.bench.judges.evaluator import read_evaluator
from omnipilot.bench.tasks.judges import Case, Judge, answer_contains


def read(ask: Any) -> JudgeReading:
    return read_judge(Judge("one", ask))


def contains(word: str, case: Case) -> bool:
    return word in case.state.clipboard


def nested(case: Case) -> bool:
    return contains("x", case)


class Asks:
    """A judge that is an object."""

    def __call__(self, case: Case) -> bool:
        return case.world.now > 3


def test_code_is_read_with_what_it_was_made_with() -> None:
    assert {"clipboard", "state"} == read(lambda case: case.state.clipboard == "x").sources
    assert "clipboard" in read(functools.partial(contains, "code")).sources
    assert "clipboard" in read(nested).sources
    assert read(Asks()).sources == {"clock"}
    found = read(answer_contains("twelve"))
    assert found.sources == {"answers"}
    assert "twelve" in found.texts


def test_the_machine_is_told_from_the_world() -> None:
    assert read(lambda case: time.time() > 3).host == {"the machine's clock"}
    assert not read(lambda case: case.state.time > 3).host
    assert "existence" in read(lambda case: Path("a").exists()).sources
    assert "file URL" in read(lambda case: case.state.address.startswith("file:///tmp")).sources


def test_checks_as_data_are_read() -> None:
    data = {
        "checks": [
            {"check": "check_app_in_front", "args": {"app": "Notes"}},
            {"all": [{"check": "check_state", "args": {"path": "account.mails[new].subject", "op": "present"}}]},
        ]
    }
    window, state = read_evaluator(data).nodes
    assert "window" in read_judge(window).sources
    assert {"mails", "subject"} <= read_judge(state).names
    assert not read_judge(state).unread


def test_what_has_no_code_is_unread() -> None:
    assert read(str.isupper).words().startswith("unread")
