"""Files, on the desktop: all folders and files of the account."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.desktop.file_steps import (
    CARRIED,
    CHOSEN,
    CUT,
    NAME,
    NAMING,
    NEW,
    PROBLEM,
    SEARCH,
    begin_naming,
    carry,
    delete,
    dropper,
    end_naming,
    enter,
    menu,
    opener,
    paste,
)
from omnipilot.envs.sim.apps.photo_art import draw_photo
from omnipilot.envs.sim.apps.question import ask, question, question_subject
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.files import File
from omnipilot.envs.sim.state.phone_data import Photo, day_of, spoken_date
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.grid import TableRow, data_table
from omnipilot.envs.sim.ui.media_widgets import Picture
from omnipilot.envs.sim.ui.navigation import back, forget, remember
from omnipilot.envs.sim.ui.panels import empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin

SORT = "files/sort"
HEADS = (("Name", 5), ("Kind", 2), ("Folder", 3), ("Changed", 3))
ICONS = {"Text": "document", "Sheet": "table", "Film": "video", "Picture": "gallery"}


def _tree(ctx: Ctx) -> Widget:
    rows: list[Widget] = []
    for path in ("", *files.folders(ctx.account)):
        chosen, deep = path == ctx.arg, path.count("/") + bool(path)
        lead = Glyph("home" if not path else "folder", 16, theme.ACCENT if chosen else theme.MUTED)
        name = files.name_of(path) or "Home"
        indent = PaddedBox(Gap(), width=14 * deep + 1, height=1)
        line = Row((indent, lead, Label(name, 14, role=None, flex=1)), 10)
        rows.append(
            Tile(
                f"files/tree/{path or 'home'}",
                name,
                PaddedBox(line, (12, 7)),
                enter(path),
                role="treeitem",
                selected=chosen,
                drop=dropper(path),
                value=path,
            )
        )
    return PaddedBox(ScrollView("files/tree/scroll", Column(rows)), (0, 8), theme.PAGE, width=190)


def _records(ctx: Ctx) -> list[TableRow]:
    wanted, account = ctx.typed(SEARCH).strip().lower(), ctx.account
    inside, lying = files.children(account, ctx.arg)
    if wanted:
        inside = tuple(path for path in files.folders(account) if wanted in files.name_of(path).lower())
        lying = tuple(file for file in files.files(account) if wanted in file.name.lower())
    start, chosen = ctx.state.start, str(ctx.value(CHOSEN))

    def day(file: File) -> tuple[int, str]:
        since = int(files.time_of(file) + (0 if isinstance(file, Photo) else start))
        return since, spoken_date(day_of(since))

    sort, down = int(str(ctx.value(SORT, "0")).lstrip("-")), str(ctx.value(SORT, "0")).startswith("-")

    def order(file: File) -> tuple[str | int, str]:
        return (file.name.lower(), files.kind_of(file), files.folder_of(file), day(file)[0])[sort], file.id

    found = [
        TableRow(
            id=f"files/list/{path}",
            cells=(files.name_of(path), "Folder", files.parent_of(path) or "Home", ""),
            do=remember("desktop", CHOSEN, path),
            double=enter(path),
            icon="folder",
            menu=menu(path, enter(path)),
            payload=path,
            drop=dropper(path),
            selected=path == chosen,
            origin=write_origin("file", path),
        )
        for path in inside
    ]
    for file in sorted(lying, key=order, reverse=down):
        path = files.path_of(file)
        kind = files.kind_of(file)
        found.append(
            TableRow(
                id=f"files/list/{file.id}",
                cells=(file.name, kind, files.folder_of(file), day(file)[1]),
                do=remember("desktop", CHOSEN, path),
                double=opener(file),
                icon=ICONS[kind],
                menu=menu(path, opener(file)),
                payload=path,
                selected=path == chosen,
                origin=write_origin("file", path),
            )
        )
    return found


def _tools(ctx: Ctx) -> Widget:
    path, carried = str(ctx.value(CHOSEN)), str(ctx.value(CARRIED))
    file, on = files.file_of(ctx.account, path), bool(path)

    def tool(name: str, icon: str, do: Do, enabled: bool) -> Widget:
        return IconButton(f"files/{name.lower().replace(' ', '-')}", icon, name, do, enabled=enabled, glyph=20)

    up = enter(files.parent_of(ctx.arg))
    tools = (
        tool("Up", "up", up, bool(ctx.arg)),
        tool("New folder", "plus", begin_naming(NEW, "New folder"), True),
        tool("Open", "folder", opener(file) if file else enter(path), on),
        tool("Rename", "edit", begin_naming(path, files.name_of(path)), on),
        tool("Copy", "copy", carry(path, False), on),
        tool("Cut", "cut", carry(path, True), on),
        tool("Paste", "paste", paste(carried, ctx.arg, bool(ctx.value(CUT, False))), bool(carried)),
        tool("Delete selected", "trash", ask("desktop", "files/delete", path), on),
    )
    return PaddedBox(Row((*tools, Gap(8), TextField(SEARCH, "Search all files", flex=1)), 2), (10, 6))


def _naming(ctx: Ctx, path: str) -> Widget:
    done = end_naming(ctx.arg, path)
    title = "Name of the new folder" if path == NEW else f"New name of “{files.name_of(path)}”"
    parts = (
        Label(title, 14),
        TextField(NAME, "Name", submit=done, flex=1),
        Button("files/name/ok", "OK", done, style="filled"),
        Button("files/name/cancel", "Cancel", forget("desktop", NAME, NAMING, PROBLEM)),
    )
    return PaddedBox(Row(parts, 10), (14, 8), theme.TINT)


def _folder(ctx: Ctx) -> Widget:
    records = _records(ctx)

    def sort(column: int) -> Do:
        return remember("desktop", SORT, f"-{column}" if ctx.value(SORT, "0") == f"{column}" else f"{column}")

    lines: list[Widget] = [_tools(ctx), Divider()]
    if ctx.value(NAMING):
        lines.append(_naming(ctx, str(ctx.value(NAMING))))
    if ctx.value(PROBLEM):
        lines.append(PaddedBox(Label(str(ctx.value(PROBLEM)), 14, color=theme.DANGER, role="alert"), (16, 6)))
    lines.append(
        data_table("files/list", HEADS, records, sort) if records else Column((empty("Nothing here"),), flex=1)
    )
    count = f"{len(records)} {'item' if len(records) == 1 else 'items'}"
    status = f"{count} found" if ctx.typed(SEARCH).strip() else f"/{ctx.arg}   ·   {count}"
    lines.append(PaddedBox(Label(status, 12, color=theme.MUTED, role="status", id="files/status"), (16, 6), theme.PAGE))
    page = Row((_tree(ctx), Divider(upright=True), Column(lines, flex=1)), align="fill")
    doomed = question_subject(ctx, "files/delete")
    text = f"“{files.name_of(doomed)}” will be deleted"
    text += " with everything in it." if doomed and doomed in files.folders(ctx.account) else " from all your devices."
    return question(page, ctx, "files/delete", "Delete it?", text, "Delete", delete(doomed))


def _picture(ctx: Ctx) -> Widget:
    photo = ctx.account.find("photos", ctx.arg)
    bar = Button("files/picture/back", "Back to the folder", back("desktop", "files"), "back")
    if photo is None:
        return Column((bar, empty("This picture is no longer there")))
    shown = Picture(
        "files/picture",
        photo.name,
        lambda p, x, y, w, h: draw_photo(p, x, y, w, h, photo.scene, photo.count, photo.color),
        ctx.height - 110,
    )
    line = f"{photo.name}   ·   {photo.album}   ·   {spoken_date(day_of(photo.taken))}, {photo.place}"
    return PaddedBox(Column((Row((bar,)), shown, Label(line, 14, color=theme.MUTED)), 8), (16, 8))


def _heading(ctx: Ctx) -> str:
    return f"Files - {ctx.arg or 'Home'}" if ctx.view.name == "folder" else "Files"


FILES = App(
    "files",
    "Files",
    "folder",
    (38, 118, 160),
    "desktop",
    {"folder": _folder, "picture": _picture},
    (110, 46, 940, 620),
    _heading,
)
