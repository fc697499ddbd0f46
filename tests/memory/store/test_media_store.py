"""The media store: once by content, whole or not at all, and what comes back is what was put."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import AudioClip, Image, Size, VideoClip
from omnipilot.envs.types.media import Media
from omnipilot.memory import MediaRef, MediaStore
from omnipilot.memory.store import MediaError
from omnipilot.memory.store import media_store as module

SIZE = Size(5, 4)


def picture(shade: int, env: str = "phone", time: float = 0.0) -> Image:
    return Image.raw(SIZE, bytes([shade % 256, shade // 256 % 256, 7]) * SIZE.pixels, env, time)


def sound(env: str = "phone", start: float = 1.5) -> AudioClip:
    return AudioClip(bytes(range(200)) * 4, env, start)


def film(env: str = "phone", start: float = 0.3) -> VideoClip:
    frames = [picture(shade, env, start + offset) for shade, offset in ((1, 0.0), (2, 1 / 3), (1, 0.7))]
    return VideoClip(frames, start + 1.1, env)


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> MediaStore:
    return MediaStore(tmp_path / "media" if request.param == "folder" else None)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("media", [picture(3, time=2.25), sound(), film(), AudioClip(b"")], ids=repr)
def test_what_comes_back_is_what_was_put(store: MediaStore, media: Media) -> None:
    ref = store.put(media)
    back = store.get(ref)
    assert back == media and back.digest == media.digest == ref.digest
    assert (back.env, back.start) == (media.env, media.start)
    assert back.end == pytest.approx(media.end, abs=1e-6)


def test_content_comes_back_at_the_place_and_time_of_the_reference(store: MediaStore) -> None:
    ref = store.put(film())
    back = store.get(MediaRef(ref.digest, "video", "desktop", 20.0, 21.1))
    assert isinstance(back, VideoClip) and (back.env, back.start) == ("desktop", 20.0)
    assert back.digest == ref.digest
    assert [frame.env for frame in back.frames] == ["desktop"] * 3


@given(st.floats(0, 1e6), st.lists(st.floats(0, 100), min_size=1, max_size=6), st.floats(0, 1e6))
def test_a_film_keeps_its_digest_at_any_time(start: float, offsets: list[float], elsewhere: float) -> None:
    offsets = [offset - min(offsets) for offset in sorted(offsets)]
    clip = VideoClip([picture(i, time=start + o) for i, o in enumerate(offsets)], start + offsets[-1])
    memory = MediaStore()
    ref = memory.put(clip)
    assert memory.get(MediaRef(ref.digest, "video", "x", elsewhere, elsewhere + 1)).digest == ref.digest


def test_text_is_kept_by_its_bytes(store: MediaStore) -> None:
    ref = store.put_json('{"häuser":1}', "phone", 1.0)
    assert store.get_json(ref.digest) == '{"häuser":1}'
    assert store.put_json('{"häuser":1}', "desktop", 2.0).digest == ref.digest


def test_a_file_once_and_encoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    original = Image.png
    monkeypatch.setattr(Image, "png", lambda self: encoded.append(self.digest) or original(self))  # type: ignore[func-returns-value]
    first = MediaStore(tmp_path)
    for time in range(3):
        first.put(picture(1, time=time))
        first.put(picture(1, "desktop", time))
    first.put(film())
    MediaStore(tmp_path).put(picture(1))
    assert sorted(encoded) == sorted({picture(1).digest, picture(2).digest})
    assert files(tmp_path) == sorted(
        [f"{d[:2]}/{d}.png" for d in set(encoded)] + [f"{film().digest[:2]}/{film().digest}.json"]
    )


def test_what_is_known_to_be_stored_is_not_looked_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    original = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: looked.append(path.name) or original(path))  # type: ignore[func-returns-value]
    monkeypatch.setattr(module, "REMEMBERED", 2)
    media = MediaStore(tmp_path)
    for shade in (1, 1, 2, 1, 3, 1):
        media.put(picture(shade))
    assert len(looked) == 3
    media.put(picture(2))
    assert len(looked) == 4, "the least recently put is looked up again"


def jpeg() -> bytes:
    content = io.BytesIO()
    PIL.Image.fromarray(picture(9).array()).save(content, "JPEG")
    return content.getvalue()


LEFT = {
    "emptied": lambda content: b"",
    "zeros": lambda content: bytes(len(content)),
    "zeros at the end": lambda content: content[:40].ljust(len(content), b"\0"),
    "cut": lambda content: content[: len(content) // 2],
}


@pytest.mark.parametrize("left", LEFT.values(), ids=LEFT.keys())
def test_what_a_power_cut_left_of_a_file_is_written_again(left: Callable[[bytes], bytes], tmp_path: Path) -> None:
    first = MediaStore(tmp_path)
    kept = {first.put(media): media for media in (picture(3), sound(), film())}
    words, photo = first.put_json('["words"]'), first.put_jpeg(jpeg())
    for path in tmp_path.glob("??/*"):
        path.write_bytes(left(path.read_bytes()))
    second = MediaStore(tmp_path)
    for ref, media in kept.items():
        assert second.put(media).digest == ref.digest
        assert MediaStore(tmp_path).get(ref) == media
    second.put_json('["words"]')
    second.put_jpeg(jpeg())
    assert second.get_json(words.digest) == '["words"]' and MediaStore(tmp_path).get(photo)
    # What is whole stays as it is.
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("??/*")}
    third = MediaStore(tmp_path)
    for media in kept.values():
        third.put(media)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("??/*")} == before


@pytest.mark.parametrize("media", [picture(3), AudioClip(bytes(range(40))), film()], ids=repr)
def test_whatever_byte_is_damaged_or_missing_what_is_put_again_comes_back(tmp_path: Path, media: Media) -> None:
    ref = MediaStore(tmp_path).put(media)
    path = tmp_path / ref.path
    content = path.read_bytes()
    for position in range(len(content)):
        changed = content[:position] + bytes([content[position] ^ 0x55]) + content[position + 1 :]
        for damaged in (changed, content[:position], content[:position].ljust(len(content), b"\0")):
            path.write_bytes(damaged)
            again = MediaStore(tmp_path)
            assert again.get(again.put(media)) == media, position


def test_a_picture_that_is_there_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = MediaStore(tmp_path), MediaStore(tmp_path)
    for media in (picture(1), film()):
        first.put(media)
    known = (picture(1), film())
    assert known[0].digest and known[1].digest
    monkeypatch.setattr(Image, "_hash", lambda self: pytest.fail("a picture was decoded"))
    for media in known:
        second.put(media)
    assert second.between("phone", "video", 0.0, 9.0)


def test_what_another_process_has_not_synced_is_synced_by_whoever_relies_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")))
    folder = tmp_path / "media"
    ref = MediaStore(folder).put(picture(1))
    second = MediaStore(folder)
    second.put(picture(1))
    assert synced == []
    second.sync()
    # The content, and then the names that lead to it.
    names = [folder / ref.path, (folder / ref.path).parent, folder, tmp_path]
    assert synced == [str(name) for name in names]
    second.put(picture(1))
    second.sync()
    assert len(synced) == len(names)
    MediaStore(folder).put(film())
    second.put(film())
    second.sync()
    stills = {str(folder / MediaRef(frame.digest, "image").path) for frame in film().frames} - {names[0]}
    assert stills <= {*synced, str(names[0])} and str(folder / MediaRef(film().digest, "video").path) in synced


@pytest.mark.parametrize("media", [picture(3), sound(), film()], ids=repr)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, media: Media) -> None:
    ref = MediaStore(tmp_path).put(media)
    path = tmp_path / ref.path
    content = path.read_bytes()
    harmless = 0
    for position in range(len(content)):
        path.write_bytes(content[:position] + bytes([content[position] ^ 0x55]) + content[position + 1 :])
        try:
            # A changed byte that changes nothing of the content, such as unused header fields, is no damage.
            assert MediaStore(tmp_path).get(ref) == media
            harmless += 1
        except MediaError as error:
            assert ref.digest in str(error)
    assert harmless < len(content) / 2
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        try:
            assert MediaStore(tmp_path).get(ref) == media
        except MediaError as error:
            assert ref.digest in str(error)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(MediaError, match="damaged"):
        MediaStore(tmp_path).get(ref)
    path.unlink()
    with pytest.raises(MediaError, match="missing"):
        MediaStore(tmp_path).get(ref)


def test_swapped_files_are_noticed(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    one, other = media.put(picture(1)), media.put(picture(2))
    (tmp_path / one.path).write_bytes((tmp_path / other.path).read_bytes())
    with pytest.raises(MediaError, match=other.digest):
        media.get(one)
    text = media.put_json("[1]")
    (tmp_path / text.path).write_text("[2]")
    with pytest.raises(MediaError, match="damaged"):
        media.get_json(text.digest)


def test_an_empty_file_left_by_a_power_cut_is_written_anew(tmp_path: Path) -> None:
    ref = MediaStore(tmp_path).put(picture(1))
    (tmp_path / ref.path).write_bytes(b"")
    again = MediaStore(tmp_path)
    assert again.get(again.put(picture(1))) == picture(1)


def test_memory_knows_what_it_was_given_only() -> None:
    with pytest.raises(MediaError):
        MediaStore().get(MediaRef("0" * 64, "image"))
    with pytest.raises(MediaError):
        MediaStore().get_json("0" * 64)


def test_the_timeline(store: MediaStore) -> None:
    for time in (0.0, 2.0, 1.0, 3.0):
        store.put(picture(int(time), time=time))
    store.put(picture(9, "desktop", 1.0))
    store.put(AudioClip(bytes(32_000), "phone", 0.5))
    assert [ref.start for ref in store.between("phone", "image", 1.0, 3.0)] == [1.0, 2.0]
    assert [ref.start for ref in store.between("desktop", "image", 0.0, 9.0)] == [1.0]
    assert [ref.start for ref in store.between("phone", "audio", 1.4, 1.45)] == [0.5]
    assert store.between("phone", "audio", 1.5, 9.0) == []
    assert store.between("phone", "audio", 0.0, 0.5) == []
    assert store.between("phone", "video", 0.0, 9.0) == []
    kept = store.between("phone", "image", 0.0, 0.1)[0]
    store.forget()
    assert store.between("phone", "image", 0.0, 9.0) == []
    assert store.get(kept) == picture(0)


def test_several_processes_write_to_one_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from omnipilot.envs.types.geometry import Size; "
        "from omnipilot.envs.types.media import Image; from omnipilot.memory.store.media_store import MediaStore; "
        "store = MediaStore(Path(sys.argv[1])); "
        "[store.put(Image.raw(Size(5, 4), bytes([i, 0, 7]) * 20)) for i in range(200)]; store.sync()"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(files(tmp_path)) == 200
    media = MediaStore(tmp_path)
    for shade in range(200):
        assert media.get(MediaRef(picture(shade).digest, "image")) == picture(shade)


def test_half_written_files_are_swept(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    media.sweep()
    ref = media.put(picture(1))
    (tmp_path / "tmp" / "left").write_bytes(b"half")
    empty = tmp_path / MediaStore(tmp_path).put(picture(2)).path
    empty.write_bytes(b"")
    media.sweep()
    assert files(tmp_path) == [ref.path]
    media.sync()
