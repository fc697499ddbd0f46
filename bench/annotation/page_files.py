"""The files that the pages of annotators share: looks, scripts, and the media of recordings."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from omnipilot.bench import PageContent
from omnipilot.bench.annotation.recordings import CapturedScreen
from omnipilot.bench.journal import MEDIA
from omnipilot.memory import MediaRef

_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


def static_file(name: str) -> PageContent:
    """A file of the folder `static`."""
    content = files(__package__).joinpath(f"static/{name}").read_bytes()
    return PageContent(content, f"{_KINDS[Path(name).suffix]}; charset=utf-8")


def media_file(path: Path | None) -> PageContent | None:
    """A file of a recording; None if it is missing."""
    if path is None or not path.is_file():
        return None
    return PageContent(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream")


def film_frames(film: Path) -> list[list[Any]]:
    """The frames of a film that a run's media store lists: seconds from its start, and the digest of the picture.

    Empty where the list cannot be read.
    """
    try:
        return [[float(time), str(digest)] for time, digest in json.loads(film.read_text(encoding="utf-8"))["frames"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def screen_media(screen: CapturedScreen, name: str, digest: str, folder: Path) -> PageContent | None:
    """What is at `picture`, `sound`, `film` or `frame` of a screen; None if there is nothing.

    Args:
        digest: of a frame; only frames that the screen's film lists are given out. folder: of the recording.
    """
    if name == "picture":
        return media_file(screen.picture)
    if name == "sound":
        return media_file(screen.sound)
    if name == "film":
        return media_file(screen.film)
    if name == "frame" and screen.film is not None and any(digest == one for _, one in film_frames(screen.film)):
        return media_file(folder / MEDIA / MediaRef(digest, "image").path)
    return None


def screens_by_name(screens: Sequence[CapturedScreen]) -> list[CapturedScreen]:
    """The screens of a step by the names of their devices, an order that does not tell whose action it is."""
    return sorted(screens, key=lambda screen: screen.env)


def describe_screens(screens: Sequence[CapturedScreen], where: str, with_media: bool) -> list[dict[str, Any]]:
    """The screens of a step as JSON for a page; a sound that two devices share is named once.

    Args:
        where: path of their media on the page; below it they are numbered as in `screens_by_name`.
        with_media: whether sound and film are named, too.
    """
    told = []
    named = screens_by_name(screens)
    for place, screen in enumerate(screens):
        shared = screen.sound in [one.sound for one in screens[:place]]
        told.append(_describe_screen(screen, f"{where}/{named.index(screen)}", with_media, not shared))
    return told


def _describe_screen(screen: CapturedScreen, where: str, with_media: bool, with_sound: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"env": screen.env, "size": list(screen.size), "picture": None}
    if screen.picture is not None:
        told["picture"] = f"{where}/picture"
    if with_media and with_sound and screen.sound is not None:
        told["sound"] = f"{where}/sound"
    if with_media and screen.film is not None:
        if screen.film.suffix == ".json":
            frames = film_frames(screen.film)
            # A film in which nothing moves is the picture.
            if len({digest for _, digest in frames}) > 1:
                told["frames"] = [[time, f"{where}/frame/{digest}"] for time, digest in frames]
                told["seconds"] = screen.film_span
        else:
            told["film"] = f"{where}/film"
    return told
