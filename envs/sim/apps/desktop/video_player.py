"""Video Player, on the desktop: films whose facts can only be seen by watching."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.desktop.films import draw_film
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import Clip, Playback
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Divider, Label, Surface
from omnipilot.envs.sim.ui.grid import TableRow, data_table
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.media_widgets import SCREEN, Slider
from omnipilot.envs.sim.ui.navigation import arrive, both
from omnipilot.envs.sim.ui.panels import empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.shortcuts import Shortcuts
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin

SEARCH = "player/search"
TENTHS = 10


def position(clip: Clip, playback: Playback | None, time: float) -> float:
    """The film's position in seconds at a time on the world's clock."""
    if playback is None:
        return 0.0
    run = 0.0 if playback.since is None else time - playback.since
    return round(min(playback.at + run, clip.seconds), 6)


def with_films_at_their_end(account: Account) -> Account:
    """The account, in which films that run have come to their end, as they do by themselves."""
    clips = {clip.id: clip for clip in account.clips}
    running = [one for one in account.playbacks if one.since is not None and one.id in clips]
    return account.put(*(replace(one, at=clips[one.id].seconds, since=None) for one in running))


def playing(clip: Clip, playback: Playback | None, time: float) -> bool:
    """Whether the film is playing at a time on the world's clock."""
    return playback is not None and playback.since is not None and position(clip, playback, time) < clip.seconds


def _of(state: WorldState, clip: Clip) -> Playback:
    return state.account.find("playbacks", clip.id) or Playback(clip.id)


def play(clip: Clip) -> Do:
    """Play the film from its position, or from its start if it had ended."""

    def do(state: WorldState) -> WorldState:
        now, at = _of(state, clip), position(clip, _of(state, clip), state.time)
        at = 0.0 if at >= clip.seconds else at
        return state.own(state.account.put(replace(now, at=at, since=state.time, played=now.played + 1)))

    return do


def pause(clip: Clip) -> Do:
    """Pause the film."""

    def do(state: WorldState) -> WorldState:
        now = _of(state, clip)
        return state.own(state.account.put(replace(now, at=position(clip, now, state.time), since=None)))

    return do


def seek(clip: Clip, tenths: int) -> Do:
    """Seek the film to a tenth of a second; it keeps playing if it was playing."""

    def do(state: WorldState) -> WorldState:
        now = _of(state, clip)
        since = state.time if playing(clip, now, state.time) else None
        return state.own(state.account.put(replace(now, at=tenths / TENTHS, since=since)))

    return do


def _list(ctx: Ctx) -> Widget:
    wanted = ctx.typed(SEARCH).strip().lower()
    records = []
    for clip in ctx.account.clips:
        if wanted not in clip.name.lower():
            continue
        seen: Playback | None = ctx.account.find("playbacks", clip.id)
        records.append(
            TableRow(
                id=f"player/list/{clip.id}",
                cells=(clip.name, clip.folder, f"{clip.seconds:.0f} s", "Played" if seen and seen.played else ""),
                do=arrive("desktop", "player", View("list"), View("clip", clip.id)),
                icon="video",
                origin=write_origin("file", f"{clip.folder}/{clip.name}"),
            )
        )
    heads = (("Name", 5), ("Folder", 3), ("Length", 2), ("", 2))
    body = data_table("player/list", heads, records) if records else empty("No film has this name")
    return Column((PaddedBox(TextField(SEARCH, "Search films"), (16, 12)), Divider(), body))


def _clip(ctx: Ctx) -> Widget:
    clip: Clip | None = ctx.account.find("clips", ctx.arg)
    if clip is None:
        leave = IconButton("player/clip/back", "back", "All films", arrive("desktop", "player", View("list")))
        return Column((Row((leave,)), empty("This film is no longer there")))
    time, playback = ctx.state.time, ctx.account.find("playbacks", clip.id)
    leave = IconButton(
        "player/clip/back", "back", "All films", both(pause(clip), arrive("desktop", "player", View("list")))
    )
    at, runs = position(clip, playback, time), playing(clip, playback, time)

    def draw(p: Painter, x: int, y: int, w: int, h: int) -> None:
        with p.literal():
            draw_film(clip, position(clip, playback, p.time))(p, x, y, w, h)

    toggle = pause(clip) if runs else play(clip)
    button = (
        Button("player/clip/pause", "Pause", toggle, "pause", "filled")
        if runs
        else Button("player/clip/play", "Play", toggle, "play", "filled")
    )
    most = round(clip.seconds * TENTHS)
    text = f"{at:.1f} of {clip.seconds:.1f} s"
    bar = Slider(
        "player/clip/seek",
        "Position",
        round(at * TENTHS),
        most,
        lambda tenths: seek(clip, tenths),
        text,
        step=5,
        flex=1,
    )
    below = 192 if runs and clip.subtitle else 152
    screen = Surface("player/clip/picture", clip.name, max(120, ctx.height - below), draw)
    head = Row((leave, Label(clip.name, 16, "bold", role="heading", flex=1)), 8)
    again = IconButton("player/clip/start", "previous", "To the beginning", seek(clip, 0))
    tools = Row((again, button, bar, Label(text, 14, color=theme.MUTED, id="player/clip/time")), 12)
    parts = [PaddedBox(head, (8, 6)), PaddedBox(screen, color=SCREEN), PaddedBox(tools, (16, 10))]
    if runs and clip.subtitle:
        line = Label(clip.subtitle, 14, wrapped=True, id="player/clip/subtitle")
        parts.insert(2, PaddedBox(WordsFrom(line, write_origin("film", clip.name)), (16, 4)))
    page = Column(parts)
    return Shortcuts(page, {"space": toggle})


def _heading(ctx: Ctx) -> str:
    clip: Clip | None = ctx.account.find("clips", ctx.arg) if ctx.arg else None
    return f"{clip.name} - Video Player" if clip else "Video Player"


PLAYER = App(
    "player",
    "Video Player",
    "video",
    (150, 52, 92),
    "desktop",
    {"list": _list, "clip": _clip},
    (200, 60, 860, 600),
    _heading,
)
