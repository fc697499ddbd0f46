"""Sub-tasks of `duet` in Music."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import anyone, some_text, tab, tap
from omnipilot.bench.suites.duet.templates.phone.voicemail import leave, listening, message_heard
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, LongPress, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.state.phone_data import Playlist, Song
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

TUNES = ("waltz", "march", "lullaby", "jig", "blues", "canon", "melody_a", "melody_b")
LISTEN_SECONDS = 6.0


def _some_song(draw: TaskSampler, state: WorldState) -> Song:
    """A song, not a favourite, that no other sub-task uses; most have another with a similar or equal title."""
    return draw.pick("songs", [song for song in state.account.songs if not song.favourite])


def _title(song: Song) -> str:
    return f'"{song.title}" by {song.artist}'


def _alone(draw: TaskSampler, state: WorldState) -> dict[str, str | Resource]:
    song = _some_song(draw, state)
    return {"track": Resource("track", song.id, _title(song))}


def _songs(now: WorldState) -> list[Intent]:
    return [OpenApp("Music"), *tab(now, "music", "songs")]


def _played(song: Song, name: str) -> Judge:
    return Judge(name, lambda case: case.state.account.player.song == song.id)


def _find_song(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    """Four songs and a message with the melody of one of them."""
    person = anyone(draw, state)
    songs = [_some_song(draw, state) for _ in range(4)]
    tunes = draw.sample(TUNES, 4)
    turn = draw.fact(lambda dice: dice.randrange(4))
    for n, song in enumerate(songs):
        state = state.own(state.account.put(replace(song, tune=tunes[(n - turn) % 4], seconds=40 + n)))
    state, message = leave(state, person, tunes[0], 8.0, float(draw.randrange(60, 300)))
    draw.claim("voicemails", message.id)
    first = message_heard(message)
    judges = [_played(song, f"song {n} played") for n, song in enumerate(songs, 1)]

    def moves(now: WorldState) -> Sequence[Move]:
        listen = [move for song in songs for move in (tap(f"music/songs/{song.id}"), Wait(LISTEN_SECONDS))]
        return on_phone(*listening(now, message), *_songs(now), *listen)

    titles = [_title(song) for song in songs]
    return Piece(
        JudgeGraph((first, *judges), tuple((first.name, judge.name) for judge in judges)),
        state,
        moves,
        {"name": person.name, "songs": ", ".join(titles[:-1]) + " and " + titles[-1]},
        Resource("track", songs[turn].id, f"the one of these songs with the melody that {person.name} left"),
    )


FIND_SONG = Template(
    "find-song",
    'on the phone, open the voicemail in Phone, play the latest message from "{name}", then play {songs} in Music for '
    "a few seconds each and find the one with the melody of the message",
    "phone",
    "music",
    _find_song,
    output="track",
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="sound",
    lasts=False,
)


def _favourite(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    track = given["track"]
    draw.claim("songs", track)

    def added(case: Case) -> Verdict:
        loved = [{song.id for song in state.account.songs if song.favourite} for state in (case.start, case.state)]
        others = (loved[0] ^ loved[1]) - draw.claimed("songs")
        return Verdict(float(track in loved[1] and not others), f"favourites: {loved[1]}; others touched: {others}")

    return Piece(
        JudgeGraph((Judge("favourite added", added),)),
        state,
        lambda now: on_phone(*_songs(now), tap(f"music/songs/{track}/favourite")),
        output=Resource("track", track, "the same song"),
    )


FAVOURITE_SONG = Template(
    "favourite-song",
    "on the phone, add {track} to the favourites in Music",
    "phone",
    "music",
    _favourite,
    {"track": "track"},
    "track",
    _alone,
)


def _playlist(draw: TaskSampler, state: WorldState) -> Playlist:
    return draw.pick("playlists", state.account.playlists)


def _add(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    track = given["track"]
    draw.claim("songs", track)
    one = _playlist(draw, state)
    # No song of a message's melody is in it before, so that the lists of twins are equal.
    kept = tuple(song for song in one.songs if song not in draw.claimed("songs"))
    one = replace(one, songs=kept)

    def added(case: Case) -> Verdict:
        now, others = case.state.account.find("playlists", one.id), strays(case, "playlists", draw)
        songs = now.songs if now is not None else ()
        hit = songs == (*one.songs, track)
        return Verdict(float(hit and not others), f"songs: {songs}; others touched: {others}")

    return Piece(
        JudgeGraph((Judge("song in the playlist", added),)),
        state.own(state.account.put(one)),
        lambda now: on_phone(
            *_songs(now),
            LongPress(Ref(f"music/songs/{track}")),
            tap(f"music/songs/{track}/add-to-playlist"),
            tap(f"music/add/{one.id}"),
        ),
        {"playlist": one.name},
    )


ADD_TO_PLAYLIST = Template(
    "add-to-playlist",
    'on the phone, add {track} to the playlist "{playlist}" in Music',
    "phone",
    "music",
    _add,
    {"track": "track"},
    alone=_alone,
)


def _new_playlist(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    name = given["text"]
    draw.claim("names", name)

    def made(case: Case) -> Verdict:
        names = [one.name for one in fresh(case, "playlists")]
        wrong = [other for other in names if other not in draw.claimed("names")] + strays(case, "playlists", draw)
        return Verdict(float(names.count(name) == 1 and not wrong), f"new: {names}; others touched: {wrong}")

    return Piece(
        JudgeGraph.chain([Judge("form opened", front("phone", "music", "name")), Judge("playlist made", made)]),
        state,
        lambda now: on_phone(
            OpenApp("Music"),
            *tab(now, "music", "lists"),
            tap("music/lists/new"),
            TypeText(name, Ref("music/name/text")),
            tap("music/name/save"),
        ),
    )


NEW_PLAYLIST = Template(
    "new-playlist",
    "on the phone, make a new playlist in Music, type {text} as its name and save it",
    "phone",
    "music",
    _new_playlist,
    {"text": "text"},
    alone=some_text,
)


def _remove(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    one = _playlist(draw, state)
    song = state.account.find("songs", draw.choice(one.songs))
    rest = tuple(other for other in one.songs if other != song.id)

    def removed(case: Case) -> Verdict:
        now, others = case.state.account.find("playlists", one.id), strays(case, "playlists", draw)
        return Verdict(float(now == replace(one, songs=rest) and not others), f"{now}; others touched: {others}")

    return Piece(
        JudgeGraph.chain(
            [Judge("playlist opened", front("phone", "music", "playlist", one.id)), Judge("song removed", removed)]
        ),
        state,
        lambda now: on_phone(
            OpenApp("Music"),
            *tab(now, "music", "lists"),
            tap(f"music/lists/{one.id}"),
            LongPress(Ref(f"music/playlist/{song.id}")),
            tap(f"music/playlist/{song.id}/remove"),
        ),
        {"playlist": one.name, "song": _title(song)},
    )


REMOVE_FROM_PLAYLIST = Template(
    "remove-from-playlist",
    'on the phone, open the playlist "{playlist}" in Music and remove {song} from it, keeping the song itself',
    "phone",
    "music",
    _remove,
)

TEMPLATES = (FIND_SONG, FAVOURITE_SONG, ADD_TO_PLAYLIST, NEW_PLAYLIST, REMOVE_FROM_PLAYLIST)
