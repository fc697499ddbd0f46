"""The suite of OmniGUI's recordings: what an agent is shown, what is right, and that nothing of it is given away."""

from __future__ import annotations

import shutil
import sys
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from omnigui_made import loaded, miniature, played, put, row
from PIL import Image as pil

from omnipilot.bench.suites.omnigui import OmniGui
from omnipilot.bench.suites.omnigui.moves import VERBS
from omnipilot.bench.suites.omnigui.steps import StepRecord
from omnipilot.bench.suites.omnigui.suite import DEVICE
from omnipilot.envs import (
    Absent,
    AudioClip,
    ConfigError,
    Image,
    MissingExtra,
    Modality,
    Observation,
    Thinking,
    VideoClip,
)
from omnipilot.envs.recorded import ReplayWorld
from omnipilot.envs.types import ALL_MODALITIES

STEPS = 69
UNMATCHED = {"phone_1": 2, "gallery_1": 1, "clock_2": 1, "contacts_1": 1}
"""Steps of NONE and DOUBLE_TAP in the miniature, by episode."""


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature(tmp_path_factory)


def walk(suite: OmniGui, task: str) -> tuple[str, list[Observation]]:
    """The instruction, and what is seen at each moment when nothing is ever predicted."""
    world = suite.world(Thinking())
    instruction = suite.instantiate(task, 0).setup(world)
    seen = []
    while not world.ended():
        env = world.envs[DEVICE]
        seen.append(env.observe(ALL_MODALITIES, 0.0))
        assert seen[-1].time == world.now
        world.take((), "nothing")
    return instruction, seen


def test_a_task_an_episode_with_its_instruction_labels_and_a_judge_a_step(mini: Path) -> None:
    suite = OmniGui(str(mini))
    infos = suite.tasks()
    assert len(infos) == 10 and not suite.bad
    assert infos[0].tags == {
        "subset": "zh",
        "app": "messages",
        "level": "AV-Present",
        "dimension": "Localization",
    }
    tasks = [suite.instantiate(info.id, 0) for info in infos]
    assert sum(len(task.graph.nodes) for task in tasks) == STEPS
    assert [node.name for node in tasks[4].graph.nodes] == ["1 NONE", "2 TAP", "3 TASK_COMPLETE"]
    assert not any(task.graph.edges for task in tasks)
    assert infos[0].description.startswith("在手机上打开信息") and infos[4].description.startswith("Wait until")
    assert {info.tags["subset"] for info in OmniGui(str(mini), subset="en").tasks()} == {"en"}
    assert all(info.description.isascii() for info in OmniGui(str(mini), language="en").tasks())


def test_screens_and_sounds_are_those_of_the_files_and_end_at_their_moment(mini: Path) -> None:
    suite = OmniGui(str(mini))
    steps = 0
    for episode in loaded(mini).items:
        instruction, seen = walk(suite, episode.id)
        assert instruction == episode.instruction and len(seen) == len(episode.steps)
        for step, shown in zip(episode.steps, seen, strict=True):
            steps += 1
            assert isinstance(shown.screenshot, Image) and step.image is not None
            with pil.open(step.image) as picture:
                assert np.array_equal(shown.screenshot.array(), np.asarray(picture.convert("RGB")))
            assert (shown.size.width, shown.size.height) == step.size
            if step.audio is None:
                assert shown.audio == Absent("unsupported")
                continue
            assert isinstance(shown.audio, AudioClip)
            with wave.open(str(step.audio), "rb") as file:
                assert shown.audio.pcm == file.readframes(file.getnframes())
            assert shown.audio.end == pytest.approx(shown.time)
        times = [one.time for one in seen]
        lengths = [one.audio.seconds if isinstance(one.audio, AudioClip) else 1.0 for one in seen]
        assert np.diff([0.0, *times]) == pytest.approx(lengths, abs=0.11)
    assert steps == STEPS


@pytest.mark.needs("omnipilot[video]")
def test_videos_are_sampled_evenly_and_end_at_their_moment(mini: Path) -> None:
    import av

    suite = OmniGui(str(mini), fps=4, frames=6, side=458)
    episode = next(one for one in loaded(mini).items if one.id == "clock_2")
    _, seen = walk(suite, "clock_2")
    for step, shown in zip(episode.steps, seen, strict=True):
        with av.open(str(step.video)) as container:
            seconds = container.duration / 1e6
            decoded = [(float(f.time), f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]
        clip = shown.video
        assert isinstance(clip, VideoClip) and isinstance(shown.audio, AudioClip)
        assert clip.end == shown.time and clip.seconds == pytest.approx(seconds)
        assert len(clip.frames) == min(6, max(1, round(4 * seconds)))
        assert (clip.size.width, clip.size.height) == (206, 458)
        for at, frame in enumerate(clip.frames):
            since = seconds * at / len(clip.frames)
            assert frame.start - clip.start == pytest.approx(since, abs=1e-6)
            then = [pixels for time, pixels in decoded if time <= since + 1e-6][-1]
            # Shrunk by two as PyAV does it and as the mean of four pixels: the same picture, not the same bytes.
            half = then.reshape(458, 2, 206, 2, 3).mean(axis=(1, 3))
            assert np.abs(frame.array() - half).mean() < 2
    assert np.ptp([np.mean(frame.array()) for frame in seen[1].video.frames]) > 1, "the alarm is seen to ring"


def test_only_what_is_asked_for_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, row(0, 1, video_path="a.png"))
    monkeypatch.setitem(sys.modules, "av", None)
    suite = OmniGui(str(tmp_path))
    world = suite.world(Thinking())
    with pytest.raises(MissingExtra, match=r"omnipilot\[video\]"):
        suite.instantiate("e", 0).setup(world)  # how long the step lasted is in the film
    monkeypatch.setattr("omnipilot.bench.suites.omnigui.suite.seconds_of", lambda *_: 1.0)
    suite.instantiate("e", 0).setup(world)
    seen = world.envs[DEVICE].observe({Modality.SCREENSHOT, Modality.AUDIO}, 0.0)
    assert (seen.video, seen.audio, seen.time) == (Absent("unasked"), Absent("unsupported"), 1.0)
    assert isinstance(seen.screenshot, Image)
    with pytest.raises(MissingExtra, match=r"omnipilot\[video\]"):
        world.envs[DEVICE].observe({Modality.VIDEO}, 0.0)


