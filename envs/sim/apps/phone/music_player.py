"""The music player: one song sounds at a time, from any second on; when it ends the next of the queue begins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.phone_data import Player, Song
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.scene import Do


def song_of(state: WorldState) -> Song | None:
    """The song that plays or pauses."""
    found: Song | None = state.account.find("songs", state.account.player.song)
    return found


def position(state: WorldState) -> float:
    """The second of the song that is heard now."""
    player = state.account.player
    return player.skip if player.since is None else round(player.skip + state.time - player.since, 6)


def _hold(state: WorldState, player: Player) -> WorldState:
    return state.own(replace(state.account, player=player))


@dataclass(frozen=True, slots=True)
class SongEnds:
    """The song that plays since a time is over; the next one begins."""

    since: float

    def __call__(self, state: WorldState) -> WorldState:
        return skip_by(1)(state) if state.account.player.since == self.since else state


def pause(state: WorldState) -> WorldState:
    """The song stands where it is."""
    player, song = state.account.player, song_of(state)
    if player.since is None or song is None:
        return state
    sounds = tuple(
        replace(sound, seconds=max(0.0, round(state.time - sound.start, 6)))
        if sound.name == song.tune and sound.start == player.since
        else sound
        for sound in state.phone.sounds
    )
    state = _hold(state, replace(player, skip=position(state), since=None))
    return state.on("phone", sounds=sounds)


def resume(state: WorldState) -> WorldState:
    """The song goes on from where it stands."""
    player, song = state.account.player, song_of(state)
    if song is None or player.since is not None:
        return state
    left = round(song.seconds - player.skip, 6)
    sound = Sound(song.tune, state.time, left, state.account.phone_settings.media, player.skip)
    state = _hold(state, replace(player, since=state.time))
    return state.on("phone", sounds=(*state.phone.sounds, sound)).later(left, SongEnds(state.time))


def play(song: str, queue: tuple[str, ...] | None = None) -> Do:
    """A song begins; the queue is replaced where one is given."""

    def do(state: WorldState) -> WorldState:
        state = pause(state)
        player = state.account.player
        songs = player.queue if queue is None else queue
        return resume(_hold(state, replace(player, song=song, skip=0.0, since=None, queue=songs)))

    return do


def skip_by(steps: int) -> Do:
    """Another song of the queue begins; past its end the player stops, or begins anew where it repeats."""

    def do(state: WorldState) -> WorldState:
        player = state.account.player
        if player.song not in player.queue:
            return replace_position(0)(pause(state))
        place = player.queue.index(player.song) + steps
        if place >= len(player.queue) and not player.repeat:
            state = pause(state)
            return _hold(state, replace(state.account.player, skip=0.0))
        return play(player.queue[place % len(player.queue)])(state)

    return do


def replace_position(second: int) -> Do:
    """The song goes on, or stands, at another second of it."""

    def do(state: WorldState) -> WorldState:
        running, state = state.account.player.since is not None, pause(state)
        song = song_of(state)
        most = song.seconds - 1 if song else 0
        state = _hold(state, replace(state.account.player, skip=float(min(second, most))))
        return resume(state) if running else state

    return do


def toggle_repeat(state: WorldState) -> WorldState:
    """The queue begins anew at its end, or no longer does."""
    return _hold(state, replace(state.account.player, repeat=not state.account.player.repeat))


def set_volume(percent: int) -> Do:
    """Songs and voicemails are so loud from now on; what plays goes on."""

    def do(state: WorldState) -> WorldState:
        running, state = state.account.player.since is not None, pause(state)
        settings = replace(state.account.phone_settings, media=percent)
        state = state.own(replace(state.account, phone_settings=settings))
        return resume(state) if running else state

    return do
