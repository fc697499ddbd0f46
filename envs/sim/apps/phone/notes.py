"""Notes, on the phone: the documents of the folder "Notes"."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.drafts import begins, draft_of
from omnipilot.envs.sim.apps.phone.messages import back_button
from omnipilot.envs.sim.apps.phone.shared_parts import remove, scrolling_list, with_corner
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import NOTES as FOLDER
from omnipilot.envs.sim.state.account import Document, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Layers, PaddedBox, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.navigation import back, both, go, remember
from omnipilot.envs.sim.ui.panels import Dialog, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

TITLE, BODY, SURE = "notes/edit/title", "notes/edit/body", "notes/edit/sure"


@lru_cache(maxsize=1024)
def _row(id: str, name: str, text: str) -> Widget:
    """One note of the list, cached because most of the list is unchanged."""
    do = go("phone", "notes", "edit", id)
    line = text.replace("\n", "  ") or "No text"
    menu = (("Delete", both(do, remember("phone", SURE, True))),)
    return list_row(f"notes/notes/{id}", name, do, subtitle=line, menu=menu)


def _notes(ctx: Ctx) -> Widget:
    wanted = ctx.typed("notes/notes/search").lower()
    rows = [
        _row(note.id, note.name, note.text)
        for note in sorted(ctx.account.notes, key=lambda note: (-note.saved, note.name))
        if wanted in note.name.lower() or wanted in note.text.lower()
    ]
    body = scrolling_list("notes/notes/scroll", rows, "No notes found" if wanted else "No notes yet", alike=True)
    search = PaddedBox(TextField("notes/notes/search", "Search notes"), (16, 12))
    return Column((top_bar("Notes"), search, with_corner(body, "notes", "notes", "New note", "edit")))


def _save(note: Document, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        text = draft_of(state, "phone", BODY, note.text).text
        name = draft_of(state, "phone", TITLE, note.name).text.strip()
        name = name or text.split("\n")[0][:40].strip() or "Untitled"
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
    name, body = (draft_of(ctx.state, "phone", id, text) for id, text in ((TITLE, note.name), (BODY, note.text)))
    fields: list[Widget] = [
        TextField(
            TITLE,
            "Title",
            note.name,
            size=18,
            stale=name.stale,
            changed=begins("phone", TITLE, note.name, name),
        ),
        TextField(
            BODY,
            "Write here",
            note.text,
            rows=0,
            size=16,
            stale=body.stale,
            changed=begins("phone", BODY, note.text, body),
            flex=1,
        ),
    ]
    if name.overtaken or body.overtaken:
        told = "It was changed elsewhere meanwhile. Save puts yours in place of that."
        fields.append(Label(told, 14, color=theme.DANGER, role="alert", wrapped=True, id="notes/edit/problem"))
    form = Column(fields, 12)
    title = "New note" if known is None else "Note"
    page = Column((top_bar(title, back_button("notes", "edit"), actions), PaddedBox(form, (16, 16), flex=1)))
    if known is None or not ctx.value(SURE, False):
        return page
    question = Dialog(
        "Delete this note?",
        f"“{known.name}” will be gone from all your devices.",
        (
            Button("notes/edit/keep", "Cancel", remember("phone", SURE, False)),
            Button(
                "notes/edit/really",
                "Delete",
                both(remove("documents", known.id), back("phone", "notes")),
                style="danger",
            ),
        ),
    )
    return Layers((page, question))


NOTES = App("notes", "Notes", "note", (178, 138, 10), "phone", {"notes": _notes, "edit": _edit})
