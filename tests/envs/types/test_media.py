"""Captures: their content is their identity, and time cuts them cleanly."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as pil
from strategies import boxes

from omnipilot.envs import AudioClip, Box, Image, MissingExtra, Size, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE, Media

small = st.builds(Size, st.integers(1, 12), st.integers(1, 12))
pictures = small.flatmap(
    lambda size: st.binary(min_size=size.pixels * 3, max_size=size.pixels * 3).map(lambda rgb: Image.raw(size, rgb))
)
pcm = st.binary(max_size=400).map(lambda data: data[: len(data) // 2 * 2])
clips = st.builds(AudioClip, pcm, st.just("phone"), st.floats(0, 1000))


def plain(size: Size, shade: int, time: float = 0.0) -> Image:
    return Image.raw(size, bytes([shade]) * size.pixels * 3, "phone", time)


@given(pictures)
def test_a_picture_survives_png_with_its_identity(picture: Image) -> None:
    again = Image.encoded(picture.png(), "phone", 3.0)
    assert again.size == picture.size and again.rgb == picture.rgb
    assert again == picture and hash(again) == hash(picture) and again.digest == picture.digest
    assert Image.from_array(picture.array()) == picture


@pytest.mark.parametrize("samples", [0, 1, 16_000])
def test_silence_is_named_like_any_other_sound(samples: int) -> None:
    silence, plain = AudioClip.silence(samples, "phone", 2.0), AudioClip(bytes(2 * samples), "phone", 2.0)
    assert (silence, silence.digest, silence.pcm) == (plain, plain.digest, plain.pcm)
    assert (silence.env, silence.start, silence.end) == (plain.env, plain.start, plain.end)


@pytest.mark.parametrize(
    ("mode", "format"), [("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("L", "PNG"), ("RGB", "WEBP")]
)
def test_the_digest_is_that_of_the_pixels_however_the_file_was_written(mode: str, format: str) -> None:
    picture = plain(Size(5, 3), 204)
    file = io.BytesIO()
    pil.frombytes("RGB", (5, 3), picture.rgb).convert(mode).save(file, format, lossless=True)
    assert Image.encoded(file.getvalue()) == picture


def test_identity_is_the_content_alone() -> None:
    one = plain(Size(4, 2), 7)
    assert one == one.at("desktop", 9.0) and one.at("desktop", 9.0).env == "desktop"
    assert one != plain(Size(2, 4), 7) and one != plain(Size(4, 2), 8)
    silence: Media = AudioClip(bytes(24))
    assert silence != one and len({one, one.at("desktop", 1.0), silence}) == 2


@given(pictures, boxes)
def test_a_crop_is_a_part_of_the_picture(picture: Image, box: Box) -> None:
    crop = picture.crop(box)
    assert 1 <= crop.size.width <= picture.size.width and 1 <= crop.size.height <= picture.size.height
    whole = picture.array()
    rows, columns = crop.size.height, crop.size.width
    assert any(
        np.array_equal(whole[y : y + rows, x : x + columns], crop.array())
        for y in range(picture.size.height - rows + 1)
        for x in range(picture.size.width - columns + 1)
    )


def test_a_crop_of_everything_is_everything() -> None:
    picture = Image.from_array(np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3))
    assert picture.crop(Box(0, 0, 1, 1)) == picture
    assert picture.crop(Box(0.5, 0.25, 1, 0.5)).array().tolist() == picture.array()[1:2, 3:6].tolist()


def test_pixels_are_read_only_and_of_the_right_number() -> None:
    with pytest.raises(ValueError, match="read-only"):
        plain(Size(2, 2), 1).array()[0, 0, 0] = 3
    with pytest.raises(ValueError, match="bytes"):
        Image.raw(Size(2, 2), bytes(11))


@given(clips, st.lists(st.floats(-1, 1001), min_size=3, max_size=3).map(sorted))
def test_slices_of_sound_add_up(clip: AudioClip, cuts: list[float]) -> None:
    first, middle, last = cuts
    left, right, both = clip.slice(first, middle), clip.slice(middle, last), clip.slice(first, last)
    assert left.pcm + right.pcm == both.pcm
    assert clip.slice(clip.start, clip.end) == clip
    for part in (left, right, both):
        assert part.env == "phone" and clip.start <= part.start <= part.end <= clip.end + 1e-9
        assert part.seconds == pytest.approx(len(part.pcm) / 2 / SAMPLE_RATE)


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0, 1000))
def test_a_slice_is_cut_at_its_samples(first: int, last: int, start: float) -> None:
    clip = AudioClip.from_array(np.arange(200, dtype=np.int16), start=start)
    part = clip.slice(start + first / SAMPLE_RATE, start + last / SAMPLE_RATE)
    assert part.array().tolist() == list(range(first, last))
    assert part.start == pytest.approx(start + first / SAMPLE_RATE)


@given(clips)
def test_sound_survives_wav(clip: AudioClip) -> None:
    again = AudioClip.from_wav(clip.wav(), "phone", clip.start)
    assert again == clip and again.digest == clip.digest and again.end == clip.end


def test_foreign_sound_files_are_refused() -> None:
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(44_100)
        out.writeframes(bytes(8))
    with pytest.raises(ValueError, match="mono"):
        AudioClip.from_wav(file.getvalue())
    with pytest.raises(ValueError, match="pairs"):
        AudioClip(b"123")


def test_loudness() -> None:
    assert AudioClip(b"").loudness() == 0
    assert AudioClip.from_array(np.full(10, -32768, dtype=np.int16)).loudness() == 1
    assert AudioClip.from_array(np.full(10, 16384, dtype=np.int16)).loudness() == 0.5


def film() -> VideoClip:
    return VideoClip([plain(Size(6, 4), 40 * number, 10 + number) for number in range(5)], 15, "phone")


def test_a_slice_of_video_starts_with_the_frame_that_was_shown() -> None:
    clip = film()
    part = clip.slice(11.5, 13)
    assert [frame.start for frame in part.frames] == [11.5, 12]
    assert part.frames[0] == clip.frames[1] and (part.start, part.end) == (11.5, 13)
    assert clip.slice(clip.start, clip.end) == clip
    assert clip.slice(-5, 99) == clip
    assert len(clip.slice(20, 30).frames) == 1


@given(*[st.floats(9, 16)] * 4)
def test_a_slice_of_video_shows_what_the_clip_showed(a: float, b: float, at: float, end: float) -> None:
    def shown(clip: VideoClip, time: float) -> Image:
        return [frame for frame in clip.frames if frame.start <= time][-1]

    clip = film()
    part = clip.slice(min(a, b), max(a, b))
    for time in (at, end):
        if part.start <= time < part.end:
            assert shown(part, time) == shown(clip, time)
    assert clip.start <= part.start <= part.end <= clip.end


def test_frames_are_in_order_and_of_one_size_and_end_with_the_clip() -> None:
    size = Size(2, 2)
    for frames, end in (
        ([], 1.0),
        ([plain(size, 0, 2), plain(size, 0, 1)], 3.0),
        ([plain(size, 0, 1), plain(Size(3, 2), 0, 2)], 3.0),
        ([plain(size, 0, 1), plain(size, 0, 5)], 2.0),
    ):
        with pytest.raises(ValueError, match="frame"):
            VideoClip(frames, end)
    with pytest.raises(ValueError, match="ends"):
        Media("phone", 2, 1)


def test_video_without_its_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(MissingExtra, match=r"pip install 'omnipilot\[video\]'"):
        film().mp4()


@pytest.mark.needs("omnipilot[video]")
def test_video_becomes_an_mp4_of_its_length_and_pictures() -> None:
    import av

    clip = VideoClip([plain(Size(33, 17), 60 * number, 10 + number) for number in range(3)], 13, "phone")
    with av.open(io.BytesIO(clip.mp4(fps=10))) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) == 30 and frames[0].shape == (16, 32, 3)
    for number, frame in enumerate(frames):
        assert abs(float(frame.mean()) - 60 * (number // 10)) < 8
