"""Tasks, on the phone: to-do lists, and one task."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.shared_parts import (
    change,
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
from omnipilot.envs.sim.state.phone_data import LISTS, Todo, add_days, spoken_date
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton, Switch, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.navigation import back, both, go, remember
from omnipilot.envs.sim.ui.panels import card, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

SHOWN, LIST, SURE, CLEAR = "tasks/list/shown", "tasks/list/of", "tasks/edit/delete", "tasks/list/clear"
DUE, OF, STAR = "tasks/edit/due", "tasks/edit/list", "tasks/edit/star"


def _row(ctx: Ctx, todo: Todo) -> Widget:
    day = today(ctx.state)
    late = bool(todo.due) and todo.due < day and not todo.done
    due = "today" if todo.due == day else spoken_date(todo.due) if todo.due else ""
    words = " · ".join(part for part in (todo.list, due) if part)
    tick = Switch(
        f"tasks/list/{todo.id}/done",
        f"{todo.title}, done",
        todo.done,
        change("todos", todo.id, done=not todo.done),
        box=True,
    )
    texts = Column(
        (
            Label(todo.title, 16, color=theme.FAINT if todo.done else theme.INK, role=None),
            Label(words, 12, color=theme.DANGER if late else theme.MUTED),
        ),
        2,
        flex=1,
    )
    star = (Glyph("star", 18, theme.ACCENT),) if todo.starred else ()
    content = Column((PaddedBox(Row((PaddedBox(tick, width=32), texts, *star), 12), (16, 10), theme.CARD), Divider()))
    menu = (
        ("Unstar" if todo.starred else "Star", change("todos", todo.id, starred=not todo.starred)),
        ("Delete", remove("todos", todo.id)),
    )
    do = go("phone", "tasks", "edit", todo.id)
    return Tile(f"tasks/list/{todo.id}", todo.title, content, do, menu=menu, value=words)


def _clear(state: WorldState) -> WorldState:
    return state.own(replace(state.account, todos=tuple(todo for todo in state.account.todos if not todo.done)))


def _list(ctx: Ctx) -> Widget:
    shown, place = str(ctx.value(SHOWN, "open")), str(ctx.value(LIST, "All lists"))
    wanted = ctx.typed("tasks/list/search").lower()
    found = [
        todo
        for todo in sorted(ctx.account.todos, key=lambda todo: (todo.due or "9", todo.title, todo.id))
        if todo.done == (shown == "done")
        and (shown != "starred" or todo.starred)
        and place in ("All lists", todo.list)
        and wanted in todo.title.lower()
    ]
    tabs = TabBar(
        tuple(
            (f"tasks/list/{key}", name, remember("phone", SHOWN, key))
            for key, name in (("open", "To do"), ("starred", "Starred"), ("done", "Done"))
        ),
        f"tasks/list/{shown}",
    )
    options = tuple((name, remember("phone", LIST, name)) for name in ("All lists", *LISTS))
    head = Row(
        (TextField("tasks/list/search", "Search tasks", flex=1), Dropdown("tasks/list/of", "List", place, options)), 8
    )
    clear = IconButton("tasks/list/clear-done", "trash", "Delete all done tasks", ask("phone", CLEAR))
    body = scrolling_list("tasks/list/scroll", [_row(ctx, todo) for todo in found], "Nothing here")
    shown_page = Column(
        (
            top_bar("Tasks", actions=[clear] if shown == "done" else ()),
            tabs,
            PaddedBox(head, (16, 10)),
            with_corner(body, "tasks", "list", "Add task", "edit"),
        )
    )
    count = sum(todo.done for todo in ctx.account.todos)
    return question(
        shown_page, ctx, CLEAR, "Delete all done tasks?", f"{count} tasks of all lists will be gone.", "Delete", _clear
    )


def _draft(state: WorldState, todo: Todo) -> Todo:
    """The task with the form's current values."""
    values = state.phone.values
    return replace(
        todo,
        title=typed_text(state, "phone", "tasks/edit/title", todo.title).strip(),
        note=typed_text(state, "phone", "tasks/edit/note", todo.note).strip(),
        due=str(values.get(DUE, todo.due)),
        list=str(values.get(OF, todo.list)),
        starred=bool(values.get(STAR, todo.starred)),
    )


def _save(todo: Todo, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        kept = _draft(state, todo)
        if not kept.title:
            return state
        kept = replace(kept, id=fresh_id("todo", state.account.todos)) if new else kept
        return back("phone", "tasks")(state.own(state.account.put(kept)))

    return do


def _edit(ctx: Ctx) -> Widget:
    known = ctx.account.find("todos", ctx.arg)
    todo = known or Todo("", "", LISTS[0])
    now = _draft(ctx.state, todo)
    day = now.due or today(ctx.state)
    due = Column(
        (
            stepper(
                "tasks/edit/due",
                "Due",
                spoken_date(now.due) if now.due else "No date",
                remember("phone", DUE, add_days(day, -1) if now.due else day),
                remember("phone", DUE, add_days(day, 1) if now.due else day),
            ),
            Button("tasks/edit/no-date", "No date", remember("phone", DUE, ""), enabled=bool(now.due)),
        ),
        align="right",
    )
    lists = Dropdown("tasks/edit/list", "List", now.list, tuple((name, remember("phone", OF, name)) for name in LISTS))
    star = Switch("tasks/edit/star", "Starred", now.starred, remember("phone", STAR, not now.starred), box=True)
    title, note = (
        TextField("tasks/edit/title", "Title", todo.title, size=16),
        TextField("tasks/edit/note", "Note", todo.note, rows=3),
    )
    parts = [
        *labelled_fields(title, note),
        card(due, 12),
        Row((Label("List", 14, color=theme.MUTED, flex=1), lists)),
        star,
    ]
    actions: list[Widget] = [
        Button("tasks/edit/save", "Save", _save(todo, known is None), style="filled", enabled=bool(now.title))
    ]
    if known is not None:
        actions.insert(0, IconButton("tasks/edit/bin", "trash", "Delete task", ask("phone", SURE)))
    shown = page("tasks", "edit", "New task" if known is None else "Task", parts, actions)
    gone = both(remove("todos", todo.id), back("phone", "tasks"))
    return question(shown, ctx, SURE, "Delete this task?", f"“{todo.title}” will be gone.", "Delete", gone)


TASKS = App("tasks", "Tasks", "tasks", (52, 100, 190), "phone", {"list": _list, "edit": _edit})
