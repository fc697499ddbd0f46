"""Text Editor, on the desktop: the account's documents, including the phone's notes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.drafts import Draft, begins, draft_of, settle_draft
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Document, fresh_id
from omnipilot.envs.sim.state.files import Refused, move_file
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, Layers, PaddedBox, Row, ScrollView, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import Button, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.navigation import both, focus, forget, remember, show
from omnipilot.envs.sim.ui.panels import Dialog, empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.shortcuts import Shortcuts
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin


def _body(id: str) -> str:
    return f"editor/edit/{id}/body"


def _title(id: str) -> str:
    return f"editor/edit/{id}/name"


def _drafts(state: WorldState, document: Document) -> tuple[Draft, Draft]:
    """The drafts of its name and its text. Spaces around a name are not part of it."""
    name = draft_of(state, "desktop", _title(document.id), document.name)
    if name.text.strip() in ("", document.name):
        name = replace(name, unsaved=False)
    return name, draft_of(state, "desktop", _body(document.id), document.text)


def has_unsaved_edits(state: WorldState, document: Document) -> bool:
    """Whether there are unsaved edits."""
    fields = state.desktop.fields
    if fields.get(_title(document.id)) is None and fields.get(_body(document.id)) is None:
        return False
    return any(draft.unsaved for draft in _drafts(state, document))


def refusal(state: WorldState, document: Document) -> str:
    """Why the typed name is not allowed; "" if it is."""
    name, _ = _drafts(state, document)
    if not name.unsaved:
        return ""
    try:
        move_file(state.account, document, document.folder, name.text)
    except Refused as refused:
        return f"Not saved: {refused}"
    return ""


def save(id: str) -> Do:
    """Save the drafts of a document's name and text; an empty name keeps the old one.

    The name of another file is refused; then nothing is saved.
    """

    def do(state: WorldState) -> WorldState:
        document = state.account.document(id)
        if document is None or refusal(state, document):
            return state
        name, body = _drafts(state, document)
        if name.unsaved or body.unsaved:
            title = name.text.strip() if name.unsaved else document.name
            kept = replace(document, name=title, text=body.text, saved=state.time)
            state = state.own(state.account.put(kept))
        # The caret in the text stays where it is; the name is shown as stored.
        state = settle_draft(settle_draft(state, "desktop", _body(id)), "desktop", _title(id))
        return state.on("desktop", fields=state.desktop.fields.without(_title(id)))

    return do


def _open(id: str) -> Do:
    return both(show("desktop", "editor", "edit", id), focus("desktop", _body(id)))


def _new(state: WorldState) -> WorldState:
    names = {document.name for document in state.account.documents}
    number = next(n for n in range(1, len(names) + 2) if f"Untitled {n}" not in names)
    id = fresh_id("document", state.account.documents)
    document = Document(id, "Documents", f"Untitled {number}", "", state.time)
    return _open(id)(state.own(state.account.put(document)))


def _delete(id: str) -> Do:
    def do(state: WorldState) -> WorldState:
        document = state.account.document(id)
        if document is not None:
            state = state.own(state.account.drop(document))
        return both(forget("desktop", f"editor/edit/{id}/"), show("desktop", "editor", "edit"))(state)

    return do


@lru_cache(maxsize=1024)
def _row(id: str, name: str, folder: str, dirty: bool, chosen: bool) -> Widget:
    """One document of the list; cached because the list is long and most of it is unchanged."""
    parts: list[Widget] = [
        Glyph("note" if folder == "Notes" else "document", 16),
        Label(name, 14, role=None, flex=1),
    ]
    if dirty:
        parts.append(Label("•", 18, color=theme.ACCENT, role=None))
    tile = Tile(
        f"editor/files/{id}",
        name,
        PaddedBox(Row(parts, 10), (16, 8)),
        _open(id),
        role="treeitem",
        selected=chosen,
        value=f"{folder}/{name}",
        menu=(("Delete", remember("desktop", "editor/sure", id)),),
    )
    return WordsFrom(tile, write_origin("file", f"{folder}/{name}"))


def _files(ctx: Ctx) -> Widget:
    rows: list[Widget] = [PaddedBox(Button("editor/new", "New document", _new, "plus", "filled"), (12, 12))]
    folder = ""
    for document in sorted(ctx.account.documents, key=lambda document: (document.folder, document.name)):
        if document.folder != folder:
            folder = document.folder
            rows.append(PaddedBox(Label(folder, 12, "bold", theme.MUTED, role="heading"), (16, 6)))
        dirty = has_unsaved_edits(ctx.state, document)
        rows.append(_row(document.id, document.name, folder, dirty, document.id == ctx.arg))
    return PaddedBox(ScrollView("editor/files/scroll", Column(rows)), color=theme.PAGE, width=220)


def _page(ctx: Ctx) -> Widget:
    document = ctx.account.document(ctx.arg)
    if document is None:
        return PaddedBox(Column((Gap(flex=1), empty("Open a document, or make a new one"), Gap(flex=2))), flex=1)
    dirty, refused = has_unsaved_edits(ctx.state, document), refusal(ctx.state, document)
    name, body = _drafts(ctx.state, document)
    tools = Row(
        (
            _field(_title(document.id), "Name", document.name, name, 1),
            Button("editor/edit/save", "Save", save(document.id), "save", "filled", dirty and not refused),
        ),
        12,
    )
    field = _field(_body(document.id), "Text", document.text, body, 0)
    text = WordsFrom(field, write_origin("file", document.path))
    status = f"{document.path}   ·   {len(body.text.split())} words   ·   {'not saved' if dirty else 'saved'}"
    foot: list[Widget] = [Label(status, 12, color=theme.MUTED, role="status", id="editor/edit/status")]
    if refused or name.overtaken or body.overtaken:
        told = refused or "It was changed elsewhere meanwhile. Save puts yours in place of that."
        foot.insert(0, Label(told, 14, color=theme.DANGER, role="alert", id="editor/edit/problem"))
    page = PaddedBox(Column((tools, text, *foot), 12), (20, 16))
    return Shortcuts(page, {"ctrl+s": save(document.id)}, flex=1)


def _field(id: str, name: str, stored: str, draft: Draft, rows: int) -> TextField:
    noted = begins("desktop", id, stored, draft)
    return TextField(id, name, stored, rows, changed=noted, stale=draft.stale, flex=1)


def _edit(ctx: Ctx) -> Widget:
    page = PaddedBox(Row((_files(ctx), Divider(upright=True), _page(ctx)), align="fill"), color=theme.CARD)
    keyed = Shortcuts(page, {"ctrl+n": _new})
    doomed = ctx.account.document(str(ctx.value("editor/sure")))
    if doomed is None:
        return keyed
    question = Dialog(
        "Delete this document?",
        f"“{doomed.name}” will be gone from all your devices.",
        (
            Button("editor/keep", "Cancel", remember("desktop", "editor/sure", "")),
            Button("editor/really", "Delete", _delete(doomed.id), style="danger"),
        ),
    )
    return Layers((keyed, question))


def _heading(ctx: Ctx) -> str:
    document = ctx.account.document(ctx.arg)
    if document is None:
        return "Text Editor"
    return f"{'• ' if has_unsaved_edits(ctx.state, document) else ''}{document.name} - Text Editor"


EDITOR = App(
    "editor", "Text Editor", "document", (112, 78, 182), "desktop", {"edit": _edit}, (250, 90, 900, 600), _heading
)
