"""The media store and its timeline: each capture stored once by content, found by environment, kind and time.

A folder holds `ab/abcdef….png`, `.wav` and `.json` (videos as lists of frames; texts such as element lists). Files
appear whole or not at all and never change, so several processes may write to one folder. After a power cut this holds
for what was synced; what was not may be damaged, and is written again when the same content comes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.envs import AudioClip, EnvLost, Image, OmnipilotError, VideoClip
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import SAMPLE_RATE, open_picture, read_file
from omnipilot.envs.types.media import Media
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory.store.durable import sync_file, sync_names
from omnipilot.memory.store.index import Kind, MediaIndex, MediaRef

StoredMedia: TypeAlias = Image | AudioClip | VideoClip
Content: TypeAlias = StoredMedia | str | bytes
"""A capture, a JSON text, or a JPEG file as it is."""

NOTE = "not-kept.txt"
"""A text in the folder that says why captures may have no file, and what brings them back; written by whoever left some
out on purpose."""
_FILE = re.compile(r"([0-9a-f]{2})/\1[0-9a-f]{62}\.(png|jpg|wav|json)")
REMEMBERED = 10_000
"""How many digests of stored files are kept in mind, so that they are not looked up on the disk again."""


class MediaError(OmnipilotError):
    """A stored capture is missing or damaged."""


class MediaStore:
    """Append-only; identical content is stored once.

    Args:
        folder: where files go; made when the first is written. None keeps everything in memory.
        whole: a file beside it to which `sync` adds the stamp (see `file_stamp`) of each file that this store wrote:
            nobody needs to look whether it is whole. None for no such file.
    """

    def __init__(self, folder: Path | None = None, whole: Path | None = None) -> None:
        self.folder = folder
        self._whole = whole
        self._kept: dict[str, StoredMedia | str] = {}
        self._known: dict[str, None] = {}
        self._unsynced: dict[Path, str] = {}
        self._index = MediaIndex()

    def put(self, media: Media) -> MediaRef:
        """Store a capture. Its file exists on return; content already stored is not encoded again.

        Raises:
            ConfigError: the disk is full.
        """
        ref, found = reference_of(media)
        self._keep(ref, found)
        return self._index.add(ref)

    def put_capture(self, media: Media) -> MediaRef:
        """As `put`, for what was captured of a device. A store may leave captures without files."""
        return self.put(media)

    def settle(self, solved: bool) -> None:
        """Told how an episode ended before `sync`; a store that keeps the captures of some episodes alone decides."""

    def hold(self) -> None:
        """Let captures be read until `forget`, also those that get no file."""

    def put_json(self, text: str, env: str = "", time: float = 0.0) -> MediaRef:
        """Store a JSON text; its digest is computed from its UTF-8 bytes."""
        ref = MediaRef(hashlib.sha256(text.encode()).hexdigest(), "json", env, time, time)
        self._keep(ref, text)
        return self._index.add(ref)

    def put_jpeg(self, content: bytes, env: str = "", time: float = 0.0) -> MediaRef:
        """Store a JPEG file as it is; its digest is computed from its bytes, as decoders differ in the pixels."""
        ref = MediaRef(hashlib.sha256(content).hexdigest(), "jpeg", env, time, time)
        self._keep(ref, content)
        return self._index.add(ref)

    def has_file(self, name: str) -> bool:
        """Whether a file is here, by its name inside the folder, as in `MediaRef.path`."""
        return self.folder is not None and (self.folder / name).exists()

    def add_file(self, name: str, content: bytes) -> None:
        """Store a file as another store has written it, under the same name.

        Raises:
            MediaError: it has no name that a store gives. ConfigError: the disk is full.
        """
        if not _FILE.fullmatch(name) or self.folder is None:
            raise MediaError(f"{name!r} is no file of a media store")
        temp = self.folder / "tmp" / uuid.uuid4().hex
        with telling_disk_errors(self.folder):
            self._unsynced[self.folder / name] = self._write_whole(self.folder / name, temp, content)

    def get(self, ref: MediaRef, check: bool = True) -> StoredMedia:
        """Load a reference's capture, with the same digest, at the reference's environment and time.

        Args:
            check: that the content is what the digest promises. Without it no picture is decoded before its pixels are
                asked for.

        Raises:
            MediaError: its file is missing, or its content is not what the digest promises.
        """
        return media_at(self._from_memory(ref), ref) if self.folder is None else self._load(ref, check)

    def get_json(self, digest: str) -> str:
        """Load the text with a digest.

        Raises:
            MediaError: as `get`.
        """
        ref = MediaRef(digest, "json")
        if self.folder is None:
            text = self._kept.get(digest)
            if not isinstance(text, str):
                raise MediaError(f"no text {digest} was put into this store")
            return text
        return self._load_json(ref)

    def between(self, env: str, kind: Kind, start: float, end: float) -> list[MediaRef]:
        """Captures stored since `forget` that overlap `start`..`end` (end excluded), by start, then insertion order."""
        return self._index.between(env, kind, start, end)

    def forget(self) -> None:
        """Empty the timeline, as at the start of an episode, when the clock restarts. No content is lost."""
        self._index.clear()

    def sync(self) -> None:
        """Return once everything stored is durable on disk, even after a power cut.

        Raises:
            ConfigError: the disk is full or fails.
        """
        if self.folder is None or not self._unsynced:
            return
        with telling_disk_errors(self.folder):
            for path in self._unsynced:
                sync_file(path)
            # And what leads to them: somebody else may have made a folder, and not synced it yet.
            sync_names((*sorted({path.parent for path in self._unsynced}), self.folder, self.folder.parent))
        self._tell_whole(filter(None, self._unsynced.values()))
        self._unsynced.clear()

    def sweep(self) -> None:
        """Remove incomplete files of killed writers, and what a power cut left empty; only while nobody else writes."""
        if self.folder is None or not self.folder.is_dir():
            return
        for folder in self.folder.iterdir():
            if folder.is_dir():
                with os.scandir(folder) as found:
                    for file in found:
                        if folder.name == "tmp" or file.stat().st_size == 0:
                            Path(file).unlink(missing_ok=True)

    def _keep(self, ref: MediaRef, content: Content) -> None:
        """Store content that is not stored yet."""
        if isinstance(content, VideoClip) and self.folder is not None and ref.digest not in self._known:
            for frame in content.frames:
                self._keep_still(frame)
        if self._has(ref):
            return
        if self.folder is not None:
            self._write(ref, self._encode(content))
        else:
            self._kept[ref.digest] = (
                Image.encoded(content, ref.env, ref.start) if isinstance(content, bytes) else content
            )

    def _has(self, ref: MediaRef) -> bool:
        """Whether content is stored. A file that somebody else wrote is looked at: it may be damaged, or unsynced."""
        if self.folder is None:
            return ref.digest in self._kept
        if ref.digest in self._known:
            # Moved to the end: the least recently put is forgotten first.
            del self._known[ref.digest]
        elif (self.folder / ref.path).exists() and self._is_whole(ref):
            # What somebody else wrote may differ from what its checksums tell: no stamp vouches for it.
            self._unsynced[self.folder / ref.path] = ""
        else:
            return False
        self._know(ref.digest)
        return True

    def _is_whole(self, ref: MediaRef) -> bool:
        """Whether a file is as it was written, by the checksums that it holds or by its content.

        A power cut leaves zeros, holes and missing ends, never another picture, and the checksums of a PNG file tell.
        Decoding it for its digest would take several times as long as writing it anew.
        """
        try:
            if ref.kind == "json":
                self._load_json(ref)
            elif ref.kind == "image":
                with open_picture(self._read(ref), ref.path) as picture:
                    picture.verify()
            elif ref.kind == "video":
                # Of its list alone: its frames are looked at one by one.
                return self._load(ref, check=False).digest == ref.digest
            else:
                self._load(ref, check=True)
        except (MediaError, EnvLost):
            return False
        return True

    def _load(self, ref: MediaRef, check: bool) -> StoredMedia:
        """Load a capture from its file, whatever else knows its content."""
        assert self.folder is not None
        try:
            content = self._read(ref)
        except MediaError:
            if ref.kind == "audio" and (silent := silence_of(ref.digest, ref.start, ref.end, ref.env)) is not None:
                return silent
            raise
        try:
            media = self._decode(ref, content, check)
            found = hashlib.sha256(content).hexdigest() if ref.kind == "jpeg" else media.digest if check else ref.digest
            sound = found == ref.digest
        except MediaError as error:
            raise MediaError(f"{self.folder / ref.path} cannot be put together: {error}") from error
        except Exception as error:
            # Decoders raise whatever a broken file leads them to; all of it means the same.
            raise self._damaged(ref, f"{type(error).__name__}: {error}") from error
        if not sound:
            raise self._damaged(ref, f"its content has the digest {found}")
        return media

    def _load_json(self, ref: MediaRef) -> str:
        """Load a text from its file, whatever else knows it."""
        content = self._read(ref)
        if (found := hashlib.sha256(content).hexdigest()) != ref.digest:
            raise self._damaged(ref, f"its content has the digest {found}")
        return content.decode()

    def _know(self, digest: str) -> None:
        self._known[digest] = None
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _encode(self, media: Content) -> bytes:
        if isinstance(media, bytes | str):
            return media if isinstance(media, bytes) else media.encode()
        if isinstance(media, Image):
            return media.png()
        if isinstance(media, AudioClip):
            return media.wav()
        frames = [(time, frame.digest) for time, frame in zip(_offsets(media), media.frames, strict=True)]
        return json.dumps({"seconds": round(media.seconds, 6), "frames": frames}).encode()

    def _keep_still(self, frame: Image) -> None:
        still = MediaRef(frame.digest, "image")
        if not self._has(still):
            self._write(still, frame.png())

    def _decode(self, ref: MediaRef, content: bytes, check: bool) -> StoredMedia:
        if ref.kind == "jpeg":
            return Image.encoded(content, ref.env, ref.start)
        if ref.kind == "image":
            return Image.encoded(content, ref.env, ref.start, digest="" if check else ref.digest)
        if ref.kind == "audio":
            return AudioClip.from_wav(content, ref.env, ref.start)
        listed: dict[str, Any] = parse_json(content)
        frames: list[Image] = []
        for time, digest in listed["frames"]:
            still = self._load(MediaRef(digest, "image", ref.env, ref.start + time), check)
            assert isinstance(still, Image)
            frames.append(still)
        return VideoClip(frames, ref.start + listed["seconds"], ref.env)

    def _write(self, ref: MediaRef, content: bytes) -> None:
        assert self.folder is not None
        path, temp = self.folder / ref.path, self.folder / "tmp" / uuid.uuid4().hex
        try:
            with telling_disk_errors(self.folder):
                stamp = self._write_whole(path, temp, content)
        except BaseException:
            temp.unlink(missing_ok=True)
            raise
        self._unsynced[path] = stamp
        self._know(ref.digest)

    def _write_whole(self, path: Path, temp: Path, content: bytes) -> str:
        """Write a file under its name; its stamp, taken before anybody else could change it."""
        try:
            temp.write_bytes(content)
        except FileNotFoundError:
            temp.parent.mkdir(parents=True, exist_ok=True)
            temp.write_bytes(content)
        stamp = file_stamp(path.name, temp.stat())
        try:
            os.replace(temp, path)
        except FileNotFoundError:
            path.parent.mkdir(exist_ok=True)
            os.replace(temp, path)
        return stamp

    def _tell_whole(self, stamps: Iterable[str]) -> None:
        lines = "".join(f"{stamp}\n" for stamp in stamps).encode()
        if self._whole is None or not lines:
            return
        # Without these lines, readers look at the files themselves.
        with contextlib.suppress(OSError), self._whole.open("ab", buffering=0) as file:
            # In one write: other processes may add to it, too.
            file.write(lines)

    def _read(self, ref: MediaRef) -> bytes:
        assert self.folder is not None
        try:
            return read_file(self.folder / ref.path)
        except FileNotFoundError:
            # Texts are kept in any case.
            why = "" if ref.kind == "json" else why_not_kept(self.folder)
            raise MediaError(
                f"{self.folder / ref.path} is {why or 'missing; the folder was changed by somebody else'}"
            ) from None

    def _from_memory(self, ref: MediaRef) -> StoredMedia:
        media = self._kept.get(ref.digest)
        if media is None or isinstance(media, str):
            raise MediaError(f"no capture {ref.digest} was put into this store")
        return media

    def _damaged(self, ref: MediaRef, why: str) -> MediaError:
        assert self.folder is not None
        return MediaError(
            f"{self.folder / ref.path} is damaged ({why}); remove the file and run the episode again, "
            "and look after the disk"
        )


def file_stamp(name: str, state: os.stat_result) -> str:
    """A file's name, size in bytes and time of its last change in nanoseconds: another stamp, another content."""
    return f"{name} {state.st_size} {state.st_mtime_ns}"


