"""Every door comes to what the command line comes to: the same demonstrations, the same score, the same last pictures.

A door whose package is not installed here is skipped; `make test-doors` runs each where it is. What was found is kept
for the table of docs/doors.md, see `conformance.write_finding`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conformance import write_finding
from demonstrations import Demonstration, demonstrate
from door_players import PLAYERS, SERVE
from doors_table import DOORS, FOUND, PAGE, filled

from omnipilot.bench.session import Session
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Image, Modality

pytestmark = pytest.mark.exhibit("duet")
SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())


@pytest.mark.parametrize("door", PLAYERS)
@pytest.mark.parametrize(
    "tasks", [TASKS[:3], pytest.param(TASKS, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])], ids=["some", "all"]
)
def test_demonstrations_come_to_the_same(door: str, tasks: tuple[str, ...], tmp_path: Path) -> None:
    module, play = PLAYERS[door]
    pytest.importorskip(module, reason=f"{door}: {module} is not installed here", exc_type=ImportError)
    demonstrations = demonstrate("duet", tasks, tmp_path / "run")
    for one, outcome in zip(demonstrations, play(demonstrations, tmp_path), strict=True):
        score = score_by_session(one)
        assert {"success", "completion"} <= set(outcome.score), one.task
        assert outcome.score == {key: score[key] for key in outcome.score}, one.task
        assert outcome.pictures, one.task
        assert outcome.pictures == {name: one.digests[name] for name in outcome.pictures}, one.task
        assert len(outcome.pictures) == len(one.digests) or not DOORS[door].shows_all, one.task
    write_finding(door, len(demonstrations))


def score_by_session(one: Demonstration) -> dict[str, object]:
    """The whole score, by a session without any door; it is that of the run, and so are the pictures."""
    with Session(SUITE) as session:
        session.open(one.task, 0)
        for verb in one.verbs:
            session.act(verb)
        score = session.score()
        assert (score.success, score.completed, score.total) == (True, one.completed, one.total)
        assert session.ended == one.reason
        for name, seen in session.observe({Modality.SCREENSHOT}).items():
            assert isinstance(seen.screenshot, Image) and seen.screenshot.digest == one.digests[name]
        return score.to_json()


def test_the_table_of_the_page_is_that_of_what_was_found() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert FOUND.exists() and filled(page) == page, "run: python docs/figures/doors_table.py"
    assert filled(page.replace("| Gymnasium |", "| Gone |")) == page


@pytest.mark.parametrize(
    ("hidden", "command", "extra"),
    [
        ("gymnasium", (sys.executable, "-c", "import omnipilot.gym"), "gym"),
        ("mcp", (*SERVE, "--mcp", "--world", "sim"), "mcp"),
        ("openenv", (*SERVE, "--door", "openenv", "--suite", "duet"), "openenv"),
    ],
)
def test_a_door_without_its_package_says_the_extra(
    hidden: str, command: tuple[str, ...], extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / hidden).mkdir()
    (tmp_path / hidden / "__init__.py").write_text(
        f"raise ModuleNotFoundError('no module {hidden}', name={hidden!r})", encoding="utf-8"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode and f"pip install 'omnipilot[{extra}]'" in done.stderr.replace("\n", " ")
