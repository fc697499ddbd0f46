"""Settings of the phone: what people do with them, done through the interface; and that they matter."""

from __future__ import annotations

import pytest
from phone_goals import Goal, hold, instances, pick, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import Press
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.events import AlarmRings, MessageArrives
from omnipilot.envs.sim.state.phone_data import WirelessNetwork
from omnipilot.envs.sim.words.phone import LANGUAGES


def locked(account: Account) -> WirelessNetwork:
    network: WirelessNetwork = pick(account.networks[::-1], lambda one: one.password and not one.known)
    return network


def join(phone: Hands, account: Account) -> list[str]:
    network = locked(account)
    phone.tap("home/settings", "settings/main/wifi")
    reach(phone, f"settings/wifi/{network.id}")
    phone.tap(f"settings/wifi/{network.id}")
    phone.type("settings/join/password", "wrong-1")
    phone.tap("settings/join/connect", "settings/join/wrong/no")
    phone.type("settings/join/password", network.password, clear=True, submit=True)
    return [f"networks/{network.id}", "phone_settings"]


def forget(phone: Hands, account: Account) -> list[str]:
    id = account.phone_settings.network
    phone.tap("home/settings", "settings/main/wifi")
    hold(phone, f"settings/wifi/{id}", "forget")
    phone.tap("settings/wifi/forget/yes")
    return [f"networks/{id}", "phone_settings"]


def volume(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/sound", "settings/sound/ring")
    phone.do(Press(("home",)), *[Press(("right",))] * 3)
    return ["phone_settings"]


def alarm_sound(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/sound", "settings/sound/alarm-sound", "settings/sound/alarm-sound/jig")
    assert phone.world.state().phone.sounds[-1].name == "jig"
    return ["phone_settings"]


def dark(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/display", "settings/display/dark")
    return []


def language(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/language")
    row = f"settings/language/{LANGUAGES.index('Português (Brasil)')}"
    reach(phone, row)
    phone.tap(row, "settings/language/change/yes")
    return ["phone_settings"]


def silence(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/notifications", "settings/notifications/messages")
    return ["phone_settings"]


def fly(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/settings", "settings/main/airplane")
    return ["phone_settings"]


GOALS = [
    Goal("join a network", join, lambda old, now: now.account.phone_settings.network == locked(old.account).id),
    Goal("forget a network", forget, lambda old, now: not now.account.find(
        "networks", old.account.phone_settings.network).known),
    Goal("ring volume", volume, lambda _, now: now.account.phone_settings.ring == 30),
    Goal("alarm sound", alarm_sound, lambda _, now: now.account.phone_settings.alarm_sound == "jig"),
    Goal("dark theme", dark, lambda _, now: now.phone.look.theme == "dark" and now.desktop.look.theme == "light"),
    Goal("language", language, lambda _, now: now.account.phone_settings.language == "Português (Brasil)"),
    Goal("silence an app", silence, lambda _, now: now.account.phone_settings.muted == ("messages",)),
    Goal("flight mode", fly, lambda _, now: now.account.phone_settings.airplane
         and not now.account.phone_settings.wifi),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


@pytest.mark.parametrize(
    ("taps", "heard", "banner"),
    [
        ((), 100, True),
        (("settings/main/quiet",), 0, False),
        (("settings/main/notifications", "settings/notifications/messages"), 100, False),
    ],
)
def test_a_message_disturbs_as_the_settings_allow(taps: tuple[str, ...], heard: int, banner: bool) -> None:
    world, phone, _ = hands()
    phone.tap("home/settings", *taps)
    world.prepare(lambda state: state.later(0.5, MessageArrives(state.account.contacts[0].id, "Hello")))
    world.wait(1.0)
    state = world.state()
    assert sum(sound.gain for sound in state.phone.sounds) == heard
    assert (state.phone.notice is not None) == banner
    assert state.account.thread(state.account.contacts[0].id).unread > 0


def test_an_alarm_rings_with_its_own_sound_and_volume_until_it_is_dismissed() -> None:
    world, phone, _ = hands()
    alarm_sound(phone, world.state().account)
    phone.tap("settings/sound/alarm")
    phone.do(Press(("left",)))
    world.wait(3.0)
    world.prepare(lambda state: AlarmRings("alarm-1")(state))
    sound = world.state().phone.sounds[-1]
    assert (sound.name, sound.gain, sound.seconds) == ("jig", 40, 60.0)
    phone.tap("clock/ringing/dismiss")
    assert world.state().phone.sounds[-1].seconds < 2.0


def test_reset_keeps_the_network() -> None:
    world, phone, _ = hands()
    before = world.state()
    dark(phone, before.account)
    phone.tap("settings/display/back", "settings/main/quiet", "settings/main/about", "settings/about/reset")
    phone.tap("settings/about/really/yes")
    assert world.state().account == before.account
    assert world.state().phone.look.theme == "light"


def test_names_of_networks_are_near_but_never_equal() -> None:
    world, _, _ = hands()
    for instance in range(20):
        world.reset(instance)
        networks = world.state().account.networks
        assert len(networks) >= 20
        assert len({one.name for one in networks}) == len(networks)
