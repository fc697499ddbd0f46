"""The goals of the desktop's Settings, played through its screen; and what the settings do."""

from __future__ import annotations

import pytest
from sim_desktop_goals import Goal, Play, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Absent, Press, Select
from omnipilot.envs.sim.shell.arrivals import NoticeArrives
from omnipilot.envs.sim.state.desktop_data import DesktopSettings
from omnipilot.envs.sim.state.phone_data import WirelessNetwork
from omnipilot.envs.sim.state.world_state import WorldState


def now_of(state: WorldState) -> DesktopSettings:
    return state.account.desktop_settings


def taps(*ids: str) -> Play:
    return lambda desktop, _: desktop.tap(*ids)


def volume(steps: int) -> Play:
    def play(desktop: Hands, _: WorldState) -> None:
        desktop.tap("prefs/nav/sound", "prefs/sound/volume")
        desktop.do(*[Press(("left",))] * steps)

    return play


def zone(id: str) -> Play:
    def play(desktop: Hands, _: WorldState) -> None:
        desktop.tap("prefs/nav/time")
        reach(desktop, f"prefs/time/{id}", "prefs/time/search")
        desktop.tap(f"prefs/time/{id}")

    return play


def locked(state: WorldState) -> WirelessNetwork:
    return next(network for network in state.account.networks if network.password and not network.known)


def join(right: bool) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        network = locked(start)
        desktop.tap("prefs/nav/network")
        reach(desktop, f"prefs/network/{network.id}", "prefs/network/leave")
        desktop.tap(f"prefs/network/{network.id}")
        reach(desktop, "prefs/network/password", "prefs/nav/network")
        desktop.type("prefs/network/password", network.password if right else "guess", submit=True)

    return play


def choose(nav: str, id: str, value: str) -> Play:
    def play(desktop: Hands, _: WorldState) -> None:
        desktop.tap(f"prefs/nav/{nav}")
        desktop.do(Select(desktop.at(id), value))

    return play


def rename(desktop: Hands, _: WorldState) -> None:
    desktop.tap("prefs/nav/account")
    desktop.type("prefs/account/name", "Robin Castell", clear=True)
    desktop.tap("prefs/account/save")


GOALS = (
    Goal(
        "dark theme",
        taps("prefs/nav/appearance", "prefs/appearance/dark"),
        lambda _, now: now.desktop.look.theme == "dark",
    ),
    Goal("volume 40", volume(2), lambda _, now: now_of(now).volume == 40, volume(3)),
    Goal("12-hour clock", taps("prefs/nav/time", "prefs/time/clock24"), lambda _, now: not now_of(now).clock24),
    Goal(
        "Sydney in Nova Scotia",
        zone("sydney-(nova-scotia)"),
        lambda _, now: now_of(now).zone == "Sydney (Nova Scotia)",
        zone("sydney"),
    ),
    Goal("join a network", join(True), lambda start, now: now_of(now).network == locked(start).id, join(False)),
    Goal(
        "speak Italian",
        taps("prefs/nav/language", "prefs/language/6", "prefs/language/change/yes"),
        lambda _, now: now_of(now).language == "Italiano",
        taps("prefs/nav/language", "prefs/language/6", "prefs/language/change/no"),
    ),
    Goal(
        "screen off after half an hour",
        choose("appearance", "prefs/appearance/sleep", "30 minutes"),
        lambda _, now: now_of(now).sleep == 30,
    ),
    Goal(
        "the second monitor's speakers",
        choose("sound", "prefs/sound/output", "Monitor 2"),
        lambda _, now: now_of(now).output == "Monitor 2",
        choose("sound", "prefs/sound/output", "Monitor"),
    ),
    Goal("another name", rename, lambda _, now: now.account.owner.name == "Robin Castell"),
    Goal(
        "no banners of the browser",
        taps("prefs/nav/notifications", "prefs/notifications/browser"),
        lambda _, now: now_of(now).muted == ("browser",),
        taps("prefs/nav/notifications", "prefs/notifications/files"),
    ),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "prefs")


def test_text_size_and_reset() -> None:
    world, _, desktop = hands()
    desktop.open("Settings")
    desktop.tap("prefs/appearance/scale", "prefs/appearance/dark")
    assert now_of(world.state()).scale == 120
    assert desktop.find("prefs/appearance/percent").name == "120 %"
    desktop.tap("prefs/nav/account", "prefs/account/reset-all", "prefs/account/reset/no")
    assert now_of(world.state()).scale == 120
    desktop.tap("prefs/account/reset-all", "prefs/account/reset/yes")
    assert now_of(world.state()) == DesktopSettings(network=now_of(world.state()).network)
    assert world.state().desktop.look.theme == "light"


def test_the_clock_of_the_task_bar_follows() -> None:
    world, _, desktop = hands()
    desktop.open("Settings")
    assert desktop.find("taskbar/clock").name == world.state().clock()
    desktop.tap("prefs/nav/time", "prefs/time/clock24")
    assert desktop.find("taskbar/clock").name == now_of(world.state()).clock(world.state().clock())
    assert desktop.find("taskbar/clock").name[-2:] in ("AM", "PM")


@pytest.mark.parametrize(
    ("time", "shown"), [("00:05", "12:05 AM"), ("11:59", "11:59 AM"), ("12:00", "12:00 PM"), ("23:10", "11:10 PM")]
)
def test_twelve_hours(time: str, shown: str) -> None:
    assert DesktopSettings(clock24=False).clock(time) == shown


def loudness(desktop: Hands) -> float:
    since = desktop.world.now
    desktop.tap("prefs/sound/test")
    desktop.world.wait(1.0)
    audio = desktop.look(since).audio
    assert not isinstance(audio, Absent)
    return float(abs(audio.array().astype(int)).max())


def test_volume_and_silence_are_heard() -> None:
    world, _, desktop = hands()
    desktop.open("Settings")
    desktop.tap("prefs/nav/sound")
    full = loudness(desktop)
    world.wait(2.0)
    desktop.tap("prefs/sound/volume")
    assert now_of(world.state()).volume == 50
    assert 0.4 * full < loudness(desktop) < 0.6 * full
    world.wait(2.0)
    desktop.tap("prefs/sound/silent")
    assert loudness(desktop) == 0


def test_a_muted_app_shows_no_banner() -> None:
    world, _, desktop = hands()
    desktop.open("Settings")
    desktop.tap("prefs/nav/notifications", "prefs/notifications/browser")
    world.prepare(lambda state: state.later(1.0, NoticeArrives("desktop", "browser", "Shop", "On its way")))
    world.prepare(lambda state: state.later(2.0, NoticeArrives("desktop", "mail", "Mail", "Hello")))
    world.wait(1.5)
    assert "banner" not in desktop.ids()
    world.wait(1.0)
    assert "banner" in desktop.ids()
