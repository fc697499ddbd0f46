"""The page of `omnipilot play` in a real Chromium, with a real mouse and keys: a script's, and said to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from play_by_script import Hands, opened, recorded_acts
from play_program import program
from shared_folders import ROOT
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.journal import load_run
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.recorder import elements_from_text
from omnipilot.envs import Answer, Click, Done, Drag, LongPress, Point, Press, Scroll, Swipe, TypeText
from omnipilot.envs.schema import codec
from omnipilot.memory.store.index import media_path

pytestmark = pytest.mark.web
TWELVE = (
    "spoken-code-to-log,beeps-to-table,arriving-code-to-task,stop-of-tram-to-event,total-expenses,blinks-to-log,"
    "send-message,move-file,dismiss-alarm,write-document,tones-to-message,forget-old-network"
)


def steps_of(out: Path) -> list[Any]:
    """The steps of the only episode of a run."""
    (episode,) = load_run(out).episodes
    attempt = RecordedAttempt.of_events(attempt_events(out, episode.key, episode.attempt))
    return [step for turn in attempt.turns for step in turn.steps]


def oracle(out: Path, *arguments: str) -> dict[str, Any]:
    """What the oracle does, by instruction."""
    told = CliRunner().invoke(app, ["run", "--planner", "oracle", "--out", str(out), "--jobs", "0", *arguments])
    assert told.exit_code == 0, told.output
    return recorded_acts(out)


@pytest.mark.slow
def test_a_task_is_played_by_mouse_and_keys_and_survives_a_closed_browser(tmp_path: Path) -> None:
    acts = oracle(tmp_path / "oracle", "--suite", "toy")
    with program(
        "play", "save-code", "--suite", "toy", "--player", "script", "--out", str(tmp_path / "out")
    ) as playing:
        with opened(playing.url) as page:
            hands = Hands(page)
            (one,) = acts.values()
            for env, action in one[:3]:
                assert hands.do(env, action)
            # What sounded in this turn is shown, and can be heard again.
            assert "sound" in page.text_content("button.sound")
            page.click("button.sound")
        # The browser is gone; the task waits. A new one has to say that it plays now.
        with opened(playing.url, elsewhere=True) as page:
            assert "another window" in page.text_content("#says")
            page.click("#here")
            page.wait_for_function("document.body.dataset.phase === 'turn'")
            assert "turn 4" in page.text_content("#count")
            hands = Hands(page)
            for env, action in one[3:]:
                hands.do(env, action)
            assert not hands.settled()
            assert "everything is recorded" in page.text_content("#says")
        assert playing.ended() == 0, playing.said
    (episode,) = load_run(tmp_path / "out").episodes
    assert episode.success
    checked = CliRunner().invoke(app, ["verify", str(tmp_path / "out")])
    assert "no differences" in checked.output


@pytest.mark.slow
def test_what_is_hostile_is_shown_as_text(tmp_path: Path) -> None:
    world = tmp_path / "world.toml"
    world.write_text('[devices.phone]\nkind = "toy"\n', encoding="utf-8")
    words = "<img src=x onerror=\"document.body.dataset.bad = 'yes'\"> <b>Open</b> Notes."
    with (
        program("record", str(world), "--player", words[:20], "--out", str(tmp_path / "out")) as playing,
        opened(playing.url, elsewhere=True) as page,
    ):
        page.fill("#aim", words)
        page.click("#telling button")
        hands = Hands(page)
        hands.settled()
        assert page.text_content("#instruction") == words
        assert page.evaluate("document.body.dataset.bad") is None
        assert page.locator("#instruction *").count() == 0
        hands.do("", Answer(words))
        hands.do("phone", TypeText("nobody listens"))
        # Nothing has the focus on the toy phone; the person is told as an agent is, and no markup comes of it.
        assert page.locator("#told li").count() == 1
        assert not hands.do("", Done("failure"))
        assert playing.ended() == 0, playing.said
    kinds = [step.executed["kind"] for step in steps_of(tmp_path / "out") if step.executed]
    assert kinds[0] == "answer" and kinds[-1] == "done"


@pytest.mark.slow
@pytest.mark.exhibit("sim")
def test_a_recording_of_both_devices_replays_to_the_same_end(tmp_path: Path) -> None:
    """Every gesture by the hands, on the embedded phone and desktop; each place lies in the box of what it touched."""
    world, out = tmp_path / "world.toml", tmp_path / "out"
    world.write_text('[devices.duo]\nkind = "sim"\n', encoding="utf-8")
    phone, desk = "duo-phone", "duo-desktop"
    done: list[tuple[str, Any]] = [
        (phone, Swipe("up")),
        (phone, LongPress(Point(0.5, 0.5), 0.7)),
        (phone, Drag(Point(0.5, 0.3), Point(0.5, 0.7))),
        (desk, Click(Point(0.097, 0.97))),
        (desk, Click(Point(0.3, 0.3), "right")),
        (desk, Press(("esc",))),
        (desk, Click(Point(0.3, 0.3), count=2)),
        (desk, Scroll("down", Point(0.3, 0.6), 2)),
        (desk, Drag(Point(0.6, 0.6), Point(0.4, 0.4))),
        (desk, Press(("ctrl", "a"))),
    ]
    asked = ["record", str(world), "--player", "script", "--instruction", "Try everything.", "--out", str(out)]
    with program(*asked) as playing, opened(playing.url) as page:
        hands = Hands(page)
        page.uncheck("#auto")
        for env, action in done:
            assert hands.do(env, action), action
        assert not hands.do("", Done())
        assert playing.ended() == 0, playing.said
    steps = steps_of(out)
    made = [codec.action_from_json(step.proposed) for step in steps]
    assert [type(one) for one in made[:-1]] == [type(action) for _, action in done]
    assert made[4].button == "right" and made[6].count == 2 and made[7].amount == 2.0  # type: ignore[union-attr]
    checked = CliRunner().invoke(app, ["verify", str(out)])
    assert checked.exit_code == 0 and "no differences" in checked.output, checked.output


@pytest.mark.slow
@pytest.mark.exhibit("duet")
@pytest.mark.timeout(900)
def test_twelve_tasks_of_duet_are_played_and_stand_in_a_table(tmp_path: Path) -> None:
    """Both devices, sound, film, swipes, a long press, a drag, typing. Where to touch is from the demonstrations."""
    recorded, out = tmp_path / "oracle", tmp_path / "script"
    oracle(recorded, "--suite", "duet", "--tasks", TWELVE)
    script = ROOT / "tests/perf/play_by_script.py"
    played = subprocess.run(
        [sys.executable, str(script), str(recorded), "--out", str(out)], capture_output=True, text=True
    )
    assert played.returncode == 0, played.stderr
    run = load_run(out)
    assert [(one.task, one.success) for one in run.episodes] == [(task, True) for task in run.spec.tasks]
    assert set(run.spec.tasks) == set(TWELVE.split(","))
    table = CliRunner().invoke(app, ["table", str(recorded), str(out)])
    assert "person:script" in table.output and "n = 12 episodes" in table.output
    # The document shows this table.
    page = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
    assert TWELVE in page
    assert "\n".join(line.rstrip() for line in table.output.strip("\n").splitlines()) in page
    assert "no differences" in CliRunner().invoke(app, ["verify", str(out)]).output
    _every_place_lies_in_what_it_touched(out)


def _every_place_lies_in_what_it_touched(out: Path) -> None:
    """Each tap of the run is in the box of an element that was on the screen, and that is smaller than the screen."""
    checked = 0
    for episode in load_run(out).episodes:
        attempt = RecordedAttempt.of_events(attempt_events(out, episode.key, episode.attempt))
        for turn in attempt.turns:
            for step in turn.steps:
                action = codec.action_from_json(step.executed) if step.executed else None
                if not isinstance(action, Click | LongPress) or action.at is None:
                    continue
                seen = turn.taken.observations[step.env]["elements"]["digest"]
                text = (out / "media" / media_path(seen, "json")).read_text(encoding="utf-8")
                at = action.at
                assert any(
                    box.left <= at.x <= box.right and box.top <= at.y <= box.bottom and box.area < 1
                    for box in (element.box for element in elements_from_text(text))
                )
                checked += 1
    assert checked > 30
