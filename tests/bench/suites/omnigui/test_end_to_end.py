"""Agents over a served model on OmniGUI's recordings: what reaches the model, and what its replies count for."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Status
from omnigui_made import loaded, miniature, played
from served_duet import parts, words

from omnipilot.agents import PartSpec
from omnipilot.bench.scoring import Scored
from omnipilot.bench.suites.omnigui.data import EpisodeRecord
from omnipilot.bench.suites.omnigui.score import OmniGuiScore
from omnipilot.envs import Modality

SEEING = frozenset({Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO})
TASK = "gallery_2"
"""TAP, SWIPE_UP, SWIPE_DOWN, HOME, TASK_COMPLETE."""


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature(tmp_path_factory)


def record(mini: Path) -> EpisodeRecord:
    return next(one for one in loaded(mini).items if one.id == TASK)


def rows(mini: Path) -> list[dict[str, Any]]:
    every = json.loads((mini / "merged_sorted.json").read_text(encoding="utf-8"))
    return [one for one in every if one["episode_id"] == TASK]


def kinds(request: Any) -> list[str]:
    """The parts of the last message, media by their kind and the first words of texts."""
    content = request.json["messages"][-1]["content"]
    return [part["text"].split(":")[0] if part["type"] == "text" else part["type"] for part in content]


def images(request: Any) -> list[str]:
    """Hashes of the pictures of a request, as files."""
    data = [base64.b64decode(part["image_url"]["url"].split(",")[1]) for part in parts(request, "image_url")]
    return [hashlib.sha256(one).hexdigest() for one in data]


def files(mini: Path, *names: str) -> list[str]:
    """Hashes of pictures of the data."""
    return [hashlib.sha256((mini / "benchmark" / name).read_bytes()).hexdigest() for name in names]


def omnigui(mini: Path, out: Path, replies: list[str], **options: Any) -> tuple[ChatServer, Scored]:
    """An episode of the planner `omnigui` with these replies, scored."""
    with ChatServer([Answer(reply) for reply in replies]) as server:
        given = {"model": "hosted_vllm/tiny", "url": server.url, "repairs": 0, **options}
        played(mini, out, "omnigui", given, {"modalities": SEEING}, (TASK,))
    return server, OmniGuiScore().score(str(mini), out, "release")


RIGHT = [
    '{"action_type": "TAP", "coordinate": [154, 580]}',
    '{"action_type": "SWIPE_UP", "start_coordinate": [500, 750], "end_coordinate": [500, 250]}',
    '{"action_type": "SWIPE_DOWN", "start_coordinate": [500, 250], "end_coordinate": [500, 750]}',
    '{"action_type": "HOME"}',
    '{"action_type": "TASK_COMPLETE"}',
]
WRONG = '{"action_type": "TASK_IMPOSSIBLE"}'


@pytest.mark.slow
def test_the_planner_omnigui_is_told_the_recorded_actions_whatever_it_says(mini: Path, tmp_path: Path) -> None:
    server, scored = omnigui(mini, tmp_path / "run", [RIGHT[0], WRONG, "I cannot say.", RIGHT[3], WRONG])
    told = rows(mini)
    assert len(server.requests) == len(told) == 5
    for step, request in enumerate(server.requests):
        said = words(request)
        past = [f"{number}. {one['action_text']}" for number, one in enumerate(told[step]["action_history"], 1)]
        listed = said.split("Actions so far:\n")[1].split("\nAnswer with")[0].split("\n")
        assert listed == (past or ["none"])
        assert f"Goal: {told[step]['instruction_en']}\nStep: {step + 1}" in said
        assert "I cannot say." not in said and "TASK_IMPOSSIBLE" not in listed
        with_video = ["video_url", "Sound of phone since then"] if told[step]["video_path"] else []
        opening = ["Screenshot of phone one step before", "image_url"] if step else []
        clip = ["Video of phone since then", *with_video] if with_video else ["Sound of phone since then"]
        middle = [*clip, "input_audio", "Current screenshot of phone", "image_url", "Goal"]
        assert kinds(request) == [*opening, *middle]
        names = [told[at]["image_path"] for at in (step - 1, step) if at >= 0]
        assert images(request) == files(mini, *names)
    assert (scored.figure("EM").value, scored.figure("TM").value) == (0.4, 0.4)
    assert (scored.figure("SR").value, scored.figure("GP").value) == (0.0, 0.2)
    assert scored.figure("format errors").value == 0.2 and scored.figure("EM").of == 5


@pytest.mark.slow
def test_two_steps_back_it_shows_the_screenshot_that_the_data_names(mini: Path, tmp_path: Path) -> None:
    server, scored = omnigui(mini, tmp_path / "run", RIGHT, before=2)
    for one, request in zip(rows(mini), server.requests, strict=True):
        earlier = [one["history_screenshot_path"]] if one["history_screenshot_path"] else []
        assert images(request) == files(mini, *earlier, one["image_path"])
        assert ("two steps before" in words(request)) == bool(earlier)
    assert [scored.figure(name).value for name in ("EM", "TM", "SR", "GP")] == [1.0] * 4


@pytest.mark.slow
def test_a_function_calling_planner_with_a_grounder_runs_as_on_live_devices(mini: Path, tmp_path: Path) -> None:
    calls = [
        ("click", {"target": "Gallery"}),
        ("scroll", {"direction": "down"}),
        ("swipe", {"direction": "down"}),
        ("system", {"name": "home"}),
        ("done", {"status": "success"}),
    ]
    script = [Answer("I go on.", ((name, json.dumps(given)),)) for name, given in calls]
    with ChatServer(script) as server, ChatServer([Answer("(154, 580)")]) as points:
        grounder = {"model": "osunlp/UGround-V1-7B", "url": points.url}
        agent = {"grounder": PartSpec("vllm", grounder), "modalities": SEEING}
        given = {"model": "hosted_vllm/tiny", "url": server.url}
        (episode,) = played(mini, tmp_path / "run", "function-calling", given, agent, (TASK,))
    scored = OmniGuiScore().score("", tmp_path / "run", "release")
    # A scroll down is a swipe up, and both start in the middle of the screen, which is not where the data's start.
    assert (scored.figure("TM").value, scored.figure("EM").value) == (1.0, 0.6)
    assert (episode.completed, episode.total, episode.success) == (3, 5, False)
    assert len(points.requests) == 1 and len(server.requests) == 5
    # Pictures of two turns at most; older ones are left out two at a time, so that requests begin alike.
    assert [len(parts(request, "image_url")) for request in server.requests] == [1, 2, 1, 2, 1]
    assert "the recording went on with" in json.dumps(server.requests[1].json)


@pytest.mark.slow
def test_an_episode_whose_model_went_away_is_void_and_counts_as_wrong(mini: Path, tmp_path: Path) -> None:
    waits, taps, done = '{"action_type": -1}', '{"action_type": 0, "coordinate": [500, 775]}', RIGHT[4]
    with ChatServer([Answer(waits), Answer(taps), Answer(done), Answer(waits), Status(503)]) as server:
        given = {"model": "hosted_vllm/tiny", "url": server.url, "retries": 0}
        tasks = ("clock_2", "launcher_1")
        episodes = played(mini, tmp_path / "run", "omnigui", given, {"modalities": SEEING}, tasks)
    assert [one.void for one in episodes] == [False, True]
    scored = OmniGuiScore().score(str(mini), tmp_path / "run", "paper")
    em, sr = scored.figure("EM"), scored.figure("SR")
    assert (em.value, em.of, em.void) == (0.5, 6, 3) and em.valid is not None and em.valid.estimate == 1.0
    assert (sr.value, sr.of, sr.void) == (0.5, 2, 1) and sr.valid is not None and sr.valid.estimate == 1.0
    assert scored.figure("format errors").value == 0.0
    # Of the void episode the first step was answered and the second was not; nobody can tell what the rest had been.
    assert scored.missing == ("episode launcher_1 step 1", "episode launcher_1 step 2")
