"""What a run's media folder says of captures that were left out on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from omnipilot.bench.journal.journal import MEDIA
from omnipilot.memory.store import write_atomically
from omnipilot.memory.store.durable import make_folder
from omnipilot.memory.store.media_store import NOTE, why_not_kept

LEAVE_OUT = ("failures", "none")
"""Values of `--media` under which something may get no file that needs one."""


def not_kept_words(media: str) -> str:
    """What stands for a capture that was not kept, under `--media` with this value."""
    return f"not kept (--media {media}); `omnipilot rerender RUN` brings it back"


def not_kept_note(run: Path) -> str:
    """What to tell who wants to see a run that left captures out; "" where it left none out."""
    why = why_not_kept(run / MEDIA)
    return f"{run}: of what was seen and heard, some or all is {why}" if why else ""


def note_not_kept(folder: Path, media: str) -> None:
    """Note in a media folder that a run leaves captures out, before it does; nothing if it leaves none out under
    `--media` with this value."""
    if media not in LEAVE_OUT:
        return
    make_folder(folder)
    write_atomically(folder / NOTE, not_kept_words(media).encode())


def forget_not_kept(folder: Path) -> None:
    """Take the note away: every capture has its file."""
    (folder / NOTE).unlink(missing_ok=True)


def take_not_kept(folders: Iterable[Path], into: Path) -> None:
    """Note in a media folder what others say of captures that they left out, if one does."""
    why = next(filter(None, map(why_not_kept, folders)), "")
    if why:
        make_folder(into)
        write_atomically(into / NOTE, why.encode())