def test_the_agent_is_told_nothing_of_what_was_done_then(mini: Path) -> None:
    suite = OmniGui(str(mini))
    for info in suite.tasks():
        world = suite.world(Thinking())
        instruction = suite.instantiate(info.id, 0).setup(world)
        device = world.envs[DEVICE]
        assert instruction == info.description
        assert (device.name, device.platform, device.verbs) == (DEVICE, "phone", VERBS)
        first = device.observe(ALL_MODALITIES, 0.0)
        assert isinstance(first.elements, Absent) and isinstance(first.context, Absent)


@pytest.mark.slow
def test_the_oracle_is_right_at_every_step_that_can_be_matched(mini: Path, tmp_path: Path) -> None:
    paper = played(mini, tmp_path / "paper", "oracle", variant="paper")
    assert all(one.success for one in paper) and sum(one.completed for one in paper) == STEPS
    release = {one.task: one for one in played(mini, tmp_path / "release", "oracle")}
    assert sum(one.success for one in release.values()) == 6
    for task, one in release.items():
        assert one.total - one.completed == UNMATCHED.get(task, 0)
        assert one.reason == ("world" if task in UNMATCHED else "success")


@pytest.mark.slow
def test_who_does_nothing_is_right_only_where_nothing_was_done(mini: Path, tmp_path: Path) -> None:
    # Three turns of waiting, then giving up: the alarm is waited for at the first step, and only the paper counts it.
    waits = {one.task: one.completed for one in played(mini, tmp_path / "a", "noop", variant="paper")}
    assert {task for task, right in waits.items() if right} == {"clock_2"} and waits["clock_2"] == 1
    assert sum(one.completed for one in played(mini, tmp_path / "b", "noop")) == 0
    # Giving up at once: there is no app "Compass", and the third step of its episode says so.
    gives_up = {one.task: one.completed for one in played(mini, tmp_path / "c", "noop", {"patience": 0})}
    assert {task: right for task, right in gives_up.items() if right} == {"launcher_1": 1}


@pytest.mark.slow
@pytest.mark.parametrize("planner", ["random", "rules"])
def test_baselines_play_recordings_to_their_end(mini: Path, tmp_path: Path, planner: str) -> None:
    episodes = played(mini, tmp_path / "run", planner)
    assert len(episodes) == 10 and not any(one.void for one in episodes)
    assert sum(one.total for one in episodes) == STEPS
    assert sum(one.completed for one in episodes) < STEPS // 2


def test_what_the_user_may_get_wrong_is_told_with_its_cure(mini: Path, tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"data": ""}, "the folder of the data is missing.*OmniGUI/OmniGUI"),
        ({"data": str(tmp_path / "none")}, "there is no folder"),
        ({"data": str(mini), "subset": "fr"}, "'fr'"),
        ({"data": str(mini), "language": "zh"}, "'zh'"),
        ({"data": str(mini), "variant": "fixed"}, "'fixed'"),
        ({"data": str(mini), "fps": 0}, "fps must be above 0"),
        ({"data": str(mini), "frames": 0}, "frames at least 1"),
        ({"data": str(put(tmp_path, row(0, 2)))}, "no usable episode.*it is 2, but episode e has 1 steps"),
    ]
    for options, message in cases:
        with pytest.raises(ConfigError, match=message):
            OmniGui(**options)
    with pytest.raises(ConfigError, match="no omnigui episode 'clock_3'; did you mean clock_"):
        OmniGui(str(mini)).instantiate("clock_3", 0)


def test_the_version_is_that_of_the_annotations_wherever_they_lie(mini: Path, tmp_path: Path) -> None:
    one = OmniGui(str(put(tmp_path, row(0, 1)))).version
    assert one == OmniGui(str(shutil.copytree(tmp_path, tmp_path / "again"))).version
    assert one != OmniGui(str(put(tmp_path, row(0, 1, instruction="二")))).version != OmniGui(str(mini)).version


def test_bad_records_are_kept_in_sight(tmp_path: Path) -> None:
    suite = OmniGui(str(put(tmp_path, row(0, 1), row(0, 1, episode_id="f", image_path="b.png"))))
    assert [info.id for info in suite.tasks()] == ["e"]
    assert [bad.field for bad in suite.bad] == ["image_path"]
    world = ReplayWorld()
    suite.instantiate("e", 0).setup(world)
    assert len(world.envs) == 1 and isinstance(loaded(tmp_path).items[0].steps[0], StepRecord)
