"""An episode's events on one time axis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from run_writer import Writer, picture

from omnipilot.bench import write_report
from omnipilot.envs import AudioClip, Box, Modality, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import AnchorDetail, CheckDetail

KEY = "mail#0.0"


def events_of(run: Writer) -> list[dict[str, Any]]:
    return played(run)["events"]


def played(run: Writer) -> Any:
    run.journal.close()
    page = write_report([run.folder])
    text = (page.with_suffix("") / "0-timeline.js").read_text("ascii")
    return json.loads(text.removeprefix("omnipilotTimeline(0,").removesuffix(");\n"))


def kinds(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["kind"] == kind]


def test_a_run_without_a_memory_has_a_timeline_too(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    ring = np.zeros(SAMPLE_RATE, np.int16)
    ring[4000:8000] = 12_000
    heard = {"digest": run.store.put(AudioClip.from_array(ring, "phone", 1.0)).digest, "start": 1.0, "end": 2.0}
    still = run.store.put(AudioClip.from_array(np.zeros(SAMPLE_RATE, np.int16))).digest
    silent = {"digest": still, "start": 1.0, "end": 2.0}
    frames = [picture("desktop", 100 + i // 2, 1 + i / 4) for i in range(4)]
    clip = {"digest": run.store.put(VideoClip(frames, 2.0, "desktop")).digest, "start": 1.0, "end": 2.0}
    run.begin(KEY)
    same = {"context": {"app": "Clock", "title": "Alarms"}}
    run.turn(KEY, 0, {"phone": run.look("phone", 1, 0.0, **same)}, notes=["remember this"])
    run.step(KEY, 0, 0, changes=[{"node": "opened", "progress": 1.0, "reason": "it is open", "completed": True}])
    both = {"phone": run.look("phone", 1, 2.0, audio=heard, **same)}
    both["desktop"] = run.look("desktop", 2, 2.0, audio=silent, video=clip)
    run.turn(KEY, 1, both, told=[{"env": "phone", "source": "transcript", "text": "four seven"}])
    spoiled = {"node": "opened", "progress": 0.0, "reason": "it was closed", "completed": False}
    never = {"node": "closed", "progress": 0.5, "reason": "half", "completed": False}
    run.step(KEY, 1, 1, result="rejected", message="no such button", executed=None, changes=[spoiled, never])
    run.end(KEY, "turns", 1, observations={"phone": run.look("phone", 3, 4.0)})

    events = events_of(run)
    assert [event["start"] for event in events] == sorted(event["start"] for event in events)
    screens = [(event["env"], event["start"], event["turn"]) for event in kinds(events, "screen")]
    assert screens == [("phone", 0.0, 0), ("desktop", 2.0, 1), ("phone", 4.0, 1)], "only what is new"
    assert kinds(events, "screen")[0]["size"] == [206, 458]
    [sound] = kinds(events, "audio")
    assert (sound["env"], sound["start"], sound["end"]) == ("phone", 1.0, 2.0)
    assert set(sound["wave"]) == {"0", "a"}
    [film] = kinds(events, "video")
    assert [time for time, _ in film["frames"]] == [1.0, 1.5], "where the picture changes"
    assert [event["text"] for event in kinds(events, "context")] == ["Clock · Alarms"]
    assert [event["text"] for event in kinds(events, "note")] == ["remember this"]
    assert [event["text"] for event in kinds(events, "transcript")] == ["four seven"]
    assert [(event["step"], event["detail"]["result"]) for event in kinds(events, "action")] == [
        (0, "done"),
        (1, "rejected"),
    ]
    assert [event["text"] for event in kinds(events, "outcome")] == ["rejected: no such button"]
    goals = [event["text"] for event in kinds(events, "goal")]
    assert goals == ["opened reached: it is open", "opened holds no more: it was closed"]


def test_what_the_user_answered_is_an_outcome(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    run.begin(KEY)
    run.turn(KEY, 0, {"phone": run.look("phone", 1, 0.0)})
    question = {"kind": "ask_user", "text": "Which?"}
    run.step(KEY, 0, 0, proposed=question, executed=question, result="control", message="The left one.")
    run.end(KEY, "turns", 1, observations={"phone": run.look("phone", 3, 4.0)})
    events = events_of(run)
    assert [event["text"] for event in kinds(events, "action")] == ["Ask the user “Which?”"]
    assert [event["text"] for event in kinds(events, "outcome")] == ["the user: The left one."]


def test_what_a_memory_read_stands_beside_what_was_recorded(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    run.begin(KEY)
    run.turn(KEY, 0, {"phone": run.look("phone", 1, 0.0)}, thought="think")
    run.step(KEY, 0, 0)
    digest = picture("phone", 1).digest
    seen = [
        TimelineEvent("thought", "", 0.0, 0.0, 0, "think"),
        TimelineEvent("action", "phone", 0.0, 0.5, 0, "click"),
        TimelineEvent("text", "phone", 0.0, 0.0, 0, "Gate 7394", Modality.ELEMENTS, app="Notes", page="Codes"),
        TimelineEvent(
            "anchor",
            "phone",
            0.0,
            0.0,
            0,
            '@code-1 = "7394"',
            Modality.ELEMENTS,
            place=Box(0.1, 0.2, 0.3, 0.4),
            detail=AnchorDetail("code-1", "code", "7394"),
        ),
        TimelineEvent("check", "phone", 0.5, 0.5, 0, "title = Codes", detail=CheckDetail("violated", step=0)),
    ]
    run.remember(KEY, 0, *seen)
    run.end(KEY, "turns", 1)
    events = events_of(run)
    assert len(kinds(events, "thought")) == len(kinds(events, "action")) == 1, "not told twice"
    assert kinds(events, "action")[0]["text"] == "Click (0.250, 0.750)", "in the page's words"
    assert kinds(events, "screen")[0]["media"]["digest"] == digest
    [text] = kinds(events, "text")
    assert (text["app"], text["page"], text["modality"]) == ("Notes", "Codes", "elements")
    [anchor] = kinds(events, "anchor")
    assert anchor["place"] == [0.1, 0.2, 0.3, 0.4] and anchor["detail"]["value"] == "7394"
    assert kinds(events, "check")[0]["detail"] == {"status": "violated", "step": 0}
    assert kinds(events, "check")[0]["step"] == 0


def test_the_past_is_before_the_episode(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    run.begin(KEY)
    for turn in (-2, -1):
        act = {"env": "phone", "action": {"kind": "open_app", "app": "Radio"}}
        run.past(KEY, turn, {"phone": run.look("phone", 50 + turn, 3.0 * turn)}, 3.0 * turn, [act])
    run.turn(KEY, 0, {"phone": run.look("phone", 1, 0.0)})
    run.end(KEY, "turns", 0)
    data = played(run)
    past = [(event["kind"], event["turn"], event["start"]) for event in data["events"] if event["turn"] < 0]
    assert past == [("screen", -2, -6.0), ("action", -2, -6.0), ("screen", -1, -3.0), ("action", -1, -3.0)]
    assert data["start"] == -6.0


def test_recalled_films_and_sounds_come_with_what_is_drawn_of_them(tmp_path: Path) -> None:
    run = Writer(tmp_path / "x")
    tone = AudioClip.from_array(np.full(SAMPLE_RATE, 9_000, np.int16), "phone", 1.0)
    film = VideoClip([picture("phone", i, 1 + i) for i in range(2)], 3.0, "phone")
    given = []
    for part in (tone, film):
        ref = run.store.put(part)
        media = {"kind": ref.kind, "digest": ref.digest, "start": ref.start, "end": ref.end}
        given.append({"role": "planner", "env": "phone", "source": ref.kind, "time": 1.0, "turn": 0, "media": media})
    given.append({"role": "planner", "env": "", "source": "note", "time": 1.0, "turn": 0, "text": "x", "why": "new"})
    run.begin(KEY)
    run.turn(KEY, 0, {}, recalled=given)
    run.end(KEY, "turns", 0)
    run.journal.close()
    text = (write_report([run.folder]).with_suffix("") / "0.js").read_text("ascii")
    [sound, video, note] = json.loads(text.removeprefix("omnipilotEpisode(0,").removesuffix(");\n"))["turns"][0][
        "recalled"
    ]
    assert len(sound["wave"]) == 48 and set(sound["wave"]) == {"8"}
    assert [time for time, _ in video["frames"]] == [1.0, 2.0]
    assert (note["text"], note["why"]) == ("x", "new")
