"""Things happen by themselves, in order, at their exact times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from sim_hands import Hands, hands

from omnipilot.envs import ActionRejected, Press, System, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.desktop.signals import ball_at, lamp_on
from omnipilot.envs.sim.durations import SECONDS
from omnipilot.envs.sim.state.account import Alarm
from omnipilot.envs.sim.state.events import AlarmRings, MessageArrives
from omnipilot.envs.sim.state.world_state import Signals, WorldState
from omnipilot.envs.sim.step import DESKTOP_VERBS, PHONE_VERBS


@dataclass(frozen=True)
class Mark:
    """Writes down when it happened."""

    name: str

    def __call__(self, state: WorldState) -> WorldState:
        values = state.phone.values
        log = f"{values.get('log', '')}{self.name}@{state.time:g} "
        return state.on("phone", values=values.set("log", log))


def alarm_ahead(state: WorldState, minutes: int, **changes: object) -> Alarm:
    """An alarm that many minutes after the present one."""
    hour, minute = (int(part) for part in state.clock(state.time + 60 * minutes).split(":"))
    return replace(Alarm("alarm-9", hour, minute, "Tea"), **changes)  # type: ignore[arg-type]


def with_alarm(minutes: int = 1, **changes: object) -> tuple[SimWorld, Hands, float]:
    """A world with an alarm, its phone, and the seconds until it rings."""
    world, phone, _ = hands()
    world.prepare(lambda s: s.own(s.account.put(alarm_ahead(s, minutes, **changes))))
    return world, phone, 60 * minutes - world.state().start % 60


def test_events_happen_in_order_at_their_times() -> None:
    world, phone, _ = hands()
    world.prepare(lambda s: s.later(5, Mark("c")).later(0.5, Mark("b")).later(0.1, Mark("a")))
    phone.open("notes")
    assert world.state().phone.values["log"] == "a@0.1 b@0.5 "
    world.wait(10)
    assert world.state().phone.values["log"] == "a@0.1 b@0.5 c@5 "
    assert world.now == 10.8


def test_an_effect_may_schedule_the_next_within_the_same_wait() -> None:
    world, *_ = hands()
    world.prepare(lambda s: s.later(1, lambda t: Mark("first")(t).later(2, Mark("second"))))
    world.wait(4)
    assert world.state().phone.values["log"] == "first@1 second@3 "


def test_an_alarm_rings_on_its_minute_and_is_heard() -> None:
    world, phone, ahead = with_alarm()
    world.wait(ahead - 0.01)
    assert world.state().phone.ringing is None
    world.wait(0.02)
    ringing = world.state().phone.ringing
    assert ringing is not None
    assert ringing.since == ahead
    world.wait(2)
    sound = phone.look(0.0).audio
    assert sound.slice(0, ahead).loudness() == 0  # type: ignore[union-attr]
    assert sound.slice(ahead, world.now).loudness() > 0.01  # type: ignore[union-attr]
    assert phone.find("clock/ringing/dismiss").role == "button"


def test_dismiss_silences_the_alarm_and_turns_it_off() -> None:
    world, phone, ahead = with_alarm()
    world.wait(ahead + 3)
    phone.tap("clock/ringing/dismiss")
    assert world.state().phone.ringing is None
    assert world.state().account.alarm("alarm-9").enabled is False  # type: ignore[union-attr]
    silent = ahead + 3
    world.wait(70)
    assert phone.look(silent).audio.loudness() == 0  # type: ignore[union-attr]
    # What rang before can still be heard.
    assert phone.look(0.0).audio.slice(ahead, silent).loudness() > 0.01  # type: ignore[union-attr]


def test_a_daily_alarm_stays_on_and_rings_the_next_day() -> None:
    world, phone, ahead = with_alarm(daily=True)
    world.wait(ahead + 1)
    phone.tap("clock/ringing/dismiss")
    assert world.state().account.alarm("alarm-9").enabled is True  # type: ignore[union-attr]
    world.wait(86_400)
    last = [sound.start for sound in world.state().phone.sounds if sound.name == "alarm"][-1]
    assert last == ahead + 86_400


def test_nobody_stops_it_for_a_minute() -> None:
    world, phone, ahead = with_alarm()
    world.wait(ahead + 59.9)
    assert world.state().phone.ringing is not None
    world.wait(0.2)
    assert world.state().phone.ringing is None
    assert phone.look(ahead + 60).audio.loudness() == 0  # type: ignore[union-attr]


def test_snooze_rings_again_in_five_minutes() -> None:
    world, phone, ahead = with_alarm()
    world.wait(ahead + 2)
    snoozed = world.now
    phone.tap("clock/ringing/snooze")
    assert world.state().phone.ringing is None
    world.wait(299)
    assert world.state().phone.ringing is None
    world.wait(1)
    assert world.state().phone.ringing.since == snoozed + 300  # type: ignore[union-attr]


def test_a_second_alarm_takes_over_and_the_first_does_not_end_it() -> None:
    world, _, ahead = with_alarm()
    world.prepare(lambda s: s.later(ahead + 30, AlarmRings(s.account.alarms[0].id)))
    world.wait(ahead + 75)
    assert world.state().phone.ringing.alarm == world.state().account.alarms[0].id  # type: ignore[union-attr]


def test_an_alarm_that_is_off_does_not_ring() -> None:
    world, _, ahead = with_alarm(enabled=False)
    world.wait(ahead + 5)
    assert world.state().phone.ringing is None


def test_while_it_rings_nothing_behind_reacts() -> None:
    world, phone, ahead = with_alarm()
    phone.open("notes")
    phone.tap("notes/notes/search")
    world.wait(ahead)
    before = world.state().phone
    phone.do(Press(("a",)))
    assert world.state().phone.fields == before.fields
    for action in (System("home"), System("back")):
        with pytest.raises(ActionRejected, match="dismiss or snooze"):
            phone.do(action)
    with pytest.raises(ActionRejected, match="dismiss or snooze"):
        phone.open("clock")
    with pytest.raises(ActionRejected, match="no text field"):
        phone.do(TypeText("x"))
    assert all(id.startswith("clock/ringing") for id in phone.ids())


def test_a_message_dings_shows_a_banner_and_counts() -> None:
    world, phone, _ = hands()
    contact = world.state().account.threads[2].contact
    unread = world.state().account.thread(contact).unread
    world.prepare(lambda s: s.later(1, MessageArrives(contact, "The code is 4711")))
    world.wait(1.5)
    assert phone.look(1.0).audio.loudness() > 0.01  # type: ignore[union-attr]
    assert world.state().account.thread(contact).unread == unread + 1
    phone.tap("banner")
    assert world.state().phone.front.view.arg == contact  # type: ignore[union-attr]
    assert world.state().account.thread(contact).unread == 0
    assert "The code is 4711" in [element.name for element in phone.env.ui_tree()]
    world.prepare(lambda s: s.later(1, MessageArrives(contact, "One more")))
    world.wait(1.5)
    assert world.state().account.thread(contact).unread == 0
    assert "banner" not in phone.ids()


def test_the_lamp_blinks_its_number_of_times() -> None:
    for blinks in range(1, 8):
        signals = Signals(blinks=blinks, lamp_since=10.0)
        lit = [lamp_on(signals, 10 + i / 50) for i in range(500)]
        assert sum(now and not before for before, now in pairwise(lit)) == blinks
    assert not lamp_on(Signals(), 3.0)


def test_the_ball_rests_in_its_zone_and_returns() -> None:
    for i, zone in enumerate("ABCD"):
        signals = Signals(zone=zone, ball_since=2.0)
        rests = {round(ball_at(signals, 2 + t), 6) for t in (3.0, 3.5, 4.0, 4.9)}
        assert len(rests) == 1
        assert abs(rests.pop() - (i + 0.5) / 4) < 0.05
        assert ball_at(signals, 2.0) == ball_at(signals, 8.0) == ball_at(signals, 100.0) == 0.0
        assert max(ball_at(signals, 2 + t / 100) for t in range(600)) > 0.95


def test_motion_is_in_the_video_and_not_in_the_last_screenshot() -> None:
    world, _, desktop = hands()
    world.prepare(lambda s: replace(s, signals=Signals(3, "C", "4711")))
    desktop.open("signals")
    still = desktop.look().screenshot
    started = world.now
    desktop.tap("signals/lamp/start")
    world.wait(4)
    seen = desktop.look(started)
    # The button keeps no focus, so that the screen is as it was.
    assert seen.screenshot == still
    lit = [frame != still for frame in seen.video.frames]  # type: ignore[union-attr]
    assert sum(now and not before for before, now in pairwise(lit)) == 3


def test_the_code_sounds_on_the_desktop() -> None:
    world, phone, desktop = hands()
    world.prepare(lambda s: replace(s, signals=Signals(code="4711")))
    desktop.open("signals")
    started = world.now
    desktop.tap("signals/tones/play")
    world.wait(2)
    assert world.state().desktop.sounds[-1].name == "dtmf:4711"
    assert desktop.look(started).audio.loudness() > 0.01  # type: ignore[union-attr]
    assert phone.look(started).audio.loudness() == 0  # type: ignore[union-attr]


def test_every_verb_has_a_duration() -> None:
    assert set(SECONDS) == PHONE_VERBS | DESKTOP_VERBS | {"custom"}
    assert all(seconds > 0 for seconds in SECONDS.values())
