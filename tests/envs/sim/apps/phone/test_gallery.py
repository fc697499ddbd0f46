"""Gallery: what people do with it, done through its interface."""

from __future__ import annotations

from dataclasses import replace

import pytest
from phone_goals import Goal, instances, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import Absent
from omnipilot.envs.sim.apps.photo_art import COLORS, SCENES
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Photo


def old(account: Account) -> Photo:
    """A picture that is not on the first screen."""
    return sorted(account.photos, key=lambda photo: photo.taken)[8]


def opened(phone: Hands, account: Account) -> str:
    photo = old(account)
    phone.tap("home/gallery")
    reach(phone, f"gallery/photos/{photo.id}")
    phone.tap(f"gallery/photos/{photo.id}")
    return photo.id


def love(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("gallery/photo/favourite", "gallery/photo/back", "gallery/tab/loved")
    assert f"gallery/loved/{id}" in phone.ids()
    return [f"photos/{id}"]


def bin(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("gallery/photo/bin", "gallery/photo/delete/no", "gallery/photo/bin", "gallery/photo/delete/yes")
    assert f"gallery/photos/{id}" not in phone.ids()
    return [f"photos/{id}"]


def destroy(phone: Hands, account: Account) -> list[str]:
    [found] = bin(phone, account)
    id = found.partition("/")[2]
    phone.tap("gallery/tab/albums", "gallery/albums/bin", f"gallery/bin/{id}", "gallery/photo/ever")
    phone.tap("gallery/photo/forever/yes")
    return [found]


def clear(phone: Hands, account: Account) -> list[str]:
    [found] = bin(phone, account)
    phone.tap("gallery/tab/albums", "gallery/albums/bin", "gallery/bin/clear", "gallery/bin/empty/yes")
    return [found]


def move(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("gallery/photo/info", "gallery/details/album", "gallery/details/album/documents")
    return [f"photos/{id}"]


def rename(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("gallery/photo/info")
    phone.type("gallery/details/name", "Harbour", clear=True)
    phone.tap("gallery/details/save")
    return [f"photos/{id}"]


GOALS = [
    Goal("favourite", love, lambda then, now: now.account.find("photos", old(then.account).id).favourite
         != old(then.account).favourite),
    Goal("delete", bin, lambda then, now: now.account.find("photos", old(then.account).id).binned),
    Goal("delete for good", destroy, lambda then, now: now.account.find("photos", old(then.account).id) is None),
    Goal("empty the bin", clear, lambda then, now: now.account.find("photos", old(then.account).id) is None),
    Goal("move", move, lambda then, now: now.account.find("photos", old(then.account).id).album == "Documents"),
    Goal("rename", rename, lambda then, now: now.account.find("photos", old(then.account).id).name == "Harbour"),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_restore_and_look_up() -> None:
    world, phone, _ = hands()
    photo = old(world.state().account)
    bin(phone, world.state().account)
    phone.tap("gallery/tab/albums", "gallery/albums/bin", f"gallery/bin/{photo.id}", "gallery/photo/restore")
    assert world.state().account.find("photos", photo.id) == photo
    phone.tap("gallery/bin/back", f"gallery/albums/{photo.album.lower()}")
    reach(phone, f"gallery/album/{photo.id}")
    phone.tap(f"gallery/album/{photo.id}", "gallery/photo/info")
    assert phone.find("gallery/details/place").name == photo.place


def test_what_a_picture_shows_is_in_its_pixels_only() -> None:
    world, phone, _ = hands()
    photo = old(world.state().account)
    opened(phone, world.state().account)
    seen = {}
    for scene in SCENES:
        for count in (2, 3):
            for color in COLORS:
                changed = replace(photo, scene=scene, count=count, color=color)
                world.prepare(lambda state, changed=changed: state.own(state.account.put(changed)))  # type: ignore[misc]
                look = phone.look(world.now)
                assert not isinstance(look.screenshot, Absent)
                seen[look.screenshot.digest] = look.elements
    assert len(seen) == len(SCENES) * 2 * len(COLORS)
    assert len({str(elements) for elements in seen.values()}) == 1
