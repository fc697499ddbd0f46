"""`score webarena-verified` with a double of its package, and with the real one where `make outside` was run."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from system_needs import outside_python

from omnipilot.bench.scoring import Scored
from omnipilot.bench.suites.webarena_verified import WebArenaVerified
from omnipilot.envs import ConfigError

NAVIGATED = {"task_type": "NAVIGATE", "status": "SUCCESS", "retrieved_data": None, "error_details": None}


def record(folder: Path, tasks: Mapping[int, tuple[Any, str]]) -> Path:
    """Write the answer and the one request of each task as a browser's HAR has it."""
    for id, (answer, url) in tasks.items():
        request = {"method": "GET", "url": url, "httpVersion": "HTTP/1.1", "queryString": [], "cookies": []}
        headers = {"accept": "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
        request["headers"] = [{"name": name, "value": value} for name, value in headers.items()]
        content = {"size": 0, "mimeType": "text/html", "text": ""}
        response = {"status": 200, "statusText": "OK", "headers": [], "cookies": [], "content": content}
        entry = {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": request, "response": response}
        one = folder / str(id)
        one.mkdir(parents=True)
        (one / "agent_response.json").write_text(json.dumps(answer))
        (one / "network.har").write_text(json.dumps({"log": {"version": "1.2", "entries": [entry]}}))
    return folder


def value(scored: Scored) -> tuple[float, int, int]:
    (figure,) = scored.figures
    return round((figure.value or 0.0) * figure.of), figure.of, figure.void


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).with_name("double")))


@pytest.mark.usefixtures("double")
def test_tasks_that_are_missing_or_void_count_as_failed_and_say_so(tmp_path: Path) -> None:
    run = record(tmp_path / "run", {1: (1, ""), 2: (0, ""), 3: ("error", ""), 77: (1, "")})
    scored = WebArenaVerified(sys.executable).score("", run, "full")
    assert value(scored) == (1, 5, 3) and scored.missing == ("4", "5") and scored.extra == ("77",)
    assert scored.figures[0].valid is not None and scored.figures[0].valid.estimate == 0.5
    assert "webarena-verified 9.9; 3 of 5 tasks" in scored.notes[0] and "task 3 is void" in scored.notes[1]
    assert value(WebArenaVerified(sys.executable).score("", run, "hard")) == (1, 2, 1)


@pytest.mark.usefixtures("double")
def test_a_judge_that_dies_makes_one_task_void_and_no_more(tmp_path: Path) -> None:
    run = record(tmp_path / "run", {1: (1, ""), 2: ("die", ""), 3: (1, "")})
    scored = WebArenaVerified(sys.executable).score("", run, "full")
    assert value(scored) == (2, 5, 3) and any("task 2 is void" in note for note in scored.notes)


@pytest.mark.usefixtures("double")
def test_what_is_wrong_is_said_with_its_cure(tmp_path: Path) -> None:
    rules = WebArenaVerified(sys.executable)
    (tmp_path / "empty").mkdir()
    for data, folder, said in [
        ("", tmp_path / "none", "is no folder"),
        (str(tmp_path / "config.json"), tmp_path, "no configuration file"),
        ("", tmp_path / "empty", "no recorded task"),
    ]:
        with pytest.raises(ConfigError, match=said):
            rules.score(data, folder, "full")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ConfigError, match="pip install webarena-verified"):
        rules.score(str(tmp_path / "config.json"), tmp_path / "empty", "full")


@pytest.mark.outside("webarena-verified")
@pytest.mark.slow
def test_the_real_judge_tells_right_from_wrong(tmp_path: Path) -> None:
    months = [
        {"month": month, "count": count}
        for month, count in zip(("January", "February", "March", "April", "May"), (12, 7, 5, 9, 5), strict=True)
    ]
    retrieved = {**NAVIGATED, "task_type": "RETRIEVE", "retrieved_data": months}
    wrong = {**retrieved, "retrieved_data": months[:4]}
    site = "http://localhost:7780/admin"
    servers = {"__GITLAB__": {"urls": ["http://localhost:8012"]}, "__SHOPPING_ADMIN__": {"urls": [site]}}
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"environments": servers}))
    rules = WebArenaVerified(str(outside_python("webarena-verified")))
    todos = "http://localhost:8012/dashboard/todos"
    right = record(tmp_path / "right", {44: (NAVIGATED, todos), 108: (retrieved, site)})
    assert value(rules.score(str(config), right, "hard")) == (2, 258, 256)
    assert value(rules.score(str(config), right, "full")) == (2, 812, 810)
    other = record(tmp_path / "wrong", {44: (NAVIGATED, todos.replace("todos", "issues")), 108: (wrong, site)})
    assert value(rules.score(str(config), other, "hard")) == (0, 258, 256)
