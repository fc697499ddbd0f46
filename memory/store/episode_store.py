"""The media store of whoever plays episodes: which captures get files, and who writes them.

Every capture is named by its content, whether it gets a file or not. What is no capture of a device, such as a picture
with marks that a model was sent, is written in any case, because playing the episode again would not give it back.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.envs.types.media import Media
from omnipilot.memory.store.background_writer import BackgroundWriter
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import REMEMBERED, Content, MediaStore, StoredMedia, media_at, reference_of

Keep: TypeAlias = Literal["all", "changes", "failures", "none"]
MOST_RAW = 16 << 20
"""Bytes of raw pixels that each worker holds of its episode; more are encoded, and then hardly take any room."""


class EpisodeStore(MediaStore):
    """A media store that writes the captures that are worth it.

    Args:
        folder, whole: as of `MediaStore`.
        keep: "all"; "changes": no silence, which is known by its length (a screen that is like the one before has its
            file already); "failures": of episodes that `settle` is not told to be solved; or "none".
        writer: writes the files; None to write them at once. What it is given after a capture finds the capture's file.
    """

    def __init__(
        self, folder: Path, whole: Path | None = None, keep: Keep = "all", writer: BackgroundWriter | None = None
    ) -> None:
        super().__init__(folder, whole)
        self.keep = keep
        self._writer = writer
        self._given: dict[str, None] = {}
        self._waiting: dict[str, Content] = {}
        self._captures: set[str] = set()
        self._held: dict[str, tuple[MediaRef, StoredMedia]] = {}
        self._holds = keep == "failures"
        self._raw = 0

    def put(self, media: Media) -> MediaRef:
        """Name a capture, or what was made of captures; of these, what is no capture of the episode gets a file."""
        ref, found = reference_of(media)
        if ref.digest not in self._captures:
            self._keep(ref, found)
        return self._index.add(ref)

    def put_capture(self, media: Media) -> MediaRef:
        """Name what was captured of a device; whether it gets a file is as the store's `keep` says."""
        ref, found = reference_of(media)
        if self.keep == "all" or (self.keep == "changes" and not _is_silent(found)):
            self._keep(ref, found)
        elif ref.digest not in self._captures:
            self._captures.add(ref.digest)
            if isinstance(found, VideoClip):
                self._captures.update(frame.digest for frame in found.frames)
            if self._holds:
                self._hold(ref, found)
        return self._index.add(ref)

    def settle(self, solved: bool) -> None:
        """Write what is held of an episode that was not solved, where captures of these are kept."""
        if self.keep == "failures" and not solved:
            for ref, media in self._held.values():
                self._keep(ref, media)

    def hold(self) -> None:
        """Let captures be read until `forget`, also those that get no file."""
        self._holds = True

    def get(self, ref: MediaRef, check: bool = True) -> StoredMedia:
        """As of `MediaStore`, of what is not written yet or never will be, too."""
        if (held := self._held.get(ref.digest)) is not None:
            return media_at(held[1], ref)
        waiting = self._waiting.get(ref.digest)
        if isinstance(waiting, bytes):
            return Image.encoded(waiting, ref.env, ref.start)
        return super().get(ref, check) if waiting is None or isinstance(waiting, str) else media_at(waiting, ref)

    def get_json(self, digest: str) -> str:
        """As of `MediaStore`, of what is not written yet, too."""
        waiting = self._waiting.get(digest)
        return waiting if isinstance(waiting, str) else super().get_json(digest)

    def forget(self) -> None:
        """Empty the timeline, and let go of what was held of the episode."""
        super().forget()
        self._captures.clear()
        self._held.clear()
        self._raw = 0

    def sync(self) -> None:
        """As of `MediaStore`; with a writer, whatever that is given next finds it done."""
        if self._writer is None:
            super().sync()
        else:
            self._writer.do(super().sync)

    def _keep(self, ref: MediaRef, content: Content) -> None:
        if self._writer is None:
            super()._keep(ref, content)
        elif ref.digest not in self._given:
            self._give(ref.digest)
            self._waiting[ref.digest] = content
            self._writer.do(partial(self._write_later, ref, content))

    def _write_later(self, ref: MediaRef, content: Content) -> None:
        super()._keep(ref, content)
        del self._waiting[ref.digest]

    def _give(self, digest: str) -> None:
        self._given[digest] = None
        if len(self._given) > REMEMBERED:
            del self._given[next(iter(self._given))]

    def _hold(self, ref: MediaRef, media: StoredMedia) -> None:
        self._held[ref.digest] = ref, media
        self._raw += sum(3 * image.size.pixels for image in _pictures(media))
        if self._raw > MOST_RAW:
            self._held = {digest: (ref, _without_pixels(media)) for digest, (ref, media) in self._held.items()}
            self._raw = 0


def _is_silent(media: StoredMedia) -> bool:
    return isinstance(media, AudioClip) and not any(media.pcm)


def _pictures(media: StoredMedia) -> list[Image]:
    """The pictures of a capture, each once."""
    if isinstance(media, VideoClip):
        return list({frame.digest: frame for frame in media.frames}.values())
    return [media] if isinstance(media, Image) else []


def _without_pixels(media: StoredMedia) -> StoredMedia:
    """The same capture without raw pixels."""
    files = {image.digest: image.png() for image in _pictures(media)}
    if isinstance(media, Image):
        return _file_alone(media, files)
    if isinstance(media, VideoClip):
        return VideoClip([_file_alone(frame, files) for frame in media.frames], media.end, media.env)
    return media


def _file_alone(image: Image, files: dict[str, bytes]) -> Image:
    return Image.encoded(files[image.digest], image.env, image.start, digest=image.digest)
