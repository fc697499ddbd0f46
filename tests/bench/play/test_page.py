"""The page of `omnipilot play`, as a browser asks for it: one window plays, and nothing is lost."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from play_program import PlayProgram, program
from typer.testing import CliRunner

from omnipilot.agents.assembly.build import PLANNERS
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal import load_run
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.calls import CallReader, recorded_calls
from omnipilot.bench.play.page import PlayPage
from omnipilot.envs import AudioClip, ConfigError, Done, Image, Noop, Observation, Size, VideoClip
from omnipilot.memory import MediaStore, Move
from omnipilot.planners import Brief, PersonPlanner, PersonTurn, Request, Verbs, check_planner, seat

PLAY = ("play", "save-code", "--suite", "toy", "--player", "kim")
OPEN_VOICEMAIL: dict[str, Any] = {"kind": "app", "time": 1.0, "env": "phone", "text": "Voicemail"}
PLAY_MESSAGE: list[dict[str, Any]] = [
    {"kind": "down", "time": 2.0, "env": "phone", "at": [0.5, 0.384], "button": "touch"},
    {"kind": "up", "time": 2.1, "env": "phone", "at": [0.5, 0.384], "button": "touch"},
]
LISTEN: dict[str, Any] = {"kind": "wait", "time": 3.0, "seconds": 3.0}
GIVE_UP: dict[str, Any] = {"kind": "done", "time": 9.0, "text": "failure"}


class Sitting:
    """A seat on which somebody waits a turn, and is done."""

    def begin(self, brief: Brief, player: str) -> None:
        self.player = player

    def decide(self, request: Request) -> PersonTurn:
        return PersonTurn([Move("", Noop() if request.turn < 1 else Done())], "[]")


def test_the_planner_keeps_the_contract_where_somebody_sits() -> None:
    with seat(Sitting()):
        check_planner(lambda: PersonPlanner("kim"))
    with pytest.raises(ConfigError, match="omnipilot play"):
        PersonPlanner("kim").plan(None)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="who plays"):
        PersonPlanner(" ")
    assert "person" in PLANNERS.names()


def test_a_run_without_a_page_says_how_to_get_one(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["run", "--suite", "toy", "--planner", "person:kim", "--out", str(tmp_path / "a")])
    assert isinstance(told.exception, ConfigError) or "omnipilot play" in told.output


def test_a_port_that_is_taken_or_none_is_told() -> None:
    with PlayPage() as page:
        taken = urllib.parse.urlsplit(page.url).port or 0
        for port in (taken, 70_000):
            with pytest.raises(ConfigError, match=f"port {port} cannot be listened on .* choose another --port"):
                PlayPage(port)


def solve(playing: PlayProgram, tab: str = "one") -> dict[str, Any]:
    """Do the task as somebody who has heard the code would; the last state."""
    playing.do(OPEN_VOICEMAIL, tab=tab)
    playing.do(*PLAY_MESSAGE, tab=tab)
    playing.do(LISTEN, tab=tab)
    playing.do({**OPEN_VOICEMAIL, "time": 4.0, "text": "Notes"}, tab=tab)
    field = [{**event, "at": [0.5, 0.225], "time": event["time"] + 3} for event in PLAY_MESSAGE]
    playing.do(*field, tab=tab)
    letters = [
        {"kind": "key", "time": 6 + n / 10, "env": "phone", "keys": [key.lower()], "text": key}
        for n, key in enumerate("48DG")
    ]
    return playing.do(*letters, {"kind": "key", "time": 7.0, "env": "phone", "keys": ["enter"]}, tab=tab)


@pytest.mark.slow
def test_a_person_plays_and_the_record_is_a_run(tmp_path: Path) -> None:
    out = tmp_path / "kim"
    with program(*PLAY, "--out", str(out)) as playing:
        first = playing.turn()
        assert first["turn"] == 1 and first["player"] == "kim" and "Voicemail" in first["instruction"]
        (phone,) = first["envs"]
        assert phone["platform"] == "phone" and phone["sound"] is None
        assert first["left"]["turns"] > 0
        with urllib.request.urlopen(playing.url + phone["picture"]) as picture:
            shown = Image.encoded(picture.read())
        assert [shown.size.width, shown.size.height] == phone["size"]
        assert solve(playing)["phase"] == "over"
        assert playing.ended() == 0, playing.said
    (episode,) = load_run(out).episodes
    assert episode.success and episode.turns == 6
    attempt = RecordedAttempt.of_events(attempt_events(out, episode.key, 1))
    kinds = [step.executed["kind"] for turn in attempt.turns for step in turn.steps if step.executed]
    assert kinds == ["open_app", "click", "wait", "open_app", "click", "type"]
    # The raw events are in the record, in the place of a model's answer, and the person's time in each turn.
    calls = recorded_calls(attempt_events(out, episode.key, 1))
    assert [one.attempts[0].model for one in calls] == ["person/kim"] * 6
    raw = CallReader(MediaStore(out / "media")).raw(calls[1].attempts[0])
    assert json.loads(raw) == PLAY_MESSAGE
    assert all(turn.taken.seconds > 0 for turn in attempt.turns)
    table = CliRunner().invoke(app, ["table", str(out)])
    assert "person:kim" in table.output and "100.0" in table.output
    checked = CliRunner().invoke(app, ["verify", str(out)])
    assert checked.exit_code == 0 and "no differences" in checked.output


def test_what_sounded_since_the_last_turn_is_heard(tmp_path: Path) -> None:
    with program(*PLAY, "--out", str(tmp_path / "kim")) as playing:
        playing.do(OPEN_VOICEMAIL)
        playing.do(*PLAY_MESSAGE)
        sound = playing.do(LISTEN)["envs"][0]["sound"]
        assert sound["seconds"] == pytest.approx(3.0)
        with urllib.request.urlopen(playing.url + sound["url"]) as answer:
            assert answer.headers["Content-Type"] == "audio/wav"
            assert AudioClip.from_wav(answer.read()).array().any()
        assert playing.do(GIVE_UP)["phase"] == "over"
        assert playing.ended() == 0
    (episode,) = load_run(tmp_path / "kim").episodes
    assert not episode.success and episode.status == "failure"


def test_a_second_window_is_told_and_can_take_over(tmp_path: Path) -> None:
    with program(*PLAY, "--out", str(tmp_path / "kim")) as playing:
        version = playing.turn("one")["version"]
        other = playing.state("two")
        assert other["phase"] == "elsewhere" and "envs" not in other
        status, told = playing.post("events", tab="two", version=version, events=[LISTEN])
        assert status == 400 and "another window" in told
        # The same window again, as after a reload, is where it was.
        assert playing.turn("one")["turn"] == 1
        assert playing.post("here", tab="two")[0] == 200
        assert playing.state("one")["phase"] == "elsewhere"
        assert playing.do(OPEN_VOICEMAIL, tab="two")["turn"] == 2


@pytest.mark.slow
def test_what_makes_no_sense_is_refused_and_costs_no_turn(tmp_path: Path) -> None:
    with program(*PLAY, "--out", str(tmp_path / "kim")) as playing:
        version = playing.turn()["version"]
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("events", {"events": [LISTEN], "version": version}, "window"),
            ("events", {"events": [LISTEN], "tab": "one", "version": version - 1}, "too late"),
            ("events", {"events": [{"kind": "fly", "time": 1}], "tab": "one", "version": version}, "'fly'"),
            ("events", {"events": [{**OPEN_VOICEMAIL, "env": "car"}], "tab": "one", "version": version}, "'car'"),
            ("events", {"events": [{**LISTEN, "seconds": 1e9}], "tab": "one", "version": version}, "cannot be done"),
            ("events", {"events": "all", "tab": "one", "version": version}, "a list"),
            ("instruction", {"text": "x", "tab": "one", "version": version}, "nothing of that kind"),
            ("elsewhere", {"tab": "one", "version": version}, "nothing of that kind"),
        ]
        for path, values, told in cases:
            status, why = playing.post(path, **values)
            assert status == 400 and told in why, (path, why)
        # A touch without an end is nothing yet, and no turn either.
        status, done = playing.post("events", tab="one", version=version, events=PLAY_MESSAGE[:1])
        assert (status, done) == (200, {"verbs": []})
        assert playing.turn()["turn"] == 1
        assert playing.do(OPEN_VOICEMAIL)["turn"] == 2
        # What the device refuses is told on the page, as agents are told.
        told = playing.do({**OPEN_VOICEMAIL, "time": 2.0, "text": "Chess"})["told"]
        assert len(told) == 1 and "Chess" in told[0]


@pytest.mark.slow
def test_other_pages_and_keys_are_refused(tmp_path: Path) -> None:
    with program(*PLAY, "--out", str(tmp_path / "kim")) as playing:
        version = playing.turn()["version"]
        body = json.dumps({"tab": "one", "version": version, "events": [GIVE_UP]}).encode()
        key = playing.url.rstrip("/").rpartition("/")[2]
        tries = [
            (playing.url + "events", {"Content-Type": "application/json", "Origin": "http://evil.example"}, 421),
            (playing.url + "events", {"Content-Type": "application/json", "Host": "evil.example"}, 421),
            (playing.url + "events", {"Content-Type": "text/plain"}, 400),
            (playing.url.replace(key, "guess") + "events", {"Content-Type": "application/json"}, 403),
        ]
        for url, headers, expected in tries:
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(url, body, headers))
            assert refused.value.code == expected
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(playing.url + "media/../../etc/passwd")
        assert refused.value.code == 404
        assert playing.turn()["turn"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["page", "terminal"])
def test_a_person_who_stops_goes_on_later(tmp_path: Path, how: str) -> None:
    out = tmp_path / "kim"
    with program(*PLAY, "--out", str(out)) as playing:
        version = playing.do(OPEN_VOICEMAIL)["version"]
        if how == "page":
            assert playing.post("stop", tab="one", version=version)[0] == 200
        else:
            playing.process.send_signal(signal.SIGINT)
        assert playing.ended() == 130
        assert "run the same command again to resume" in playing.said
    assert load_run(out).episodes == ()
    with program(*PLAY, "--out", str(out)) as playing:
        assert playing.turn()["turn"] == 1
        assert solve(playing)["phase"] == "over"
        assert playing.ended() == 0
    (episode,) = load_run(out).episodes
    assert episode.success and episode.attempt == 2


@pytest.mark.slow
def test_a_recording_begins_with_what_the_person_says(tmp_path: Path) -> None:
    world = tmp_path / "world.toml"
    world.write_text('[devices.phone]\nkind = "toy"\n', encoding="utf-8")
    out = tmp_path / "kim"
    with program("record", str(world), "--player", "kim", "--out", str(out)) as playing:
        state = playing.state()
        assert state["phase"] == "instruction"
        assert playing.post("instruction", tab="one", version=state["version"], text=" ")[0] == 400
        assert playing.post("instruction", tab="one", version=state["version"], text="Open the mail box.")[0] == 200
        assert playing.turn()["instruction"] == "Open the mail box."
        playing.do(OPEN_VOICEMAIL)
        assert playing.do({**GIVE_UP, "text": "success"})["phase"] == "over"
        assert playing.ended() == 0, playing.said
    (episode,) = load_run(out).episodes
    assert episode.reason == "unjudged"


def film(*colours: int, step: float = 0.25) -> dict[str, Any]:
    """What the page is told of a screen whose pictures had these colours, one after the other."""
    size = Size(2, 2)
    frames = [Image.raw(size, bytes([colour] * 12), "phone", number * step) for number, colour in enumerate(colours)]
    seen = Observation("phone", 9.0, size, frames[-1], video=VideoClip(frames, len(colours) * step, "phone"))
    with PlayPage() as page:
        brief = Brief("Look.", {"phone": Verbs("phone", frozenset())})
        page.begin(brief, "kim")
        return dict(page.describe(Request(brief, 0, {"phone": seen}))["envs"][0])


def test_a_lamp_that_blinks_is_a_film_and_a_screen_that_changes_at_once_is_none() -> None:
    assert film(0, 0, 0)["film"] is None
    assert film(0, 0, 255)["film"] is None
    blinking = film(0, 255, 0)["film"]
    assert [time for time, _ in blinking["frames"]] == [0.0, 0.25, 0.5]
    assert blinking["frames"][0][1] == blinking["frames"][2][1] != blinking["frames"][1][1]
    # When it changed may matter, if it was long.
    assert film(0, 0, 255, 255)["film"]["seconds"] == 1.0
