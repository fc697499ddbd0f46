"""Agents whose models are served, as the command line runs them: one server, two servers, three systems, one report."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from served_duet import parts, words
from served_roles import INSTRUCTION, MOVES, TASK, brain, omnipilot, role

from omnipilot.agents import PartSpec
from omnipilot.bench.registry import load_suite

WHAT = ["suite", "agent", "planner", "model", "grounder"]
SYSTEMS = ("single", "by-function", "by-environment")
KEY = "sk-not-to-be-seen-anywhere"


def run(system: str, url: str, out: Path, *more: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The task with an agent system and a model at a URL."""
    asked = ("--suite", "duet", "--agent", system, "--planner", "openai/scripted", "--planner-url", url)
    given = ("--grounder", "elements", "--tasks", TASK, "--modalities", "screenshot,elements,context")
    return omnipilot("run", *asked, *given, "--out", str(out), *more, **variables)


@pytest.mark.slow
def test_the_three_systems_complete_a_task_and_stand_in_one_report(tmp_path: Path) -> None:
    for system in SYSTEMS:
        with ChatServer(brain(), key=KEY) as server:
            options = ("-o", "planner.key_env=SCRIPTED_KEY", "-o", "planner.price_in=2", "-o", "planner.price_out=8")
            done = run(system, server.url, tmp_path / system, *options, "--cost", "1", SCRIPTED_KEY=KEY)
            assert done.returncode == 0, done.stderr
            assert "1/1  100.0" in done.stdout
            asked = Counter(map(role, server.requests))
        turns = len(MOVES)
        assert (
            asked
            == {
                "single": {"planner": turns},
                "by-function": {"main": turns, "tool agent": turns},
                "by-environment": dict.fromkeys(("main", "phone", "desktop", "root"), turns),
            }[system]
        )
        for request in server.requests:
            who, images = role(request), len(parts(request, "image_url"))
            told = 1 + min((len(request.json["messages"]) - 2) // 3 if who == "planner" else 2, 2)
            assert (INSTRUCTION in words(request)) == (who in ("planner", "main"))
            if who in ("tool agent", "root"):
                assert images == 0 and "The elements of" not in words(request)
            elif who in ("phone", "desktop"):
                other = {"phone": "desktop", "desktop": "phone"}[who]
                assert 1 <= images <= told
                assert f"The elements of {who}" in words(request) and f"The elements of {other}" not in words(request)
        for file in tmp_path.joinpath(system).rglob("*"):
            assert file.is_dir() or KEY.encode() not in file.read_bytes(), file
        page = (tmp_path / system / "report.html").read_text(encoding="utf-8")
        assert server.url not in page and "SCRIPTED_KEY" not in page

    table = omnipilot("report", str(tmp_path), "--out", str(tmp_path / "all.html")).stdout
    head, _, *rows = table[table.index("suite  ") :].strip().splitlines()
    assert re.split(r"\s{2,}", head) == [*WHAT, "solved", "SR %", "CR %", "EE %", "CE %", "pointed right"]
    assert [row.split()[1] for row in rows[:3]] == sorted(SYSTEMS)
    spent = {name: spend(tmp_path / name) for name in SYSTEMS}
    assert spent["single"] == (110 * len(MOVES), pytest.approx(280e-6 * len(MOVES)))
    assert spent["by-environment"][0] == (110 + 3 * 55) * len(MOVES)


def spend(folder: Path) -> tuple[int, float]:
    """Tokens and dollars of a run's only episode."""
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    (usage,) = [line["usage"] for line in lines if line["event"] == "episode_ended"]
    return usage["tokens_in"] + usage["tokens_out"], usage["cost"]


@pytest.mark.slow
def test_a_kept_run_is_replayed_without_server_and_key(tmp_path: Path) -> None:
    kept = ("--cassette", str(tmp_path / "calls"))
    with ChatServer(brain(), key=KEY) as server:
        options = ("-o", "planner.key_env=SCRIPTED_KEY", *kept)
        first = run("by-function", server.url, tmp_path / "first", *options, SCRIPTED_KEY=KEY)
        assert first.returncode == 0, first.stderr
        asked = len(server.requests)
        url = server.url
    assert len(list((tmp_path / "calls").glob("*.json"))) == asked
    again = run("by-function", url, tmp_path / "again", *kept, "--replay")
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[:4] == first.stdout.splitlines()[:4]
    same = [json.loads((tmp_path / name / "spec.json").read_text())["identity"] for name in ("first", "again")]
    assert same[0] == same[1]
    lost = run("by-function", url, tmp_path / "lost", *kept, "--replay", "-o", "planner.history=1")
    assert lost.returncode == 2
    assert "a replay makes no call" in lost.stderr


@pytest.mark.slow
def test_planner_and_tool_agent_on_two_servers_see_their_own_key_only(tmp_path: Path) -> None:
    keys = {"HEAD_KEY": "key-of-the-head", "HAND_KEY": "key-of-the-hand"}
    shared = brain()
    with ChatServer(shared, key=keys["HEAD_KEY"]) as head, ChatServer(shared, key=keys["HAND_KEY"]) as hand:
        done = run(
            *("by-function", head.url, tmp_path / "run", "-o", "planner.key_env=HEAD_KEY"),
            *("-o", f"tool_agent.url={hand.url}", "-o", "tool_agent.key_env=HAND_KEY"),
            *("-o", "tool_agent.model=openai/other"),
            **keys,
        )
        assert done.returncode == 0, done.stderr
        assert "1/1  100.0" in done.stdout
        assert {role(request) for request in head.requests} == {"main"}
        assert {role(request) for request in hand.requests} == {"tool agent"}
        assert {request.json["model"] for request in hand.requests} == {"other"}
        assert ": answered by other, scripted" in done.stdout
        for server, other in ((head, "HAND_KEY"), (hand, "HEAD_KEY")):
            for request in server.requests:
                assert keys[other] not in str(request.headers) and keys[other].encode() not in request.body
    assert spend(tmp_path / "run")[0] == (110 + 55) * len(MOVES)


@pytest.mark.slow
def test_planner_and_grounder_on_two_servers_are_both_counted_and_see_their_own_key_only(tmp_path: Path) -> None:
    keys = {"PLANNER_KEY": "key-of-the-planner", "GROUNDER_KEY": "key-of-the-grounder"}
    click = Answer("", (("click_in_phone", '{"target": "the middle"}'),), usage=(100, 10))
    script = [click, Answer("", (("done", "{}"),), usage=(100, 10))]
    with (
        ChatServer(script, key=keys["PLANNER_KEY"]) as thinks,
        ChatServer([Answer("(500, 500)", usage=(40, 4))], key=keys["GROUNDER_KEY"]) as points,
    ):
        done = omnipilot(
            *("run", "--suite", "duet", "--tasks", TASK, "--out", str(tmp_path / "run"), "--cost", "1", "--waive-cost"),
            *("--planner", "openai/scripted", "--planner-url", thinks.url, "-o", "planner.key_env=PLANNER_KEY"),
            *("--grounder", "vllm", "-o", "grounder.model=osunlp/UGround-V1-7B", "-o", f"grounder.url={points.url}"),
            *("-o", "grounder.key_env=GROUNDER_KEY", "--planner-modalities", "none"),
            **keys,
        )
        assert done.returncode == 0, done.stderr
        assert "its model" in done.stdout and "osunlp/UGround-V1-7B" in done.stdout
    for server, own, other in ((thinks, "PLANNER_KEY", "GROUNDER_KEY"), (points, "GROUNDER_KEY", "PLANNER_KEY")):
        for request in server.requests:
            assert request.headers["authorization"] == f"Bearer {keys[own]}"
            assert keys[other].encode() not in request.body and (server is points) == bool(parts(request, "image_url"))
    assert spend(tmp_path / "run") == (110 + 44 + 110, None)


@pytest.mark.slow
def test_what_checks_a_run_asks_no_model(tmp_path: Path) -> None:
    with ChatServer(brain()) as server:
        refused = run("single", server.url, tmp_path / "x", "--cost", "1")
        assert refused.returncode == 2
        assert "the price of openai/scripted is unknown" in refused.stderr and "--waive-cost" in refused.stderr
        assert run("single", server.url, tmp_path / "x", "-o", "planner.modle=1").returncode == 2
        wrong = run("single", server.url, tmp_path / "x", "-o", f"planner.api_key={KEY}")
        assert wrong.returncode == 2
        assert KEY not in wrong.stderr + wrong.stdout
        secret = run("single", server.url.replace("http://", f"http://me:{KEY}@"), tmp_path / "x")
        assert secret.returncode == 2
        assert "use key_env" in secret.stderr and KEY not in secret.stderr + secret.stdout
        shown = omnipilot("show-prompt", "openai/scripted", "--agent", "by-environment")
        assert shown.returncode == 0, shown.stderr
        assert shown.stdout.count("=== device agent of") == 2 and "=== root agent" in shown.stdout
        assert not server.requests
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
def test_a_key_that_is_refused_ends_the_run_and_is_not_told(tmp_path: Path) -> None:
    with ChatServer(brain(), key="another") as server:
        done = run("single", server.url, tmp_path / "x", "-o", "planner.key_env=SCRIPTED_KEY", SCRIPTED_KEY=KEY)
    assert done.returncode == 2
    assert "SCRIPTED_KEY" in done.stderr and KEY not in done.stderr + done.stdout
    for file in (tmp_path / "x").rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes(), file


@pytest.mark.slow
def test_the_intent_is_told_where_the_run_allows_it(tmp_path: Path) -> None:
    intent = load_suite(PartSpec("duet")).instantiate(TASK, 0).intent
    for flag in ("--intent", "--no-intent"):
        with ChatServer(brain(MOVES[:1])) as server:
            assert run("single", server.url, tmp_path / flag, flag, "--turns", "2").returncode == 0
        assert {intent in words(request) for request in server.requests} == {flag == "--intent"}


@pytest.mark.slow
def test_waiving_lets_a_capped_run_start(tmp_path: Path) -> None:
    with ChatServer(brain(MOVES[:1])) as server:
        done = run("single", server.url, tmp_path / "x", "--cost", "1", "--waive-cost")
        assert done.returncode == 0, done.stderr
        assert spend(tmp_path / "x")[1] is None
    first: dict[str, Any] = json.loads((tmp_path / "x" / "spec.json").read_text())["spec"]
    assert first["limits"]["cost"] == 1.0
