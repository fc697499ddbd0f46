"""docs/real-models.md tells the truth: its figures come out of the recorded answers again, without any model."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import real_gpu
import real_models
import real_models_table as made
from chat_server import Answer, ChatServer
from real_models_table import PAGE, README, Row, pack, rows, unpack

from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError

pytestmark = pytest.mark.exhibit("duet", "mini", "duet-memory")
PARTS = ("conclusion", "caps", *made.COLUMNS, "measured")


def test_a_language_model_is_given_no_more_than_the_caps_of_the_page() -> None:
    assert len(made.decision_tasks()) <= made.EPISODES == 24 and made.TURNS == 12
    known = {task.id for task in Duet("all").tasks()}
    assert set(made.decision_tasks()) <= known
    for row in rows():
        if row.served:
            assert row.arguments[row.arguments.index("--turns") + 1] == "12"
            assert "--instances" not in row.arguments and "--trials" not in row.arguments
    assert sum(row.minutes for row in rows() if row.served) <= made.MINUTES
    assert made.head() in PAGE.read_text(encoding="utf-8")


def test_rows_ask_for_models_that_there_are_and_record_them() -> None:
    assert len({row.key for row in rows()}) == len(rows())
    for row in rows():
        assert row.records == bool(row.weights), row.key
        assert set(row.weights) <= set(real_models.MODELS)
        assert made.REFERENCES[row.table] in {other.key for other in rows() if other.table == row.table}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.key)
def test_the_command_line_takes_every_row(row: Row, tmp_path: Path) -> None:
    real_gpu.check(real_gpu.Step("omnipilot", tuple(row.command(tmp_path, "", tmp_path / "calls", True)), 1))
    with pytest.raises(ConfigError, match="--plannr"):
        real_gpu.check(real_gpu.Step("omnipilot", (*row.command(tmp_path), "--plannr", "noop"), 1))


def test_cassettes_are_packed_to_the_same_bytes_and_come_out_whole(tmp_path: Path) -> None:
    (tmp_path / "calls").mkdir()
    for name in ("b", "a"):
        (tmp_path / "calls" / f"{name}.json").write_text(json.dumps({"name": name}))
    pack(tmp_path / "calls", tmp_path / "one.tar.xz")
    unpack(tmp_path / "one.tar.xz", tmp_path / "again")
    pack(tmp_path / "again", tmp_path / "two.tar.xz")
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()
    assert json.loads((tmp_path / "again" / "b.json").read_text()) == {"name": "b"}


def test_the_cassettes_that_are_committed_are_small() -> None:
    assert sum(file.stat().st_size for file in made.KEPT.glob("*.tar.xz")) <= made.MOST_BYTES


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, a README and a place for cassettes of the test's own."""
    marks = "".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in PARTS)
    (tmp_path / "real-models.md").write_text(marks)
    (tmp_path / "README.md").write_text("<!-- real models -->\n<!-- end of real models -->\n")
    monkeypatch.setattr(made, "PAGE", tmp_path / "real-models.md")
    monkeypatch.setattr(made, "README", tmp_path / "README.md")
    monkeypatch.setattr(made, "KEPT", tmp_path / "kept")
    return tmp_path


