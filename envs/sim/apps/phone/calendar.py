"""Calendar, on the phone: a month with the day's entries, a search, one entry, and a form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.shared_parts import (
    buttons,
    change,
    fact,
    labelled_fields,
    page,
    remove,
    scrolling_list,
    stepper,
    today,
    with_corner,
)
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import fresh_id
from omnipilot.envs.sim.state.phone_data import CALENDARS, DAYS, MONTHS, Appointment, add_days, spoken_date
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton, Tile
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import back, both, go, remember
from omnipilot.envs.sim.ui.panels import card, empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

DAY, MONTH, SURE = "calendar/month/day", "calendar/month/of", "calendar/entry/delete"
FORM = "calendar/edit/"
ANSWERS = (("Accept", "accepted"), ("Decline", "declined"))


@dataclass(slots=True, eq=False)
class _Day(Tile):
    """A day of the month: its number, and a dot if it has entries."""

    busy: bool = False

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The dot in front."""
        Tile.place(self, p, x, y, w, h)
        if self.busy:
            p.circle(x + w // 2, y + h - 7, 3, theme.ACCENT)


def _month(ctx: Ctx) -> Widget:
    now = today(ctx.state)
    chosen = str(ctx.value(DAY, now))
    first = date.fromisoformat(str(ctx.value(MONTH, chosen[:7])) + "-01")
    following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    busy = {entry.day for entry in ctx.account.appointments if entry.answer != "declined"}
    cells: list[Widget] = [Label(name[:2], 12, color=theme.MUTED, align="center", role=None) for name in DAYS]
    cells += [Gap()] * first.weekday()
    for n in range((following - first).days):
        day = add_days(first.isoformat(), n)
        ink = theme.ACCENT if day == now else theme.INK
        face = PaddedBox(
            Label(str(n + 1), 16, "bold" if day == now else "regular", ink, align="center", role=None), (0, 8)
        )
        show = remember("phone", DAY, day)
        cells.append(
            _Day(
                f"calendar/month/{day}",
                spoken_date(day),
                face,
                show,
                "gridcell",
                selected=day == chosen,
                busy=day in busy,
            )
        )
    before = add_days(first.isoformat(), -1)[:7]
    head = Row(
        (
            IconButton("calendar/month/previous", "back", "Previous month", remember("phone", MONTH, before)),
            Label(f"{MONTHS[first.month - 1]} {first.year}", 16, "bold", align="center", role="heading", flex=1),
            IconButton(
                "calendar/month/next", "forward", "Next month", remember("phone", MONTH, following.isoformat()[:7])
            ),
        )
    )
    of_day = sorted((e for e in ctx.account.appointments if e.day == chosen), key=lambda e: (e.at, e.id))
    rows = [_row("month", entry, f"{entry.at} · {entry.minutes} min") for entry in of_day]
    body = scrolling_list("calendar/month/scroll", rows, "Nothing on this day")
    search = IconButton("calendar/month/search", "search", "Search", go("phone", "calendar", "search"))
    jump = both(remember("phone", DAY, now), remember("phone", MONTH, now[:7]))
    return Column(
        (
            top_bar("Calendar", actions=[Button("calendar/month/today", "Today", jump), search]),
            PaddedBox(Column((head, Wall(cells, 7, 2))), (12, 4), theme.CARD),
            PaddedBox(Label(spoken_date(chosen), 14, "bold", theme.MUTED, role="heading"), (16, 8)),
            with_corner(body, "calendar", "month", "Add event", "edit"),
        )
    )


def _row(view: str, entry: Appointment, first: str) -> Widget:
    asks = "invitation" if entry.host and not entry.answer else entry.answer
    words = " · ".join(part for part in (first, entry.place, entry.calendar, asks) if part)
    menu = (("Delete", remove("appointments", entry.id)),)
    do = go("phone", "calendar", "entry", entry.id)
    return list_row(f"calendar/{view}/{entry.id}", entry.title, do, subtitle=words, icon="calendar", menu=menu)


def _search(ctx: Ctx) -> Widget:
    wanted = ctx.typed("calendar/search/text").lower()
    rows = [
        _row("search", entry, f"{spoken_date(entry.day)}, {entry.at}")
        for entry in sorted(ctx.account.appointments, key=lambda entry: (entry.day, entry.at, entry.id))
        if wanted in entry.title.lower() or wanted in entry.place.lower()
    ]
    arrow = IconButton("calendar/search/back", "back", "Back", back("phone", "calendar"))
    field = PaddedBox(TextField("calendar/search/text", "Search events and places"), (16, 12))
    return Column(
        (
            top_bar("All events", arrow),
            field,
            ScrollView("calendar/search/scroll", Column(rows or [empty("None found")])),
        )
    )


def _answer(entry: Appointment, name: str, answer: str) -> Button:
    given = entry.answer == answer
    do = change("appointments", entry.id, answer=answer)
    return Button(
        f"calendar/entry/{name.lower()}", answer.capitalize() if given else name, do, style="outline", enabled=not given
    )


def _entry(ctx: Ctx) -> Widget:
    entry = ctx.account.find("appointments", ctx.arg)
    if entry is None:
        return page("calendar", "entry", "Event", [empty("This event is gone")])
    host = ctx.account.contact(entry.host) if entry.host else None
    facts = [
        Label(entry.title, 22, "bold", role="heading", wrapped=True),
        fact("When", f"{spoken_date(entry.day)}, {entry.at}, {entry.minutes} minutes", "calendar/entry/when"),
        fact("Where", entry.place or "–", "calendar/entry/where"),
        fact("Calendar", entry.calendar),
    ]
    parts: list[Widget] = [card(Column(facts, 14))]
    if entry.host:
        parts.append(fact("Invited by", host.name if host else entry.host))
        parts.append(buttons(*(_answer(entry, name, answer) for name, answer in ANSWERS)))
    actions = (
        IconButton("calendar/entry/edit", "edit", "Edit event", go("phone", "calendar", "edit", entry.id)),
        IconButton("calendar/entry/bin", "trash", "Delete event", ask("phone", SURE)),
    )
    gone = both(remove("appointments", entry.id), back("phone", "calendar"))
    shown = page("calendar", "entry", "Event", parts, actions)
    note = f"“{entry.title}” on {spoken_date(entry.day)} will be gone."
    return question(shown, ctx, SURE, "Delete this event?", note, "Delete", gone)


def _draft(state: WorldState, entry: Appointment) -> Appointment:
    """The entry with the form's current values."""
    values = state.phone.values
    at = int(values.get(FORM + "minute", int(entry.at[:2]) * 60 + int(entry.at[3:])))
    return replace(
        entry,
        title=typed_text(state, "phone", FORM + "title", entry.title).strip(),
        place=typed_text(state, "phone", FORM + "place", entry.place).strip(),
        day=str(values.get(FORM + "day", entry.day)),
        at=f"{at // 60:02d}:{at % 60:02d}",
        minutes=int(values.get(FORM + "minutes", entry.minutes)),
        calendar=str(values.get(FORM + "calendar", entry.calendar)),
    )


def _save(entry: Appointment, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        kept = _draft(state, entry)
        if not kept.title:
            return state
        kept = replace(kept, id=fresh_id("appointment", state.account.appointments)) if new else kept
        return back("phone", "calendar")(state.own(state.account.put(kept)))

    return do


def _edit(ctx: Ctx) -> Widget:
    known = ctx.account.find("appointments", ctx.arg)
    entry = known or Appointment("", "", str(ctx.value(DAY, today(ctx.state))), "09:00")
    now = _draft(ctx.state, entry)
    minute = int(now.at[:2]) * 60 + int(now.at[3:])

    def step(name: str, title: str, text: str, of: str, down: str | int, up: str | int) -> Widget:
        key = FORM + of
        return stepper(FORM + name, title, text, remember("phone", key, down), remember("phone", key, up))

    steps = (
        step("day", "Day", spoken_date(now.day), "day", add_days(now.day, -1), add_days(now.day, 1)),
        step("hour", "Hour", now.at[:2], "minute", (minute - 60) % 1440, (minute + 60) % 1440),
        step("minute", "Minute", now.at[3:], "minute", (minute - 5) % 1440, (minute + 5) % 1440),
        step("minutes", "Length", f"{now.minutes} min", "minutes", max(15, now.minutes - 15), now.minutes + 15),
    )
    options = tuple((name, remember("phone", FORM + "calendar", name)) for name in CALENDARS)
    parts = [
        *labelled_fields(
            TextField(FORM + "title", "Title", entry.title, size=16),
            TextField(FORM + "place", "Place", entry.place, size=16),
        ),
        card(Column(steps, 6), 12),
        Row(
            (
                Label("Calendar", 14, color=theme.MUTED, flex=1),
                Dropdown(FORM + "calendar", "Calendar", now.calendar, options),
            )
        ),
    ]
    save = Button(FORM + "save", "Save", _save(entry, known is None), style="filled", enabled=bool(now.title))
    return page("calendar", "edit", "New event" if known is None else "Edit event", parts, [save])


CALENDAR = App(
    "calendar",
    "Calendar",
    "calendar",
    (196, 70, 70),
    "phone",
    {"month": _month, "search": _search, "entry": _entry, "edit": _edit},
)
