"""Which captures get files, and that none is named by a line that is written before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.envs import AudioClip, Image, Size, VideoClip
from omnipilot.memory import MediaRef, MediaStore
from omnipilot.memory.store import MediaError
from omnipilot.memory.store import episode_store as module
from omnipilot.memory.store.background_writer import BackgroundWriter
from omnipilot.memory.store.episode_store import EpisodeStore
from omnipilot.memory.store.media_store import NOTE

SIZE = Size(5, 4)
SILENCE, SOUND = AudioClip(bytes(3200), "phone", 1.0), AudioClip(bytes(range(200)) * 4, "phone", 1.0)


def picture(shade: int, time: float = 0.0) -> Image:
    return Image.raw(SIZE, bytes([shade, 3, 7]) * SIZE.pixels, "phone", time)


FILM = VideoClip([picture(1), picture(2, 0.5), picture(1, 0.9)], 1.0, "phone")
CAPTURES = (picture(1), picture(9), SILENCE, SOUND, FILM)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("??/*")}


def kept_by(folder: Path, keep: Any, solved: bool, writer: BackgroundWriter | None = None) -> set[str]:
    store = EpisodeStore(folder, None, keep, writer)
    refs = [store.put_capture(media) for media in CAPTURES]
    assert [ref.digest for ref in refs] == [media.digest for media in CAPTURES], "kept or not, it has its name"
    text = store.put_json('{"items":[]}')
    store.settle(solved)
    store.sync()
    if writer is not None:
        writer.wait()
    found = names(folder)
    assert f"{text.digest}.json" in found, "texts are kept in any case"
    return found - {f"{text.digest}.json"}


@pytest.mark.parametrize("background", [False, True], ids=["here", "background"])
def test_what_each_way_to_keep_keeps(tmp_path: Path, background: bool) -> None:
    def kept(keep: str, solved: bool) -> set[str]:
        folder = tmp_path / f"{keep} {solved}"
        return kept_by(folder, keep, solved, BackgroundWriter() if background else None)

    plain = MediaStore(tmp_path / "plain")
    for media in CAPTURES:
        plain.put(media)
    everything = names(tmp_path / "plain")
    assert kept("all", True) == kept("failures", False) == everything
    assert kept("changes", True) == everything - {f"{SILENCE.digest}.wav"}
    assert kept("none", False) == kept("failures", True) == set()


def test_silence_needs_no_file(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path, None, "changes")
    ref = store.put_capture(SILENCE)
    assert not names(tmp_path)
    back = MediaStore(tmp_path).get(ref)
    assert back == SILENCE and (back.env, back.start, back.end) == ("phone", 1.0, 1.1)
    with pytest.raises(MediaError, match="missing"):
        MediaStore(tmp_path).get(MediaRef(SOUND.digest, "audio", "phone", 1.0, 1.1))


def test_what_is_no_capture_of_the_episode_is_written_in_any_case(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path, None, "none")
    for media in CAPTURES:
        store.put_capture(media)
    store.put(picture(9))
    store.put(FILM.frames[1])
    assert not names(tmp_path), "a capture that is shown to a model again is still one"
    marked = store.put(picture(77))
    assert names(tmp_path) == {f"{marked.digest}.png"}
    store.forget()
    store.put(picture(9))
    assert f"{picture(9).digest}.png" in names(tmp_path), "of an episode before it is known no more"


@pytest.mark.parametrize("most_raw", [1, 1 << 30], ids=["encoded", "raw"])
def test_what_gets_no_file_can_be_read_until_the_episode_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_raw: int
) -> None:
    monkeypatch.setattr(module, "MOST_RAW", most_raw)
    store = EpisodeStore(tmp_path, None, "none")
    store.hold()
    refs = [store.put_capture(media) for media in CAPTURES]
    for ref, media in zip(refs, CAPTURES, strict=True):
        back = store.get(ref)
        assert back == media and (back.env, back.start) == (media.env, media.start)
        if isinstance(media, Image):
            assert isinstance(back, Image) and back.rgb == media.rgb
    store.forget()
    with pytest.raises(MediaError):
        store.get(refs[0])


def test_without_anybody_who_reads_nothing_is_held(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path, None, "none")
    ref = store.put_capture(picture(1))
    with pytest.raises(MediaError):
        store.get(ref)


def test_a_missing_capture_says_why(tmp_path: Path) -> None:
    (tmp_path / NOTE).write_text("not kept on purpose")
    with pytest.raises(MediaError, match=r"\.png is not kept on purpose"):
        MediaStore(tmp_path).get(MediaRef("ab" * 32, "image"))
    with pytest.raises(MediaError, match="is missing"):
        MediaStore(tmp_path).get_json("ab" * 32)


@pytest.mark.parametrize("keep", ["all", "failures"])
@pytest.mark.parametrize("background", [False, True], ids=["here", "background"])
def test_damaged_files_are_written_again(tmp_path: Path, keep: Any, background: bool) -> None:
    kept_by(tmp_path, "all", solved=False)
    whole = {path: path.read_bytes() for path in tmp_path.glob("??/*")}
    for path, content in whole.items():
        # What a power cut leaves.
        path.write_bytes(bytes(len(content)))
    kept_by(tmp_path, keep, False, BackgroundWriter() if background else None)
    assert {path: path.read_bytes() for path in tmp_path.glob("??/*")} == whole
    assert {path.suffix for path in whole} == {".json", ".wav", ".png"}


def test_a_line_finds_the_file_that_it_names(tmp_path: Path) -> None:
    writer = BackgroundWriter()
    store = EpisodeStore(tmp_path, None, "all", writer)
    lines: list[bool] = []
    for shade in range(40):
        ref = store.put_capture(picture(shade))
        writer.do(lambda path=tmp_path / ref.path: lines.append(path.exists()))
    writer.wait()
    assert lines == [True] * 40


def test_what_waits_to_be_written_can_be_read(tmp_path: Path) -> None:
    class Never(BackgroundWriter):
        def do(self, job: Any) -> None:
            pass

    store = EpisodeStore(tmp_path, None, "all", Never())
    refs = [store.put_capture(media) for media in CAPTURES]
    assert not names(tmp_path)
    assert [store.get(ref) for ref in refs] == list(CAPTURES)
    assert store.get_json(store.put_json("[1]").digest) == "[1]"


def test_what_was_given_once_is_not_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = BackgroundWriter()
    store = EpisodeStore(tmp_path, None, "all", writer)
    encoded: list[str] = []
    png = Image.png
    monkeypatch.setattr(Image, "png", lambda self: encoded.append(self.digest) or png(self))
    for time in range(5):
        store.put_capture(picture(4, float(time)))
    writer.wait()
    assert encoded == [picture(4).digest]