@pytest.mark.slow
def test_a_row_is_recorded_once_and_replayed_to_the_same_page(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, tasks = ("--suite", "duet", "--turns", "2"), ("send-message", "add-alarm", "dismiss-alarm")
    asks = (*task, "--planner", "hosted_vllm/scripted", "--waive-cost", "--modalities", "elements,context")
    few = [
        Row("random", "`random`", "decides", (*task, "--planner", "random"), tasks),
        Row("asks", "a model", "decides", asks, tasks, 5.0, True, (), "scripted"),
        Row("lacks", "none", "decides", asks, tasks, 5.0, True, ("no-such-weights",), "scripted"),
    ]
    monkeypatch.setattr(made, "rows", lambda: few)
    wait = '{"thought": "", "device": "phone", "seconds": 1}'
    with ChatServer([Answer(calls=(("wait", wait),))]) as server:

        @contextmanager
        def serve(name: str) -> Iterator[str]:
            yield server.url

        monkeypatch.setattr(made, "model_server", serve)
        assert made.main(["--out", str(pages / "runs")]) == 0
        asked = len(server.requests)
        first = made.PAGE.read_bytes(), made.README.read_bytes()
        assert made.main(["--out", str(pages / "runs")]) == 0  # nothing is left to do
        assert len(server.requests) == asked > 0
    assert (made.PAGE.read_bytes(), made.README.read_bytes()) == first
    assert b"| a model | 0/3 |" in first[1] and b"(docs/real-models/asks.tar.xz)" in first[1]
    assert b"| none |" not in first[1]  # its weights are not here

    assert made.main(["--replay", "--out", str(pages / "again")]) == 0
    made.PAGE.write_text(made.PAGE.read_text().replace("0/3", "1/3"))
    assert made.main(["--replay", "--out", str(pages / "again")]) == 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_page_comes_out_of_the_cassettes_again(tmp_path: Path) -> None:
    before = PAGE.read_bytes(), README.read_bytes()
    assert made.main(["--replay", "--out", str(tmp_path)]) == 0, "run: make real-table"
    assert (PAGE.read_bytes(), README.read_bytes()) == before


def test_the_dry_run_on_a_gpu_prints_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert real_gpu.main(["--dry-run", "--vllm", "vllm", "--out", "runs/gpu"]) == 0
    said = capsys.readouterr().out
    lines = [shlex.split(line[2:]) for line in said.splitlines() if line.startswith("$ ")]
    assert [line[1] for line in lines] == [
        *("download", "download", "serve", "serve", "calibrate", "ground", "run", "run", "run", "table")
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert all(line[2:] in page for line in said.splitlines() if line.startswith("$ ")), "docs/real-models.md"
    assert sum(step.minutes for step in real_gpu.steps(Path("runs"), "vllm")) < 60


def test_a_client_that_asks_for_another_name_than_its_server_has_is_refused() -> None:
    planned = real_gpu.steps(Path("runs"), "vllm")
    real_gpu.check_names(planned)

    def change(old: str, new: str) -> list[real_gpu.Step]:
        return [
            step if step.serves else replace(step, arguments=tuple(word.replace(old, new) for word in step.arguments))
            for step in planned
        ]

    with pytest.raises(ConfigError, match=r"the model is called osunlp/UGround-V1-7B"):
        real_gpu.check_names(change("UGround-V1-7B", "UGround-V1-2B"))
    with pytest.raises(ConfigError, match=r"nothing is served at http://127\.0\.0\.1:8009/v1"):
        real_gpu.check_names(change(":8002", ":8009"))
    strangers = [replace(step, arguments=("serve", "nobody/knows", *step.arguments[2:])) for step in planned[2:3]]
    with pytest.raises(ConfigError, match="no family lists the model"):
        real_gpu.check_names(strangers)


def test_without_a_gpu_it_says_what_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(real_gpu.shutil, "which", lambda _: None)
    monkeypatch.setattr(real_gpu, "play", lambda _: pytest.fail("it was played"))
    assert real_gpu.main(["--out", str(tmp_path)]) == 1
    assert "this machine lacks a GPU with 48 GB (here: 0 GB)" in capsys.readouterr().err


def test_what_a_row_took_in_several_calls_is_added_up() -> None:
    first = {"seconds": 60.0, "megabytes": 200, "finished": False}
    second = {"seconds": 30.5, "megabytes": 150, "server_megabytes": 900, "finished": True}
    whole = made._add_up(first, second)
    assert whole == {"seconds": 90.5, "megabytes": 200, "server_megabytes": 900, "finished": True}
    assert made._add_up(whole, {"seconds": 3.0, "megabytes": 100, "finished": True}) == whole
    assert made._add_up(None, second) == second


def test_a_slow_model_is_given_as_many_tasks_as_there_is_time_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def play(row: Row, out: Path, url: str, replay: bool, seconds: float, count: int) -> dict[str, object]:
        counts.append(count)
        return {"seconds": 100.0, "megabytes": 50 + count, "finished": True}

    monkeypatch.setattr(made, "run_row", play)
    row = Row("asks", "a model", "decides", (), tuple("abcdefg"), served="scripted")
    assert made.grow_row(row, tmp_path, "", 380.0) == {"seconds": 300.0, "megabytes": 56, "finished": True, "tasks": 6}
    assert counts == [2, 4, 6]
    assert made.grow_row(row, tmp_path, "", 5_000.0)["tasks"] == 7
    assert row.command(tmp_path, count=2)[1:3] == ["--tasks", "a,b"]
