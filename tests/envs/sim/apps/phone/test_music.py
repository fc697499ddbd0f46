"""Music: what people do with it, done through its interface."""

from __future__ import annotations

import numpy as np
import pytest
from phone_goals import Goal, hold, instances, pick, play, reach, twins
from sim_hands import Hands, hands

from omnipilot.envs import Press
from omnipilot.envs.sim.apps.phone.music_player import position
from omnipilot.envs.sim.audio.sound import Sound, mix
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Song


def twin(account: Account) -> Song:
    """One of two songs of equal title."""
    song: Song = twins(account.songs, lambda song: str(song.title))[1]
    return song


def start(phone: Hands, account: Account) -> Song:
    song = twin(account)
    phone.tap("home/music")
    phone.type("music/songs/search", song.title)
    phone.tap(f"music/songs/{song.id}")
    return song


def choose(phone: Hands, account: Account) -> list[str]:
    start(phone, account)
    return ["player"]


def halt(phone: Hands, account: Account) -> list[str]:
    start(phone, account)
    phone.world.wait(3.0)
    phone.tap("music/bar/toggle")
    return ["player"]


def seek(phone: Hands, account: Account) -> list[str]:
    start(phone, account)
    phone.tap("music/bar", "music/now/toggle", "music/now/seek")
    phone.do(Press(("home",)), *[Press(("right",))] * 7)
    return ["player"]


def love(phone: Hands, account: Account) -> list[str]:
    song = pick(account.songs, lambda song: not song.favourite)
    phone.tap("home/music")
    reach(phone, f"music/songs/{song.id}")
    phone.tap(f"music/songs/{song.id}/favourite", "music/songs/favourites")
    assert f"music/songs/{song.id}" in phone.ids()
    return [f"songs/{song.id}"]


def make(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/music", "music/tab/lists", "music/lists/new")
    phone.type("music/name/text", "Rainy days")
    phone.tap("music/name/save", "music/tab/songs")
    for song in account.songs[:2]:
        reach(phone, f"music/songs/{song.id}")
        hold(phone, f"music/songs/{song.id}", "add-to-playlist")
        phone.tap("music/add/playlist-5")
    return ["playlists/playlist-5"]


def take_out(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/music", "music/tab/lists", "music/lists/playlist-2")
    hold(phone, f"music/playlist/{account.playlists[1].songs[1]}", "remove")
    return ["playlists/playlist-2"]


def reorder(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/music", "music/tab/lists", "music/lists/playlist-1")
    hold(phone, f"music/playlist/{account.playlists[0].songs[2]}", "move-up")
    return ["playlists/playlist-1"]


def rename(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/music", "music/tab/lists", "music/lists/playlist-3", "music/playlist/rename")
    phone.type("music/name/text", "Long runs", clear=True, submit=True)
    return ["playlists/playlist-3"]


def delete(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/music", "music/tab/lists", "music/lists/playlist-4", "music/playlist/bin")
    phone.tap("music/playlist/delete/no", "music/playlist/bin", "music/playlist/delete/yes")
    return ["playlists/playlist-4"]


GOALS = [
    Goal("play one of two", choose, lambda old, now: now.account.player.song == twin(old.account).id
         and now.account.player.since is not None),
    Goal("pause", halt, lambda old, now: now.account.player.song == twin(old.account).id
         and now.account.player.since is None and now.account.player.skip > 2.9),
    Goal("seek", seek, lambda _, now: now.account.player.skip == 7.0),
    Goal("favourite", love, lambda old, now: sum(song.favourite for song in now.account.songs)
         == sum(song.favourite for song in old.account.songs) + 1),
    Goal("make a playlist", make, lambda old, now: [(one.name, one.songs) for one in now.account.playlists[4:]]
         == [("Rainy days", tuple(song.id for song in old.account.songs[:2]))]),
    Goal("take a song out", take_out, lambda old, now: now.account.playlists[1].songs
         == (*old.account.playlists[1].songs[:1], *old.account.playlists[1].songs[2:])),
    Goal("move a song up", reorder, lambda old, now: now.account.playlists[0].songs[1]
         == old.account.playlists[0].songs[2]),
    Goal("rename", rename, lambda _, now: now.account.playlists[2].name == "Long runs"),
    Goal("delete", delete, lambda _, now: now.account.find("playlists", "playlist-4") is None),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_songs_follow_each_other_and_stop_at_the_end_unless_repeated() -> None:
    world, phone, _ = hands()
    account = world.state().account
    songs = [account.find("songs", id) for id in account.playlists[1].songs]
    phone.tap("home/music", "music/tab/lists", "music/lists/playlist-2", "music/playlist/play")
    world.wait(songs[0].seconds + 1.0)
    assert world.state().account.player.song == songs[1].id
    assert position(world.state()) == pytest.approx(1.3, abs=0.5)
    phone.tap("music/bar", "music/now/next", "music/now/previous", "music/now/previous", "music/now/previous")
    assert world.state().account.player.song == songs[-1].id
    world.wait(songs[-1].seconds + 1.0)
    assert world.state().account.player.since is None
    phone.tap("music/now/repeat", "music/now/toggle")
    world.wait(songs[-1].seconds + 1.0)
    assert world.state().account.player.song == songs[0].id


def test_only_one_song_sounds_and_one_that_goes_on_sounds_as_if_it_had_not_paused() -> None:
    world, phone, _ = hands()
    song = start(phone, world.state().account)
    began = world.state().phone.sounds[-1].start
    world.wait(2.0)
    phone.tap("music/bar/toggle")
    world.wait(3.0)
    phone.tap("music/bar/toggle")
    world.wait(2.0)
    first, second = world.state().phone.sounds[-2:]
    assert first.start + first.seconds < second.start
    assert second.skip == pytest.approx(first.seconds)
    heard = mix([first, second], "phone", second.start, second.start + 1.0).array()
    whole = mix([Sound(song.tune, began, 60.0)], "phone", began + second.skip, began + second.skip + 1.0).array()
    assert np.array_equal(heard, whole)


def test_the_volume_is_heard() -> None:
    world, phone, _ = hands()
    start(phone, world.state().account)
    phone.tap("music/bar", "music/now/volume")
    phone.do(Press(("home",)), Press(("right",)), Press(("right",)))
    assert world.state().account.phone_settings.media == 20
    assert world.state().phone.sounds[-1].gain == 20
