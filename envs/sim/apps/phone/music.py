"""Music, on the phone: songs, playlists, and the player."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.music_player import (
    pause,
    play,
    position,
    replace_position,
    resume,
    set_volume,
    skip_by,
    song_of,
    toggle_repeat,
)
from omnipilot.envs.sim.apps.phone.shared_parts import (
    Ticking,
    change,
    clock_time,
    page,
    remove,
    scrolling_list,
    with_corner,
)
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import fresh_id
from omnipilot.envs.sim.state.phone_data import Playlist, Song
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.media_widgets import Slider
from omnipilot.envs.sim.ui.navigation import back, both, go, remember, show
from omnipilot.envs.sim.ui.panels import empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

SHOWN, SURE = "music/songs/shown", "music/playlist/delete"


def _head(current: str) -> Widget:
    tabs = (
        ("music/tab/songs", "Songs", show("phone", "music", "songs")),
        ("music/tab/lists", "Playlists", show("phone", "music", "lists")),
    )
    return Column((top_bar("Music"), TabBar(tabs, f"music/tab/{current}")))


def _bar(ctx: Ctx) -> Widget:
    """The current song, at the bottom of every list."""
    song, player = song_of(ctx.state), ctx.account.player
    if song is None:
        return Gap()
    runs = player.since is not None
    texts = Column((Label(song.title, 14, "bold", role=None), Label(song.artist, 12, color=theme.MUTED)), 1, flex=1)
    key = IconButton(
        "music/bar/toggle", "pause" if runs else "play", "Pause" if runs else "Play", pause if runs else resume
    )
    row = PaddedBox(Row((Glyph("music", 24, theme.ACCENT), texts, key), 12), (16, 8), theme.BAR)
    return Tile("music/bar", f"Now playing: {song.title}", Column((Divider(), row)), go("phone", "music", "now"))


def _song_row(view: str, song: Song, queue: tuple[str, ...], ctx: Ctx, *more: tuple[str, Do]) -> Widget:
    now = ctx.account.player.song == song.id
    star = "Remove from favourites" if song.favourite else "Add to favourites"
    return list_row(
        f"music/{view}/{song.id}",
        song.title,
        play(song.id, queue),
        subtitle=f"{song.artist} · {song.album}",
        note=clock_time(song.seconds),
        icon="volume" if now else "music",
        trailing=(
            IconButton(
                f"music/{view}/{song.id}/favourite",
                "heart",
                star,
                change("songs", song.id, favourite=not song.favourite),
                theme.DANGER if song.favourite else theme.BORDER,
                size=36,
                glyph=18,
            ),
        ),
        menu=(("Add to playlist", go("phone", "music", "add", song.id)), *more),
    )


def _songs(ctx: Ctx) -> Widget:
    wanted, loved = ctx.typed("music/songs/search").lower(), bool(ctx.value(SHOWN, False))
    songs = [
        song
        for song in sorted(ctx.account.songs, key=lambda song: (song.title, song.artist))
        if (wanted in song.title.lower() or wanted in song.artist.lower()) and (song.favourite or not loved)
    ]
    queue = tuple(song.id for song in songs)
    heart = IconButton(
        "music/songs/favourites",
        "heart",
        "All songs" if loved else "Favourites only",
        remember("phone", SHOWN, not loved),
        theme.DANGER if loved else theme.MUTED,
    )
    search = PaddedBox(Row((TextField("music/songs/search", "Search songs and artists", flex=1), heart), 8), (16, 10))
    rows = [_song_row("songs", song, queue, ctx) for song in songs]
    return Column(
        (_head("songs"), search, ScrollView("music/songs/scroll", Column(rows or [empty("No songs")])), _bar(ctx))
    )


def _lists(ctx: Ctx) -> Widget:
    rows = [
        list_row(
            f"music/lists/{one.id}",
            one.name,
            go("phone", "music", "playlist", one.id),
            subtitle=f"{len(one.songs)} songs",
            icon="list",
        )
        for one in ctx.account.playlists
    ]
    body = scrolling_list("music/lists/scroll", rows, "No playlists")
    return Column((_head("lists"), with_corner(body, "music", "lists", "New playlist", "name"), _bar(ctx)))


def _playlist(ctx: Ctx) -> Widget:
    one = ctx.account.find("playlists", ctx.arg)
    if one is None:
        return page("music", "playlist", "Playlist", [empty("This playlist is gone")])
    songs = [song for song in (ctx.account.find("songs", id) for id in one.songs) if song is not None]

    def without(id: str) -> Do:
        return change("playlists", one.id, songs=tuple(song for song in one.songs if song != id))

    def up(place: int) -> Do:
        order = list(one.songs)
        order.insert(max(0, place - 1), order.pop(place))
        return change("playlists", one.id, songs=tuple(order))

    rows = [
        _song_row("playlist", song, one.songs, ctx, ("Move up", up(i)), ("Remove", without(song.id)))
        for i, song in enumerate(songs)
    ]
    actions = (
        IconButton(
            "music/playlist/play",
            "play",
            "Play all",
            play(one.songs[0], one.songs) if one.songs else pause,
            enabled=bool(one.songs),
        ),
        IconButton("music/playlist/rename", "edit", "Rename", go("phone", "music", "name", one.id)),
        IconButton("music/playlist/bin", "trash", "Delete playlist", ask("phone", SURE)),
    )
    arrow = IconButton("music/playlist/back", "back", "Back", back("phone", "music"))
    body = ScrollView("music/playlist/scroll", Column(rows or [empty("No songs yet: hold a song to add it")]))
    gone = both(remove("playlists", one.id), back("phone", "music"))
    shown = Column((top_bar(one.name, arrow, actions), body, _bar(ctx)))
    return question(shown, ctx, SURE, "Delete this playlist?", f"“{one.name}” goes, its songs stay.", "Delete", gone)


def _add(ctx: Ctx) -> Widget:
    song = ctx.arg

    def into(one: Playlist) -> Do:
        return both(change("playlists", one.id, songs=(*one.songs, song)), back("phone", "music"))

    rows = [
        list_row(
            f"music/add/{one.id}",
            one.name,
            back("phone", "music") if song in one.songs else into(one),
            subtitle="Already in it" if song in one.songs else f"{len(one.songs)} songs",
            icon="list",
        )
        for one in ctx.account.playlists
    ]
    arrow = IconButton("music/add/back", "back", "Back", back("phone", "music"))
    return Column((top_bar("Add to playlist", arrow), ScrollView("music/add/scroll", Column(rows))))


def _name(ctx: Ctx) -> Widget:
    known = ctx.account.find("playlists", ctx.arg)
    one = known or Playlist("", "")

    def save(state: WorldState) -> WorldState:
        name = typed_text(state, "phone", "music/name/text", one.name).strip()
        id = one.id or fresh_id("playlist", state.account.playlists)
        return back("phone", "music")(state.own(state.account.put(replace(one, id=id, name=name)))) if name else state

    field = TextField("music/name/text", "Name", one.name, submit=save, size=16)
    ready = bool(ctx.typed("music/name/text", one.name).strip())
    button = Button("music/name/save", "Save", save, style="filled", enabled=ready)
    return page("music", "name", "Rename playlist" if known else "New playlist", [field], [button])


def _now(ctx: Ctx) -> Widget:
    song, player = song_of(ctx.state), ctx.account.player
    if song is None:
        return page("music", "now", "Now playing", [empty("Nothing plays")])
    at, runs = position(ctx.state), player.since is not None
    words = f"{clock_time(at)} of {clock_time(song.seconds)}"
    cover = PaddedBox(
        Column((Gap(56), Glyph("music", 96, theme.ON_ACCENT), Gap(56))), (0, 0), theme.avatar_color(song.album), 16
    )
    heart = "Remove from favourites" if song.favourite else "Add to favourites"
    keys = Row(
        (
            IconButton("music/now/repeat", "repeat", f"Repeat is {'on' if player.repeat else 'off'}", toggle_repeat,
                       theme.ACCENT if player.repeat else theme.FAINT),
            Gap(flex=1),
            IconButton("music/now/previous", "previous", "Previous song", skip_by(-1), size=52, glyph=28),
            IconButton("music/now/toggle", "pause" if runs else "play", "Pause" if runs else "Play",
                       pause if runs else resume, theme.ON_ACCENT, theme.ACCENT, 64, 30),
            IconButton("music/now/next", "next", "Next song", skip_by(1), size=52, glyph=28),
            Gap(flex=1),
            IconButton("music/now/favourite", "heart", heart,
                       change("songs", song.id, favourite=not song.favourite),
                       theme.DANGER if song.favourite else theme.FAINT),
        ),
        8,
    )  # fmt: skip
    times = Row((Label(clock_time(at), 12, color=theme.MUTED), Gap(flex=1), Label(clock_time(song.seconds), 12)))
    parts = [
        cover,
        Label(song.title, 22, "bold", align="center", role="heading"),
        Label(f"{song.artist} · {song.album}", 14, color=theme.MUTED, align="center"),
        Column((Slider("music/now/seek", "Position", int(at), song.seconds, replace_position, words), times)),
        keys,
    ]
    level = ctx.account.phone_settings.media
    parts.append(
        Row((Glyph("volume", 20), Slider("music/now/volume", "Volume", level, 100, set_volume, step=10, flex=1)), 8)
    )
    shown = page("music", "now", "Now playing", parts)
    return Ticking(shown, player.since - player.skip % 1) if player.since is not None else shown


VIEWS = {"songs": _songs, "lists": _lists, "playlist": _playlist, "add": _add, "name": _name, "now": _now}
MUSIC = App("music", "Music", "music", (176, 60, 134), "phone", VIEWS)
