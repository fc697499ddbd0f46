"""Sub-tasks of `duet` in Calendar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import some_text, tap
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, OpenApp, Ref, TypeText
from omnipilot.envs.sim.apps.phone.shared_parts import today
from omnipilot.envs.sim.state.phone_data import Answer, Appointment, add_days, spoken_date
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

ANSWERS: Mapping[str, Answer] = {"accept": "accepted", "decline": "declined"}
ROOMS = ("Room 7", "Town library", "Harbour café", "Studio B", "Meeting point 3")


def _event(draw: TaskSampler, state: WorldState, invited: bool = False) -> Appointment:
    """An entry that no other sub-task uses; most have another with a similar title."""
    entries = state.account.appointments
    seen = [(entry.title, entry.day) for entry in entries]
    entries = tuple(e for e in entries if bool(e.host) == invited and seen.count((e.title, e.day)) == 1)
    return draw.pick("appointments", entries)


def _others(case: Case, draw: TaskSampler) -> list[str]:
    new = [entry.id for entry in fresh(case, "appointments") if entry.title not in draw.claimed("titles")]
    return strays(case, "appointments", draw) + new


def _is(entry: Appointment, name: str, draw: TaskSampler) -> Judge:
    def ask(case: Case) -> Verdict:
        now, others = case.state.account.find("appointments", entry.id), _others(case, draw)
        return Verdict(float(now == entry and not others), f"{now}; others touched: {others}")

    return Judge(name, ask)


def _opened(entry: Appointment) -> Judge:
    return Judge("event opened", front("phone", "calendar", "entry", entry.id))


def _found(entry: Appointment, *more: Intent) -> Callable[[WorldState], Sequence[Move]]:
    """Moves through the list of all events."""

    def moves(now: WorldState) -> Sequence[Move]:
        window = now.phone.window("calendar")
        names = [view.name for view in window.stack] if window else []
        search: list[Intent] = [] if "search" in names else [tap("calendar/month/search")]
        # What was searched before would hide it.
        field = now.phone.fields.get("calendar/search/text")
        if search == [] and field is not None and field.text:
            search = [TypeText(entry.title, Ref("calendar/search/text"), clear=True)]
        return on_phone(OpenApp("Calendar"), *search, tap(f"calendar/search/{entry.id}"), *more)

    return moves


def _searched(entry: Appointment, *more: Intent) -> Callable[[WorldState], Sequence[Move]]:
    """Moves through a search for its title."""
    return lambda _: on_phone(
        OpenApp("Calendar"),
        tap("calendar/month/search"),
        TypeText(entry.title, Ref("calendar/search/text")),
        tap(f"calendar/search/{entry.id}"),
        *more,
    )


def _words(entry: Appointment) -> dict[str, str]:
    return {"title": entry.title, "day": spoken_date(entry.day)}


def _add(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    title, day, hours = given["text"], add_days(today(state), draw.randrange(1, 4)), draw.randrange(1, 5)
    draw.claim("titles", title)

    def added(case: Case) -> Verdict:
        new = [(e.day, e.at) for e in fresh(case, "appointments") if e.title == title]
        others = _others(case, draw)
        hit = new == [(day, f"{9 + hours:02d}:00")]
        return Verdict(float(hit and not others), f"new: {new}; others touched: {others}")

    def moves(now: WorldState) -> Sequence[Move]:
        # The form begins with the day that the month shows, today where none was chosen.
        chosen = str(now.phone.values.get("calendar/month/day", today(now)))
        month = [] if chosen == day else [tap(f"calendar/month/{day}")]
        beyond = [tap("calendar/month/next")] if day[:7] > chosen[:7] else []
        return on_phone(
            OpenApp("Calendar"),
            *beyond,
            *month,
            tap("calendar/month/new"),
            TypeText(title, Ref("calendar/edit/title")),
            *[tap("calendar/edit/hour/up")] * hours,
            tap("calendar/edit/save"),
        )

    return Piece(
        JudgeGraph.chain([Judge("form opened", front("phone", "calendar", "edit")), Judge("event added", added)]),
        state,
        moves,
        {"day": spoken_date(day), "time": f"{9 + hours:02d}:00"},
    )


ADD_EVENT = Template(
    "add-event",
    "on the phone, add an event in Calendar on {day} at {time}, type {text} as its title and save it",
    "phone",
    "calendar",
    _add,
    {"text": "text"},
    alone=some_text,
)


def _place(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    entry, place = _event(draw, state), given["place"]
    field = Ref("calendar/edit/place")
    more = (tap("calendar/entry/edit"), TypeText(place, field, clear=True), tap("calendar/edit/save"))
    return Piece(
        JudgeGraph.chain([_opened(entry), _is(replace(entry, place=place), "place changed", draw)]),
        state,
        _found(entry, *more),
        _words(entry),
        alternative=_searched(entry, *more),
    )


SET_PLACE = Template(
    "set-place",
    'on the phone, open the event "{title}" of {day} in Calendar, type {place} as its place instead of what is there '
    "and save it",
    "phone",
    "calendar",
    _place,
    {"place": "text"},
    alone=lambda draw, _: {"place": draw.choice(ROOMS)},
)


def _shift(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    entry, hours = _event(draw, state), draw.randrange(1, 3)
    at = f"{int(entry.at[:2]) + hours:02d}:{entry.at[3:]}"
    more = (tap("calendar/entry/edit"), *[tap("calendar/edit/hour/up")] * hours, tap("calendar/edit/save"))
    return Piece(
        JudgeGraph.chain([_opened(entry), _is(replace(entry, at=at), "event shifted", draw)]),
        state,
        _found(entry, *more),
        {**_words(entry), "time": at},
    )


SHIFT_EVENT = Template(
    "shift-event",
    'on the phone, open the event "{title}" of {day} in Calendar, let it begin at {time} and save it',
    "phone",
    "calendar",
    _shift,
)


def _answer(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    entry, answer = _event(draw, state, invited=True), draw.choice(tuple(ANSWERS))
    answered = replace(entry, answer=ANSWERS[answer])
    return Piece(
        JudgeGraph.chain([_opened(entry), _is(answered, f"invitation {ANSWERS[answer]}", draw)]),
        state,
        _found(entry, tap(f"calendar/entry/{answer}")),
        {**_words(entry), "answer": answer},
    )


ANSWER_INVITATION = Template(
    "answer-invitation",
    'on the phone, open the invitation "{title}" of {day} in Calendar and {answer} it',
    "phone",
    "calendar",
    _answer,
)


def _read(what: str, type: str) -> Callable[[TaskSampler, Mapping[str, str], WorldState], Piece]:
    def make(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
        entry = replace(_event(draw, state), place=draw.choice(ROOMS))
        value = {"time": entry.at, "place": entry.place}[what]
        form = " (as HH:MM)" if what == "time" else ""
        words = {"time": "the time at which", "place": "the place where"}[what]
        return Piece(
            JudgeGraph((_opened(entry),)),
            state.own(state.account.put(entry)),
            _found(entry),
            _words(entry),
            Resource(type, value, f'{words} "{entry.title}" is{form}'),
            _searched(entry),
        )

    return make


READ_EVENT_TIME = Template(
    "read-event-time",
    'on the phone, open the event "{title}" of {day} in Calendar and see when it begins',
    "phone",
    "calendar",
    _read("time", "text/time"),
    output="text/time",
    lasts=False,
)
READ_EVENT_PLACE = Template(
    "read-event-place",
    'on the phone, open the event "{title}" of {day} in Calendar and see where it is',
    "phone",
    "calendar",
    _read("place", "text/place"),
    output="text/place",
    lasts=False,
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    entry = _event(draw, state)

    def deleted(case: Case) -> Verdict:
        there, others = case.state.account.find("appointments", entry.id) is not None, _others(case, draw)
        return Verdict(float(not there and not others), f"still there: {there}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_opened(entry), Judge("event deleted", deleted)]),
        state,
        _found(entry, tap("calendar/entry/bin"), tap("calendar/entry/delete/yes")),
        _words(entry),
    )


DELETE = 'on the phone, open the event "{title}" of {day} in Calendar and delete it'
DELETE_EVENT = Template("delete-event", DELETE, "phone", "calendar", _delete)

TEMPLATES = (ADD_EVENT, SET_PLACE, SHIFT_EVENT, ANSWER_INVITATION, READ_EVENT_TIME, READ_EVENT_PLACE, DELETE_EVENT)