def why_not_kept(folder: Path) -> str:
    """Why a store's captures may have no file, as its folder says; "" where all were kept."""
    try:
        return read_file(folder / NOTE).decode(errors="replace").strip()
    except OSError:
        return ""


def silence_of(digest: str, start: float, end: float, env: str = "") -> AudioClip | None:
    """The silence between two times, in seconds, if that is the sound with this digest: it needs no file."""
    clip = AudioClip(bytes(2 * max(0, round((end - start) * SAMPLE_RATE))), env, start)
    return clip if clip.digest == digest else None


def reference_of(media: Media) -> tuple[MediaRef, StoredMedia]:
    """What names a capture in a store.

    Raises:
        TypeError: it is of a kind that has no file format.
    """
    if not isinstance(media, Image | AudioClip | VideoClip):
        raise TypeError(f"no file format for {type(media).__name__}")
    kind: Kind = "image" if isinstance(media, Image) else "audio" if isinstance(media, AudioClip) else "video"
    return MediaRef(media.digest, kind, media.env, media.start, media.end), media


def media_at(media: StoredMedia, ref: MediaRef) -> StoredMedia:
    """The same content as a capture with the reference's environment and time."""
    if isinstance(media, Image):
        return media.at(ref.env, ref.start)
    if isinstance(media, AudioClip):
        return AudioClip(media.pcm, ref.env, ref.start)
    frames = [f.at(ref.env, ref.start + time) for time, f in zip(_offsets(media), media.frames, strict=True)]
    return VideoClip(frames, ref.start + round(media.seconds, 6), ref.env)


def _offsets(clip: VideoClip) -> list[float]:
    """The display time of each frame from the clip's start, at the precision used by the clip's digest."""
    return [round(frame.start - clip.start, 6) for frame in clip.frames]
