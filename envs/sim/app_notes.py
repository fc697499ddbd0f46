"""Notes, on the phone: the documents of the folder "Notes"."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim import theme
from omnipilot.envs.sim.account import NOTES as FOLDER
from omnipilot.envs.sim.account import Document, fresh_id
from omnipilot.envs.sim.app import App, Ctx, typed
from omnipilot.envs.sim.app_messages import back_button
from omnipilot.envs.sim.controls import Button, IconButton
from omnipilot.envs.sim.layout import Box, Column, Gap, Layers, Row, Scroll, Widget
from omnipilot.envs.sim.nav import back, both, go, remember
from omnipilot.envs.sim.panels import Dialog, empty, list_row, top_bar
from omnipilot.envs.sim.scene import Do
from omnipilot.envs.sim.state import WorldState
from omnipilot.envs.sim.textfield import TextField

TITLE, BODY, SURE = "notes/edit/title", "notes/edit/body", "notes/edit/sure"


def _delete(id: str) -> Do:
    def do(state: WorldState) -> WorldState:
        note = state.account.document(id)
        return state if note is None else state.own(state.account.drop(note))

    return do


def _notes(ctx: Ctx) -> Widget:
    wanted = ctx.typed("notes/notes/search").lower()
    rows = [
        list_row(
            f"notes/notes/{note.id}",
            note.name,
            go("phone", "notes", "edit", note.id),
            subtitle=note.text.replace("\n", "  ") or "No text",
            menu=(("Delete", both(go("phone", "notes", "edit", note.id), remember("phone", SURE, True))),),
        )
        for note in sorted(ctx.account.notes, key=lambda note: (-note.saved, note.name))
        if wanted in note.name.lower() or wanted in note.text.lower()
    ]
    new = IconButton(
        "notes/notes/new",
        "plus",
        "New note",
        go("phone", "notes", "edit"),
        theme.ON_ACCENT,
        theme.ACCENT,
        56,
        floating=True,
    )
    corner = Column((Gap(flex=1), Row((Gap(flex=1), new, Gap(20))), Gap(20)))
    body = Scroll("notes/notes/scroll", Column(rows or [empty("No notes found" if wanted else "No notes yet")]))
    search = Box(TextField("notes/notes/search", "Search notes"), (16, 12))
    return Column((top_bar("Notes"), search, Layers((body, corner), flex=1)))


def _save(note: Document, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        text = typed(state, "phone", BODY, note.text)
        name = typed(state, "phone", TITLE, note.name).strip() or (text.split("\n")[0][:40].strip() or "Untitled")
        id = fresh_id("document", state.account.documents) if new else note.id
        kept = replace(note, id=id, name=name, text=text, saved=state.time)
        return back("phone", "notes")(state.own(state.account.put(kept)))

    return do


def _edit(ctx: Ctx) -> Widget:
    known = ctx.account.document(ctx.arg)
    note = known or Document("", FOLDER, "", "")
    save = Button("notes/edit/save", "Save", _save(note, known is None), style="filled")
    actions: list[Widget] = [save]
    if known is not None:
        ask = remember("phone", SURE, True)
        actions.insert(0, IconButton("notes/edit/delete", "trash", "Delete note", ask))
    form = Column(
        (
            TextField(TITLE, "Title", note.name, size=18),
            TextField(BODY, "Write here", note.text, rows=0, size=16, flex=1),
        ),
        12,
    )
    title = "New note" if known is None else "Note"
    page = Column((top_bar(title, back_button("notes", "edit"), actions), Box(form, (16, 16), flex=1)))
    if known is None or not ctx.value(SURE, False):
        return page
    question = Dialog(
        "Delete this note?",
        f"“{known.name}” will be gone from all your devices.",
        (
            Button("notes/edit/keep", "Cancel", remember("phone", SURE, False)),
            Button("notes/edit/really", "Delete", both(_delete(known.id), back("phone", "notes")), style="danger"),
        ),
    )
    return Layers((page, question))


NOTES = App("notes", "Notes", "note", (178, 138, 10), "phone", {"notes": _notes, "edit": _edit})
