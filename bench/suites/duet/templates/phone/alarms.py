"""Sub-tasks of `duet` in Clock: alarms and the timer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import tab, tap
from omnipilot.bench.synthesis.compose import Piece, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, LongPress, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.apps.phone.timer import TimerEnds
from omnipilot.envs.sim.state.account import Alarm
from omnipilot.envs.sim.state.events import RING_SECONDS
from omnipilot.envs.sim.state.phone_data import Timer
from omnipilot.envs.sim.state.world_state import WorldState

LABELS = ("Train", "Dentist", "Pick up Clara", "Bread", "Stretch", "Parcel")


def _others(case: Case, draw: TaskSampler) -> list[str]:
    new = [alarm.id for alarm in fresh(case, "alarms") if alarm.at not in draw.claimed("times")]
    return strays(case, "alarms", draw) + new


def _form(name: str, alarm: str = "") -> Judge:
    return Judge(name, front("phone", "clock", "edit", alarm))


def _turns(wheel: str, count: int, of: int) -> list[Click[Ref]]:
    """Taps that turn a wheel in the shorter direction."""
    up = count % of
    return [tap(f"clock/edit/{wheel}/up")] * up if up <= of // 2 else [tap(f"clock/edit/{wheel}/down")] * (of - up)


def _set(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    at, label = given["time"], draw.choice(LABELS)
    hour, minute = int(at[:2]), int(at[3:])
    draw.claim("times", at)

    def added(case: Case) -> Verdict:
        new = [(alarm.at, alarm.label, alarm.enabled) for alarm in fresh(case, "alarms")]
        others = _others(case, draw)
        return Verdict(float(new.count((at, label, True)) == 1 and not others), f"new: {new}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_form("form opened"), Judge("alarm added", added)]),
        state,
        lambda now: on_phone(
            OpenApp("Clock"),
            *tab(now, "clock", "alarms"),
            tap("clock/alarms/new"),
            *_turns("hour", hour - 7, 24),
            *[tap("clock/edit/ten-minutes/up")] * (minute // 10),
            *[tap("clock/edit/minute/up")] * (minute % 10),
            TypeText(label, Ref("clock/edit/label")),
            tap("clock/edit/save"),
        ),
        {"label": label},
    )


SET_ALARM = Template(
    "set-alarm",
    'on the phone, add an alarm in Clock that rings at {time} with the label "{label}" and save it',
    "phone",
    "clock",
    _set,
    {"time": "text/time"},
    alone=lambda draw, _: {"time": f"{draw.randrange(4, 9):02d}:{draw.choice((5, 10, 20, 25)):02d}"},
)


def _some_alarm(draw: TaskSampler, state: WorldState) -> Alarm:
    return draw.pick("alarms", state.account.alarms)


def _shift(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    alarm = _some_alarm(draw, state)
    hours = draw.choice((1, 2))
    wanted = replace(alarm, hour=alarm.hour - hours, enabled=True)

    def changed(case: Case) -> Verdict:
        now, others = case.state.account.alarm(alarm.id), _others(case, draw)
        return Verdict(float(now == wanted and not others), f"{now}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_form("alarm opened", alarm.id), Judge("alarm changed", changed)]),
        state,
        lambda now: on_phone(
            OpenApp("Clock"),
            *tab(now, "clock", "alarms"),
            tap(f"clock/alarms/{alarm.id}"),
            *[tap("clock/edit/hour/down")] * hours,
            tap("clock/edit/save"),
        ),
        {"old": alarm.at, "label": alarm.label, "new": wanted.at},
    )


SHIFT_ALARM = Template(
    "shift-alarm",
    'on the phone, open the alarm "{label}" of {old} in Clock, let it ring at {new} and save it',
    "phone",
    "clock",
    _shift,
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    alarm = _some_alarm(draw, state)

    def deleted(case: Case) -> Verdict:
        there, others = case.state.account.alarm(alarm.id) is not None, _others(case, draw)
        return Verdict(float(not there and not others), f"still there: {there}; others touched: {others}")

    return Piece(
        JudgeGraph((Judge("alarm deleted", deleted),)),
        state,
        lambda now: on_phone(
            OpenApp("Clock"),
            *tab(now, "clock", "alarms"),
            LongPress(Ref(f"clock/alarms/{alarm.id}")),
            tap(f"clock/alarms/{alarm.id}/delete"),
        ),
        {"at": alarm.at, "label": alarm.label},
        alternative=lambda now: on_phone(
            OpenApp("Clock"),
            *tab(now, "clock", "alarms"),
            tap(f"clock/alarms/{alarm.id}"),
            tap("clock/edit/delete"),
        ),
    )


DELETE_ALARM = Template(
    "delete-alarm", 'on the phone, delete the alarm "{label}" of {at} in Clock', "phone", "clock", _delete
)


def _timer(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    preset, minutes = draw.choice((15, 30)), draw.randrange(1, 4)
    draw.claim("timers", "timer")
    seconds = 60 * (preset + minutes)

    def runs(case: Case) -> Verdict:
        timer = case.state.account.timer
        return Verdict(float(timer.seconds == seconds and timer.since is not None), f"{timer}, wanted: {seconds} s")

    return Piece(
        JudgeGraph.chain([Judge("timer opened", front("phone", "clock", "timer")), Judge("timer runs", runs)]),
        state,
        lambda now: on_phone(
            OpenApp("Clock"),
            *tab(now, "clock", "timer"),
            tap(f"clock/timer/{preset}-min"),
            *[tap("clock/timer/minute/up")] * minutes,
            tap("clock/timer/start"),
        ),
        {"time": f"{preset + minutes}:00"},
    )


START_TIMER = Template(
    "start-timer",
    "on the phone, set the timer in Clock to {time} minutes and start it",
    "phone",
    "clock",
    _timer,
)


def _dismiss(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    seconds = draw.randrange(20, 60)
    account = replace(state.account, timer=Timer(300, float(seconds), state.time))

    def dismissed(case: Case) -> Verdict:
        name = case.start.account.phone_settings.alarm_sound
        rang = [s.seconds for s in case.state.phone.sounds if s.name == name and abs(s.start - seconds) < 0.01]
        cut = case.state.phone.ringing is None and bool(rang) and rang[-1] < RING_SECONDS
        return Verdict(float(cut), f"rang for {rang} s")

    return Piece(
        JudgeGraph((Judge("dismissed", dismissed),)),
        state.own(account).later(float(seconds), TimerEnds(state.time)),
        lambda now: on_phone(Wait(max(0.5, seconds - now.time + 1.0)), tap("clock/ringing/dismiss")),
    )


DISMISS_TIMER = Template(
    "dismiss-timer",
    'wait until the timer that runs on the phone rings and press "Dismiss" before it has rung for a minute',
    "phone",
    "clock",
    _dismiss,
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)

TEMPLATES = (SET_ALARM, SHIFT_ALARM, DELETE_ALARM, START_TIMER, DISMISS_TIMER)
