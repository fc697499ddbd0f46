"""Sub-tasks of `duet` in Tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import some_text, tap
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import LongPress, OpenApp, Ref, TypeText
from omnipilot.envs.sim.apps.phone.shared_parts import today
from omnipilot.envs.sim.state.phone_data import LISTS, Todo, add_days
from omnipilot.envs.sim.state.world_state import WorldState


def _open_todo(draw: TaskSampler, state: WorldState) -> Todo:
    """An open task; most have another with a similar or equal title."""
    return draw.pick("todos", [todo for todo in state.account.todos if not todo.done])


def _others(case: Case, draw: TaskSampler) -> list[str]:
    """Judge that other tasks are untouched and that no unrequested ones were added."""
    return strays(case, "todos", draw) + [
        todo.id for todo in fresh(case, "todos") if todo.title not in draw.claimed("titles")
    ]


def _form(todo: str = "") -> Judge:
    return Judge("task opened" if todo else "form opened", front("phone", "tasks", "edit", todo))


def _is(todo: Todo, name: str, draw: TaskSampler) -> Judge:
    """Judge that the task has this content at the end."""

    def ask(case: Case) -> Verdict:
        now, others = case.state.account.find("todos", todo.id), _others(case, draw)
        return Verdict(float(now == todo and not others), f"{now}; others touched: {others}")

    return Judge(name, ask)


def _add(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    title, place = given["text"], draw.choice(LISTS[1:])
    draw.claim("titles", title)

    def added(case: Case) -> Verdict:
        new = [todo for todo in fresh(case, "todos") if todo.title == title]
        hit = [(todo.list, todo.done) for todo in new] == [(place, False)]
        others = _others(case, draw)
        return Verdict(float(hit and not others), f"new: {new}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_form(), Judge("task added", added)]),
        state,
        lambda _: on_phone(
            OpenApp("Tasks"),
            tap("tasks/list/new"),
            TypeText(title, Ref("tasks/edit/title")),
            tap("tasks/edit/list"),
            tap(f"tasks/edit/list/{place.lower()}"),
            tap("tasks/edit/save"),
        ),
        {"list": place},
    )


ADD_TASK = Template(
    "add-task",
    'on the phone, add a task in Tasks, type {text} as its title, choose the list "{list}" and save it',
    "phone",
    "tasks",
    _add,
    {"text": "text"},
    alone=some_text,
)


def _tick(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    todo = _open_todo(draw, state)
    return Piece(
        JudgeGraph((_is(replace(todo, done=True), "task ticked", draw),)),
        state,
        lambda _: on_phone(OpenApp("Tasks"), tap(f"tasks/list/{todo.id}/done")),
        {"title": todo.title, "list": todo.list},
    )


TICK_TASK = Template(
    "tick-task", 'on the phone, tick the task "{title}" of the list "{list}" in Tasks as done', "phone", "tasks", _tick
)


def _move(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    todo = _open_todo(draw, state)
    place = draw.choice([name for name in LISTS if name != todo.list])
    return Piece(
        JudgeGraph.chain([_form(todo.id), _is(replace(todo, list=place), "task moved", draw)]),
        state,
        lambda _: on_phone(
            OpenApp("Tasks"),
            tap(f"tasks/list/{todo.id}"),
            tap("tasks/edit/list"),
            tap(f"tasks/edit/list/{place.lower()}"),
            tap("tasks/edit/save"),
        ),
        {"title": todo.title, "list": todo.list, "other": place},
    )


MOVE_TASK = Template(
    "move-task",
    'on the phone, open the task "{title}" of the list "{list}" in Tasks, put it into the list "{other}" and save it',
    "phone",
    "tasks",
    _move,
)


def _due(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    day, steps = today(state), draw.randrange(1, 4)
    todo = replace(_open_todo(draw, state), due=day)
    state = state.own(state.account.put(todo))
    return Piece(
        JudgeGraph.chain([_form(todo.id), _is(replace(todo, due=add_days(day, steps)), "date changed", draw)]),
        state,
        lambda _: on_phone(
            OpenApp("Tasks"),
            tap(f"tasks/list/{todo.id}"),
            *[tap("tasks/edit/due/up")] * steps,
            tap("tasks/edit/save"),
        ),
        {"title": todo.title, "list": todo.list, "days": "1 day" if steps == 1 else f"{steps} days"},
    )


POSTPONE_TASK = Template(
    "postpone-task",
    'on the phone, open the task "{title}" of the list "{list}" in Tasks, which is due today, make it due {days} later '
    "and save it",
    "phone",
    "tasks",
    _due,
)


def _note(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    todo = replace(_open_todo(draw, state), note="")
    state = state.own(state.account.put(todo))
    return Piece(
        JudgeGraph.chain([_form(todo.id), _is(replace(todo, note=given["text"]), "note written", draw)]),
        state,
        lambda _: on_phone(
            OpenApp("Tasks"),
            tap(f"tasks/list/{todo.id}"),
            TypeText(given["text"], Ref("tasks/edit/note")),
            tap("tasks/edit/save"),
        ),
        {"title": todo.title, "list": todo.list},
    )


ANNOTATE_TASK = Template(
    "annotate-task",
    'on the phone, open the task "{title}" of the list "{list}" in Tasks, type {text} as its note and save it',
    "phone",
    "tasks",
    _note,
    {"text": "text"},
    alone=some_text,
)


def _read(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    todo = _open_todo(draw, state)
    alike = [t for t in state.account.todos if t.id != todo.id and t.title[:8] == todo.title[:8] and not t.done]
    codes = [str(code) for code in draw.sample(range(1000, 10_000), 2)]
    free = [other for other in alike[:1] if other.id not in draw.claimed("todos")]
    for item, code in zip((todo, *free), codes, strict=False):
        state = state.own(state.account.put(replace(item, note=f"The locker code is {code}")))
        draw.claim("todos", item.id)
    return Piece(
        JudgeGraph((_form(todo.id),)),
        state,
        lambda _: on_phone(OpenApp("Tasks"), tap(f"tasks/list/{todo.id}")),
        {"title": todo.title, "list": todo.list},
        Resource("text/code", codes[0], f'the locker code from the task "{todo.title}"'),
    )


READ_TASK = Template(
    "read-task",
    'on the phone, open the task "{title}" of the list "{list}" in Tasks and read the locker code in its note',
    "phone",
    "tasks",
    _read,
    output="text/code",
    lasts=False,
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    todo = _open_todo(draw, state)

    def deleted(case: Case) -> Verdict:
        there, others = case.state.account.find("todos", todo.id) is not None, _others(case, draw)
        return Verdict(float(not there and not others), f"still there: {there}; others touched: {others}")

    return Piece(
        JudgeGraph((Judge("task deleted", deleted),)),
        state,
        lambda _: on_phone(
            OpenApp("Tasks"), LongPress(Ref(f"tasks/list/{todo.id}")), tap(f"tasks/list/{todo.id}/delete")
        ),
        {"title": todo.title, "list": todo.list},
        alternative=lambda _: on_phone(
            OpenApp("Tasks"), tap(f"tasks/list/{todo.id}"), tap("tasks/edit/bin"), tap("tasks/edit/delete/yes")
        ),
    )


DELETE_TASK = Template(
    "delete-task", 'on the phone, delete the task "{title}" of the list "{list}" in Tasks', "phone", "tasks", _delete
)

TEMPLATES = (ADD_TASK, TICK_TASK, MOVE_TASK, POSTPONE_TASK, ANNOTATE_TASK, READ_TASK, DELETE_TASK)
