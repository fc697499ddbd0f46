"""The pages of runs that go on: what they serve, to whom, and what they never do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from command_line import omnipilot
from going_run import events, going_run, until
from report_index import index_of
from toy_suite import held, toy_spec

from omnipilot.bench.journal.control import FILE, ControlFile
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, PersonActed, TurnTaken, event_to_json
from omnipilot.bench.journal.journal import to_line
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.live import LivePage
from omnipilot.bench.live.follower import RunFollower
from omnipilot.bench.report.page import write_report
from omnipilot.bench.run import run
from omnipilot.envs import ConfigError

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, one of another folder, and what is none."""
    folder = tmp_path_factory.mktemp("runs")
    run(toy_spec("count", "lost", "unsolved", instances=2), folder / "one")
    run(toy_spec("count"), folder / "deeper/two")
    (folder / "notes").mkdir()
    (folder / "secret.png").write_bytes(b"secret")
    return folder


@pytest.fixture
def page(runs: Path) -> Iterator[LivePage]:
    with LivePage(runs) as page:
        yield page


def ask(page: LivePage, path: str, values: object = None, **headers: str) -> tuple[int, bytes]:
    """Status and body of a request; `path` is relative to the page unless it begins with a slash."""
    address = urlsplit(page.url)
    connection = HTTPConnection(address.netloc, timeout=60)
    target = path if path.startswith("/") else address.path + path
    body = None if values is None else json.dumps(values)
    connection.request("GET" if body is None else "POST", target, body, headers)
    reply = connection.getresponse()
    try:
        return reply.status, reply.read()
    finally:
        connection.close()


def listed(page: LivePage) -> dict[str, dict[str, Any]]:
    """The runs of the list, by their names."""
    return {one["name"]: one for one in json.loads(ask(page, "runs")[1])["runs"]}


def test_the_list_has_each_run_and_how_far_it_is(page: LivePage) -> None:
    found = listed(page)
    assert set(found) == {"one", "deeper/two"}
    one = found["one"]
    assert (one["state"], one["planned"], one["marks"]) == ("finished", 6, {"solved": 3, "void": 1, "failed": 2})
    assert page.opened == page.url


def test_the_page_of_a_run_is_that_of_its_report(page: LivePage, runs: Path) -> None:
    name = listed(page)["one"]["id"]
    status, html = ask(page, f"run/{name}/")
    assert status == 200
    served = index_of_text(html.decode())
    written = index_of(write_report([runs / "one"], runs / "page.html"))
    left_out = {"file", "run"}
    plain = [[{k: v for k, v in one.items() if k not in left_out} for one in i["episodes"]] for i in (served, written)]
    assert plain[0] == plain[1] and len(plain[0]) == 6
    assert served["live"]["going"] is False and [one["key"] for one in served["live"]["voids"]] == ["lost#0.0"]
    for episode, other in zip(served["episodes"], written["episodes"], strict=True):
        status, script = ask(page, f"run/{name}/report/{episode['file']}.js")
        same = (runs / f"page/{other['file']}.js").read_bytes()
        assert status == 200 and script.partition(b",")[2] == same.partition(b",")[2]
    assert ask(page, f"run/{name}/report/{served['episodes'][0]['file']}-timeline.js")[0] == 200


def index_of_text(html: str) -> dict[str, Any]:
    """The index in the text of a page."""
    begin = html.index('id="index">') + len('id="index">')
    return dict(json.loads(html[begin : html.index("</script>", begin)]))


def test_captures_are_served_and_nothing_else(page: LivePage, runs: Path) -> None:
    name = listed(page)["one"]["id"]
    capture = next((runs / "one/media").glob("??/*.png"))
    there = f"run/{name}/media/{capture.parent.name}/{capture.name}"
    assert ask(page, there) == (200, capture.read_bytes())
    for path in (
        *("media/../../secret.png", "media/%2e%2e/%2e%2e/secret.png", "media//etc/passwd", "media/..%2fspec.json"),
        *("spec.json", "journal.jsonl", "report/../journal.jsonl", "report/..%2f..%2fx.js", "report/1.js/../2.js"),
        f"media/{capture.parent.name}/{capture.name}/../{capture.name}",
    ):
        assert ask(page, f"run/{name}/{path}")[0] == 404, path
    assert ask(page, f"run/{'0' * 12}/")[0] == 404
    # A link in the folder of captures that leads out of it.
    link = runs / f"one/media/ab/{'ab' * 32}.png"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(runs / "secret.png")
    assert ask(page, f"run/{name}/media/ab/{'ab' * 32}.png")[0] == 404
    link.unlink()


@pytest.mark.parametrize("path", ["", "runs", "run/{}/", "run/{}/new?since=0", "live.js"])
def test_nobody_else_is_answered(page: LivePage, path: str) -> None:
    path = path.format(listed(page)["one"]["id"])
    assert ask(page, path)[0] == 200
    assert ask(page, f"/{path}")[0] == 403
    assert ask(page, f"/guessed/{path}")[0] == 403
    assert ask(page, path, Host="evil.example")[0] == 421
    assert ask(page, path, Origin="http://evil.example")[0] == 421


