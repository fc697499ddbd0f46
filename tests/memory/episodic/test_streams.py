"""Streams in chunks: what they leave, whatever the chunks, and that their length costs no memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from made_streams import SCENE, chunks, sound_of, write_video

from omnipilot.envs import AudioClip, Box, ConfigError, Elements, Image, Modality, VideoClip
from omnipilot.envs.types.observation import Element
from omnipilot.memory.episodic import StreamChunk, StreamReader, TimelineEvent, read_file
from omnipilot.memory.episodic.details import ScreenDetail
from omnipilot.memory.episodic.streams import SEGMENT, ImageFrame, Keep
from omnipilot.memory.perception.ocr.reader import OcrReading
from omnipilot.memory.store import MediaStore

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def read(stream: Iterator[StreamChunk], keep: Keep = "events", store: MediaStore | None = None) -> list[TimelineEvent]:
    reader = StreamReader("phone", store or MediaStore(), keep)
    events = [event for chunk in stream for event in reader.feed(chunk)]
    return [*events, *reader.finish()]


def key_of(event: TimelineEvent) -> str:
    """Why an event is a key frame; "" if it is none."""
    return event.detail.key if isinstance(event.detail, ScreenDetail) else ""


def brief(events: list[TimelineEvent]) -> list[tuple[str, str, float]]:
    """What matters of events, in order of time."""
    return sorted((e.kind, e.text or key_of(e), round(e.start, 1)) for e in events)


def test_a_stream_leaves_key_frames_motion_and_sounds() -> None:
    events = read(chunks(2 * SCENE))
    found = brief([event for event in events if event.kind in ("screen", "motion", "sound")])
    assert [(kind, text) for kind, text, _ in found if kind == "sound"] == [("sound", "speech")] * 2
    moves = {(text, start) for kind, text, start in found if kind == "motion"}
    assert {("moved", 4.0), ("moved", 14.0), ("blinked", 8.0), ("blinked", 18.0)} <= moves
    screens = {(text, start) for kind, text, start in found if kind == "screen"}
    assert ("first", 0.0) in screens and any(text in ("settled", "cut") and 10 < at < 10.6 for text, at in screens)
    assert len(screens) <= 6, "a still screen is one key frame"
    assert {event.modality for event in events if event.kind in ("screen", "video", "motion")} == {Modality.VIDEO}
    assert {event.modality for event in events if event.kind in ("audio", "sound")} == {Modality.AUDIO}


def test_media_are_kept_by_policy() -> None:
    store = MediaStore()
    kept = read(chunks(12), "events", store)
    for event in kept:
        assert event.media is not None
        media = store.get(event.media)
        assert media.start <= event.start + 0.01 and event.end <= media.end + 0.01
    assert all(event.media is None for event in read(chunks(12), "none"))
    whole = MediaStore()
    every = read(chunks(12), "all", whole)
    clips = [whole.get(event.media) for event in every if event.kind == "video" and event.media is not None]
    assert [clip.start for clip in clips] == [*range(12)]
    assert sum(len(clip.frames) for clip in clips if isinstance(clip, VideoClip)) == 120
    heard = b"".join(chunk.sound.pcm for chunk in chunks(12) if chunk.sound and chunk.sound.pcm.strip(b"\0"))
    sounds = (whole.get(event.media) for event in every if event.kind == "audio" and event.media is not None)
    assert b"".join(clip.pcm for clip in sounds if isinstance(clip, AudioClip)) == heard
    with pytest.raises(ConfigError, match="all, events, none"):
        StreamReader("phone", store, "some")  # type: ignore[arg-type]


def cut_anew(seconds: int, edges: list[float]) -> Iterator[StreamChunk]:
    """The same stream in other chunks."""
    whole = list(chunks(seconds))
    frames = [frame for chunk in whole for frame in chunk.frames]
    sound = sound_of(0.0, float(seconds))
    for start, end in pairwise([0.0, *edges, float(seconds)]):
        yield StreamChunk(start, end, [one for one in frames if start <= one.time < end], sound.slice(start, end))


@pytest.mark.parametrize("edges", [[], [5.0], [0.5, 1.7, 2.2, 4.9, 8.25], [n * 0.25 for n in range(1, 48)]])
def test_events_do_not_depend_on_the_chunks(edges: list[float]) -> None:
    found, usual = (
        sorted((event for event in read(stream) if event.kind != "audio"), key=lambda one: (one.kind, one.start))
        for stream in (cut_anew(12, edges), chunks(12))
    )
    assert [(one.kind, one.text, key_of(one)) for one in found] == [(one.kind, one.text, key_of(one)) for one in usual]
    assert [one.start for one in found] == pytest.approx([one.start for one in usual], abs=0.15)
    assert [one.end for one in found] == pytest.approx([one.end for one in usual], abs=0.15)


def moving(seconds: float, stops: float, fps: int = 10) -> Iterator[StreamChunk]:
    """A square that goes to and fro until `stops`."""
    for start in range(round(seconds)):
        frames = []
        for tick in range(fps):
            time = start + tick / fps
            at = min(time, stops)
            picture = np.full((200, 320, 3), 230, np.uint8)
            x = round(abs((at * 60) % 500 - 250))
            picture[80:110, x : x + 30] = 20
            frames.append(ImageFrame(Image.from_array(picture, "phone", time)))
        yield StreamChunk(start, start + 1.0, frames)


def test_motion_longer_than_a_clip_is_one_event_and_keeps_one_clip() -> None:
    events = read(moving(30, 20.0))
    moves = [event for event in events if event.kind == "motion" and event.text == "moved"]
    assert len(moves) == 1 and moves[0].start == pytest.approx(0.0, abs=0.2)
    assert moves[0].end == pytest.approx(20.0, abs=0.3)
    clips = [event for event in events if event.kind == "video"]
    assert len(clips) == 1 and clips[0].end - clips[0].start <= SEGMENT + 0.2
    keys = [event for event in events if event.kind == "screen"]
    assert 2 <= len(keys) <= 12


def test_a_blinking_cursor_is_not_a_key_frame_each_time() -> None:
    def stream() -> Iterator[StreamChunk]:
        for start in range(20):
            picture = np.full((200, 320, 3), 230, np.uint8)
            if start % 2:
                picture[50:66, 100:104] = 0
            yield StreamChunk(
                start, start + 1.0, [ImageFrame(Image.from_array(picture, "phone", start + t / 10)) for t in range(10)]
            )

    assert len([event for event in read(stream(), "none") if event.kind == "screen"]) == 2


def test_a_video_file_is_read_in_chunks(tmp_path: Path) -> None:
    path = write_video(tmp_path / "call.mp4", 12, 320, 200, 10)
    pieces = list(read_file(path, "phone", 100.0))
    assert [round(chunk.start, 3) for chunk in pieces][:12] == [100.0 + n for n in range(12)]
    assert sum(len(chunk.frames) for chunk in pieces) == 120
    assert sum(chunk.sound.seconds for chunk in pieces if chunk.sound) == pytest.approx(12.0, abs=0.2)
    for before, after in pairwise(chunk.sound for chunk in pieces if chunk.sound):
        assert after.start == pytest.approx(before.end)
    events = read(iter(pieces))
    (speech,) = [event for event in events if event.kind == "sound" and event.start < 108]
    assert speech.start == pytest.approx(101.6, abs=0.2) and speech.text == "speech"
    motion = {(event.text, round(event.start)) for event in events if event.kind == "motion"}
    assert {("moved", 104), ("blinked", 108)} <= motion


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100])
def test_a_sound_file_is_read_in_chunks_at_our_rate(tmp_path: Path, rate: int) -> None:
    times = np.arange(round(3.5 * rate)) / rate
    tone = 0.5 * np.sin(2 * np.pi * 440 * times)
    soundfile.write(tmp_path / "tone.wav", np.stack([tone, tone], axis=1), rate)
    pieces = list(read_file(tmp_path / "tone.wav", "phone", 7.0))
    sound = np.concatenate([chunk.sound.array() for chunk in pieces if chunk.sound is not None])
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(len(sound)) / 16_000)
    assert len(pieces) == 4 and len(sound) == 56_000 and pieces[1].start == pytest.approx(8.0)
    middle = slice(800, -800)
    assert np.abs(sound[middle] / 32_768 - expected[middle]).max() < 0.02, "no chunk's edge is heard"
    (event,) = [event for event in read(iter(pieces)) if event.kind == "sound"]
    assert event.text == "tone: 440 Hz" and (event.start, event.end) == pytest.approx((7.0, 10.5), abs=0.1)


def test_a_track_that_ends_early_is_not_waited_for(tmp_path: Path) -> None:
    import av

    with av.open(str(tmp_path / "film.mp4"), "w") as out:
        video: Any = out.add_stream("libx264", rate=5)
        video.width, video.height, video.pix_fmt = 64, 64, "yuv420p"
        audio: Any = out.add_stream("aac", rate=16_000, layout="mono")
        heard = av.AudioFrame.from_ndarray(np.zeros((1, 32_000), np.int16), format="s16", layout="mono")
        heard.sample_rate, heard.pts = 16_000, 0
        out.mux(audio.encode(heard))
        out.mux(audio.encode(None))
        for tick in range(5 * 60):
            picture = np.full((64, 64, 3), 4 * (tick % 60), np.uint8)
            out.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(video.encode(None))
    decoded = 0
    for chunk in read_file(tmp_path / "film.mp4", "phone"):
        decoded += len(chunk.frames)
        if chunk.end == 5.0:
            break
    assert decoded == 25
    assert sum(len(chunk.frames) for chunk in read_file(tmp_path / "film.mp4", "phone")) == 300


def test_chunks_of_large_frames_are_shorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "film.mp4", 4, 160, 96, 10)
    assert max(len(chunk.frames) for chunk in read_file(path, "phone")) == 10
    monkeypatch.setattr("omnipilot.memory.episodic.streams.HELD", 3 * 160 * 96 * 4)
    pieces = list(read_file(path, "phone"))
    assert max(len(chunk.frames) for chunk in pieces) == 4 and sum(len(chunk.frames) for chunk in pieces) == 40


class Reads:
    """Reads the same two lines until second 15, then one."""

    def read(self, image: Image) -> OcrReading:
        lines = ("Total", "$514") if image.start < 15 else ("Thank you",)
        elements = tuple(Element(role="text", box=Box(0, 0, 1, 1), name=line) for line in lines)
        return OcrReading(Elements(elements), 0.0, len(lines), 0)


def test_the_text_of_key_frames_is_read_where_it_changes() -> None:
    reader = StreamReader("phone", MediaStore(), "none", ocr=Reads())  # type: ignore[arg-type]
    events = [event for chunk in chunks(25) for event in reader.feed(chunk)]
    texts = [event for event in events if event.kind == "text"]
    assert [event.text for event in texts] == ["Total | $514", "Thank you"]
    assert texts[1].start >= 15 and texts[0].modality is Modality.VIDEO and texts[0].media is None


def test_files_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file"):
        list(read_file(tmp_path / "none.mp4", "phone"))
    (tmp_path / "text.mp4").write_text("no video")
    with pytest.raises(ConfigError, match=r"text\.mp4"):
        list(read_file(tmp_path / "text.mp4", "phone"))


MEASURE = """
import json, resource, sys
from pathlib import Path
from made_streams import chunks
from omnipilot.memory.episodic import StreamReader, Timeline
from omnipilot.memory.store import MediaStore

folder = Path(sys.argv[1])
timeline, reader = Timeline(), StreamReader("phone", MediaStore(folder / "media"))
resident = []
for chunk in chunks(int(sys.argv[2])):
    timeline.extend(reader.feed(chunk))
    resident.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
timeline.extend(reader.finish())
print(json.dumps([resident, len(timeline)]))
"""


@pytest.mark.parametrize("seconds", [120, pytest.param(3_600, marks=pytest.mark.slow)])
@pytest.mark.timeout(1_000)
def test_memory_does_not_grow_with_the_length_of_a_stream(tmp_path: Path, seconds: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path), str(seconds)],
        env={"PYTHONPATH": str(FIXTURES), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    resident, events = json.loads(done.stdout)
    assert events > seconds / 2
    # By a quarter of it every part has been in use; from there on, a stream four times as long costs next to nothing.
    assert resident[-1] - resident[seconds // 4] < 8.0
