"""Clock, on the phone: alarms, one alarm, and the ringing screen."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.messages import back_button
from omnipilot.envs.sim.apps.phone.phone import incoming_screen
from omnipilot.envs.sim.apps.phone.shared_parts import remove, scrolling_list, with_corner
from omnipilot.envs.sim.apps.phone.timer import timer_screen
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Alarm, fresh_id
from omnipilot.envs.sim.state.events import snooze, stop_ringing, toggle_alarm
from omnipilot.envs.sim.state.world_state import Ringing, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, Switch, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.navigation import back, both, forget, go, remember, show
from omnipilot.envs.sim.ui.panels import card, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

LABEL, HOUR, MINUTE, DAILY = ("clock/edit/label", "clock/edit/hour", "clock/edit/minute", "clock/edit/daily")


def _toggle(id: str) -> Do:
    def do(state: WorldState) -> WorldState:
        alarm = state.account.alarm(id)
        return state if alarm is None else state.own(state.account.put(toggle_alarm(alarm)))

    return do


@lru_cache(maxsize=1024)
def _row(alarm: Alarm, until: str) -> Widget:
    """One alarm of the list, cached because most of the list is unchanged; `until` is when it rings again."""
    ink = theme.INK if alarm.enabled else theme.FAINT
    words = ", ".join(part for part in (alarm.label, "every day" if alarm.daily else "once") if part)
    below: list[Widget] = [Label(words, 14, color=theme.MUTED)]
    if until:
        below.append(Label(f"snoozed until {until}", 14, color=theme.ACCENT))
    texts = Column((Label(alarm.at, 28, color=ink, role=None), Row(below, 8)), flex=1)
    name = f"{alarm.at} {alarm.label}".strip()
    switch = Switch(f"clock/alarms/{alarm.id}/on", name, alarm.enabled, _toggle(alarm.id))
    content = Column((PaddedBox(Row((texts, switch), 12), (20, 12), theme.CARD), Divider()))
    do = go("phone", "clock", "edit", alarm.id)
    return Tile(f"clock/alarms/{alarm.id}", name, content, do, menu=(("Delete", remove("alarms", alarm.id)),))


def _alarms(ctx: Ctx) -> Widget:
    rows = [
        _row(alarm, "" if alarm.snoozed is None else ctx.state.clock(alarm.snoozed))
        for alarm in sorted(ctx.account.alarms, key=lambda alarm: (alarm.hour, alarm.minute, alarm.label, alarm.id))
    ]
    body = scrolling_list("clock/alarms/scroll", rows, "No alarms yet", alike=True)
    return Column((_head("alarms"), with_corner(body, "clock", "alarms", "Add alarm", "edit")))


def _head(current: str) -> Widget:
    tabs = tuple(
        (f"clock/tab/{view}", name, show("phone", "clock", view))
        for view, name in (("alarms", "Alarms"), ("timer", "Timer"))
    )
    return Column((top_bar("Clock"), TabBar(tabs, f"clock/tab/{current}")))


def _timer(ctx: Ctx) -> Widget:
    return timer_screen(ctx, _head("timer"))


def _save(alarm: Alarm, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        values = state.phone.values
        kept = replace(
            alarm,
            id=fresh_id("alarm", state.account.alarms) if new else alarm.id,
            hour=int(values.get(HOUR, alarm.hour)),
            minute=int(values.get(MINUTE, alarm.minute)),
            label=typed_text(state, "phone", LABEL, alarm.label).strip(),
            daily=bool(values.get(DAILY, alarm.daily)),
            enabled=True,
            snoozed=None,
        )
        return back("phone", "clock")(state.own(state.account.put(kept)))

    return do


def _wheel(name: str, key: str, text: str, up: int, down: int) -> Widget:
    slug = name.lower().replace(" ", "-")
    return Column(
        (
            IconButton(f"clock/edit/{slug}/up", "plus", f"{name} up", remember("phone", key, up), size=48),
            Label(text, 40, "bold", align="center", role="spinbutton", id=f"clock/edit/{slug}"),
            IconButton(f"clock/edit/{slug}/down", "minus", f"{name} down", remember("phone", key, down), size=48),
        ),
        4,
        align="center",
    )


def _edit(ctx: Ctx) -> Widget:
    known = ctx.account.alarm(ctx.arg)
    alarm = known or Alarm("", 7, 0)
    hour, minute = ctx.number(HOUR, alarm.hour), ctx.number(MINUTE, alarm.minute)
    tens, ones = divmod(minute, 10)
    daily = bool(ctx.value(DAILY, alarm.daily))
    wheels = Row(
        (
            Gap(flex=1),
            _wheel("Hour", HOUR, f"{hour:02d}", (hour + 1) % 24, (hour - 1) % 24),
            Label(":", 40, "bold", role=None),
            _wheel("Ten minutes", MINUTE, str(tens), (minute + 10) % 60, (minute - 10) % 60),
            _wheel("Minute", MINUTE, str(ones), (minute + 1) % 60, (minute - 1) % 60),
            Gap(flex=1),
        ),
        12,
    )
    repeat = Row(
        (
            Label("Every day", 16, role=None, flex=1),
            Switch("clock/edit/daily", "Every day", daily, remember("phone", DAILY, not daily)),
        )
    )
    parts: list[Widget] = [
        card(wheels),
        TextField(LABEL, "Label", alarm.label, size=16),
        card(repeat, 12),
        Button("clock/edit/save", "Save", _save(alarm, known is None), style="filled"),
    ]
    if known is not None:
        delete = both(remove("alarms", known.id), back("phone", "clock"))
        parts.append(Button("clock/edit/delete", "Delete alarm", delete, style="outline"))
    title = "New alarm" if known is None else "Edit alarm"
    form = ScrollView("clock/edit/scroll", PaddedBox(Column(parts, 16), (20, 20)))
    return Column((top_bar(title, back_button("clock", "edit")), form))


def ringing_screen(ctx: Ctx, ringing: Ringing) -> Widget:
    """The screen in front of everything while an alarm, the timer or a call rings."""
    if ringing.kind == "call":
        return incoming_screen(ctx, ringing)
    white, pale = theme.ON_ACCENT, (190, 204, 230)
    silent = forget("phone", "clock/ringing/")
    keys = [Button("clock/ringing/dismiss", "Dismiss", both(stop_ringing, silent), style="filled")]
    if ringing.kind == "alarm":
        keys.append(Button("clock/ringing/snooze", "Snooze 5 minutes", both(snooze, silent), style="outline"))
    buttons = Column(keys, 16)
    face = (
        Gap(flex=2),
        Row((Gap(flex=1), Glyph("bell", 64, white), Gap(flex=1))),
        Label(ctx.state.clock(), 40, "bold", white, align="center", role="heading"),
        Label(ringing.label or "Alarm", 18, color=pale, align="center", wrapped=True),
        Gap(flex=3),
        buttons,
        Gap(flex=1),
    )
    return PaddedBox(Column(face, 16), (40, 24), theme.DARK)


CLOCK = App("clock", "Clock", "clock", (196, 106, 22), "phone", {"alarms": _alarms, "timer": _timer, "edit": _edit})