def test_commands_of_others_and_what_is_none_reach_no_run(page: LivePage, runs: Path) -> None:
    path = f"run/{listed(page)['one']['id']}/commands"
    again = {"action": "requeue", "key": "lost#0.0"}
    refused = [
        ask(page, f"/{path}", again, **JSON),
        ask(page, path, again, **JSON, Origin="http://evil.example"),
        ask(page, path, again, **JSON, Host="evil.example"),
        ask(page, path, again, **{"Content-Type": "text/plain"}),
        ask(page, path, {"action": "format"}, **JSON),
        ask(page, path, {**again, "who": "somebody else"}, **JSON),
        ask(page, path, {"action": ["pause"]}, **JSON),
        ask(page, path, {"action": "pause", "key": 5}, **JSON),
        ask(page, path, [1], **JSON),
        ask(page, "run/000000000000/commands", again, **JSON),
        ask(page, path.replace("commands", "media/x"), again, **JSON),
    ]
    assert [status for status, _ in refused] == [403, 421, 421, 400, 400, 400, 400, 400, 400, 400, 400]
    status, why = ask(page, path, {"action": "pause"}, **JSON)
    assert status == 400 and b"not going on" in why
    assert not (runs / "one" / FILE).exists()
    status, _ = ask(page, path, again, **JSON)
    assert status == 200 and [one.key for one in ControlFile(runs / "one").new()] == ["lost#0.0"]
    (runs / "one" / FILE).unlink()


@pytest.mark.slow
def test_only_what_is_new_is_read_and_told(tmp_path: Path) -> None:
    out = tmp_path / "run"
    (tmp_path / "scratch").mkdir()
    hold = held(tmp_path, "unsolved")
    with going_run(out, "far,unsolved", instances=2, delay=0.05):
        follower = RunFollower(out, tmp_path / "scratch")
        until(lambda: [one["key"] for one in follower.changes(0)["live"]["workers"]] == ["unsolved#0.0"])
        seen = follower.index()
        assert seen["live"]["going"]
        version, ended = seen["version"], seen["live"]["done"]
        read = follower._tail.at
        hold.unlink()
        until(lambda: follower.changes(version)["live"]["done"] > ended)
        fresh = follower.changes(version)
        assert 0 < len(fresh["episodes"]) < 4 and fresh["whole"]["tables"]
        assert follower._tail.at > read
        until(lambda: not follower.changes(0)["live"]["going"])
    last = follower.changes(version)["version"]
    quiet = follower.changes(last)
    assert (quiet["episodes"], quiet["whole"], quiet["version"]) == ([], None, last)
    assert [one["mark"] for one in follower.changes(0)["episodes"]] == ["failed"] * 4
    assert not follower.changes(0)["live"]["workers"]


@pytest.mark.slow
def test_a_run_that_is_killed_is_no_longer_going_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    (tmp_path / "scratch").mkdir()
    held(tmp_path, "far")
    with going_run(out, "far"):
        until(lambda: events(out, TurnTaken))
        follower = RunFollower(out, tmp_path / "scratch")
        [entry] = follower.index()["episodes"]
        assert entry["mark"] == "going"
        assert follower.script(f"{entry['file']}.js")
    [entry] = follower.changes(0)["episodes"]
    assert entry["mark"] == "cut" and not follower.changes(0)["live"]["going"]


def test_an_end_counts_until_the_next_attempt_has_one(tmp_path: Path) -> None:
    out = tmp_path / "run"
    (tmp_path / "scratch").mkdir()
    run(toy_spec("lost"), out)
    follower = RunFollower(out, tmp_path / "scratch")
    follower.index()
    [start] = events(out, EpisodeStarted)
    begun = to_line(event_to_json(replace(start, attempt=2)))  # type: ignore[type-var]
    with RunLock(out):
        with (out / "journal.jsonl").open("ab") as file:
            file.write(begun)
        assert [one["mark"] for one in follower.changes(0)["episodes"]] == ["going"]
        assert [one["attempt"] for one in follower.changes(0)["live"]["workers"]] == [2]
    [entry] = follower.changes(0)["episodes"]
    assert entry["mark"] == "void" and entry["steps"]
    script = follower.script(f"{entry['file']}.js")
    assert script is not None and b"unplugged" in script


