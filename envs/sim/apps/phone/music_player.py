"""The music player: plays one song at a time, from any position; at its end the next in the queue starts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.phone_data import Player, Song
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.scene import Do


def song_of(state: WorldState) -> Song | None:
    """The song that is playing or paused."""
    found: Song | None = state.account.find("songs", state.account.player.song)
    return found


def position(state: WorldState) -> float:
    """The current position in the song, in seconds."""
    player = state.account.player
    return player.skip if player.since is None else round(player.skip + state.time - player.since, 6)


def _hold(state: WorldState, player: Player) -> WorldState:
    return state.own(replace(state.account, player=player))


@dataclass(frozen=True, slots=True)
class SongEnds:
    """The song playing since a time ends, and the next one starts."""

    since: float

    def __call__(self, state: WorldState) -> WorldState:
        return skip_by(1)(state) if state.account.player.since == self.since else state


def pause(state: WorldState) -> WorldState:
    """Pause the song."""
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
    """Resume the song."""
    player, song = state.account.player, song_of(state)
    if song is None or player.since is not None:
        return state
    left = round(song.seconds - player.skip, 6)
    sound = Sound(song.tune, state.time, left, state.account.phone_settings.media, player.skip)
    state = _hold(state, replace(player, since=state.time))
    return state.on("phone", sounds=(*state.phone.sounds, sound)).later(left, SongEnds(state.time))


def play(song: str, queue: tuple[str, ...] | None = None) -> Do:
    """Play a song, replacing the queue if one is given."""

    def do(state: WorldState) -> WorldState:
        state = pause(state)
        player = state.account.player
        songs = player.queue if queue is None else queue
        return resume(_hold(state, replace(player, song=song, skip=0.0, since=None, queue=songs)))

    return do


def skip_by(steps: int) -> Do:
    """Play another song of the queue; past its end the player stops, or starts over if it repeats."""

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
    """Move to another second of the song, playing or paused as before."""

    def do(state: WorldState) -> WorldState:
        running, state = state.account.player.since is not None, pause(state)
        song = song_of(state)
        most = song.seconds - 1 if song else 0
        state = _hold(state, replace(state.account.player, skip=float(min(second, most))))
        return resume(state) if running else state

    return do


def toggle_repeat(state: WorldState) -> WorldState:
    """Toggle whether the queue repeats."""
    return _hold(state, replace(state.account.player, repeat=not state.account.player.repeat))


def set_volume(percent: int) -> Do:
    """Set the volume of songs and voicemails; playback continues."""

    def do(state: WorldState) -> WorldState:
        running, state = state.account.player.since is not None, pause(state)
        settings = replace(state.account.phone_settings, media=percent)
        state = state.own(replace(state.account, phone_settings=settings))
        return resume(state) if running else state

    return do
