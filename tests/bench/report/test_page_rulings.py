"""What the report tells of a guard's rulings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench.journal.journal import read
from omnipilot.bench.report.page_data import EpisodeAttempt, Gatherer, detail
from omnipilot.bench.run import run
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.settings import RunSettings

pytestmark = pytest.mark.exhibit("duet", "rules")
DENY = '[[rule]]\nname = "no sending"\ndo = "deny"\nwhy = "nothing leaves the phone"\ntext = ["Send*"]\n'


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The steps of an episode whose guard denies one kind of move, as the page is told them."""
    folder: Path = tmp_path_factory.mktemp("guarded")
    (folder / "policy.toml").write_text(f'default = "allow"\n{DENY}')
    flags = RunSettings(suite="duet", tasks="send-message", planner="rules", policy=str(folder / "policy.toml"))
    run(spec_from(resolve_settings(None, flags, ["planner.ocr=false"])), folder / "run")
    gatherer = Gatherer()
    (attempt,) = (found for event in read(folder / "run") if isinstance(found := gatherer.take(event), EpisodeAttempt))
    return list(detail(attempt, lambda _: {})["steps"])


def test_a_refused_move_says_its_rule_and_what_was_known(steps: list[dict[str, Any]]) -> None:
    refused = [step["guard"] for step in steps if step["guard"] is not None]
    assert refused and {step["words"] for step in refused} == {
        "guard, rule “no sending”: refused: nothing leaves the phone"
    }
    assert refused[0]["facts"]["text"] == "Send" and not refused[0]["passed"]


def test_what_the_policy_allows_by_itself_is_not_told(steps: list[dict[str, Any]]) -> None:
    assert [step["guard"] for step in steps if step["result"] == "done"] == [None] * 3