def test_a_damaged_or_missing_journal_is_told(tmp_path: Path) -> None:
    run(toy_spec("count", "far"), tmp_path / "run")
    journal = tmp_path / "run/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:3], b'{"event":"turn","key":5}\n', b"\xff\xfe{\n", *lines[3:]]) + b'{"half')
    with LivePage(tmp_path) as page:
        assert page.opened != page.url
        [one] = listed(page).values()
        index = index_of_text(ask(page, f"run/{one['id']}/")[1].decode())
        assert len(index["episodes"]) == 2
        assert any(name == "unreadable lines" for name, _ in index["runs"][0]["facts"])
        journal.unlink()
        assert ask(page, f"run/{one['id']}/new?since=0")[0] == 400
        assert ask(page, f"run/{one['id']}/new?since=x")[0] == 400


def test_a_specification_that_does_not_say_how_many_episodes_there_are_stops_no_page(tmp_path: Path) -> None:
    run(toy_spec("count"), tmp_path / "run")
    journal = tmp_path / "run/journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"instances":1', b'"instances":"x"'))
    with LivePage(tmp_path) as page:
        [one] = listed(page).values()
        live = index_of_text(ask(page, f"run/{one['id']}/")[1].decode())["live"]
    assert (one["planned"], live["planned"], live["done"]) == (0, 0, 1)


def test_a_price_that_is_none_stops_no_page(tmp_path: Path) -> None:
    run(toy_spec("count", "far"), tmp_path / "run")
    journal = tmp_path / "run/journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    first = next(line for line in lines if line["event"] == "turn")
    first["usage"]["cost"] = "much"
    journal.write_bytes(b"".join(map(to_line, lines)))
    with LivePage(tmp_path) as page:
        [one] = listed(page).values()
        status, html = ask(page, f"run/{one['id']}/")
        assert status == 200 and "far#0.0" in [entry["key"] for entry in index_of_text(html.decode())["episodes"]]


def test_a_journal_that_is_begun_anew_is_read_anew(tmp_path: Path) -> None:
    run(toy_spec("count", "far", "unsolved"), tmp_path / "run")
    (tmp_path / "scratch").mkdir()
    follower = RunFollower(tmp_path / "run", tmp_path / "scratch")
    assert len(follower.index()["episodes"]) == 3
    run(toy_spec("count"), tmp_path / "other")
    os.replace(tmp_path / "other/journal.jsonl", tmp_path / "run/journal.jsonl")
    assert [one["task"] for one in follower.index()["episodes"]] == ["count"]
    # A longer one, of which the beginning would never be read.
    run(toy_spec("unsolved", "guard", "far", instances=2), tmp_path / "longer")
    os.replace(tmp_path / "longer/journal.jsonl", tmp_path / "run/journal.jsonl")
    found = follower.index()
    assert [one["task"] for one in found["episodes"]] == ["far"] * 2 + ["unsolved"] * 2 + ["guard"] * 2
    assert found["live"]["begun"] == 2


@pytest.mark.slow
def test_two_viewers_and_none_change_nothing_about_a_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with going_run(out, "far,unsolved", instances=2, delay=0.1):
        until(lambda: events(out, TurnTaken))
        pages = [LivePage(tmp_path), LivePage(tmp_path)]
        try:
            until(lambda: all(listed(page)["run"]["state"] == "finished" for page in pages))
        finally:
            for page in pages:
                page.close()
    assert {path.name for path in out.iterdir()} == {"checked", "journal.jsonl", "lock", "media", "spec.json"}
    assert len(events(out, EpisodeEnded)) == 4


@pytest.mark.slow
def test_a_viewer_that_is_killed_harms_no_run(tmp_path: Path) -> None:
    script = (
        "import sys; from omnipilot.bench.cli.app import main; sys.argv = ['omnipilot', 'view', sys.argv[1]]; main()"
    )
    known = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    hold = held(tmp_path, "far")
    with going_run(tmp_path / "run", "far,unsolved", instances=2, delay=0.05):
        words = [sys.executable, "-c", script, str(tmp_path)]
        viewer = subprocess.Popen(words, env={**os.environ, **known}, stdout=subprocess.PIPE, text=True)
        try:
            assert viewer.stdout is not None
            url = viewer.stdout.readline().split()[1]
            with urlopen(f"{url}new?since=0") as reply:
                assert json.load(reply)["live"]["going"]
        finally:
            viewer.kill()
            viewer.wait()
        hold.unlink()
        until(lambda: len(events(tmp_path / "run", EpisodeEnded)) == 4)
    assert not events(tmp_path / "run", PersonActed)


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    done = omnipilot("view", str(tmp_path / "nothing"))
    assert done.returncode == 2 and "no folder" in done.stderr
    with LivePage(tmp_path) as page:
        taken = omnipilot("view", str(tmp_path), "--port", str(urlsplit(page.url).port))
        assert taken.returncode == 2 and "choose another --port" in taken.stderr
        assert listed(page) == {}
    with pytest.raises(ConfigError):
        LivePage(tmp_path / "nothing")


def test_a_run_that_begins_later_is_listed(tmp_path: Path) -> None:
    with LivePage(tmp_path) as page:
        assert listed(page) == {}
        run(toy_spec("count"), tmp_path / "new")
        assert listed(page)["new"]["state"] == "finished"
