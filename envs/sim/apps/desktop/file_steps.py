"""Actions of Files' controls: pure steps; one that is not possible shows a line that says why."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.envs.sim.apps.base import App, typed_text
from omnipilot.envs.sim.apps.desktop.editor import EDITOR
from omnipilot.envs.sim.apps.desktop.sheets import SHEETS
from omnipilot.envs.sim.apps.desktop.video_player import PLAYER
from omnipilot.envs.sim.apps.question import ask
from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.account import Account, Document
from omnipilot.envs.sim.state.desktop_data import Clip, Sheet
from omnipilot.envs.sim.state.files import File, Refused
from omnipilot.envs.sim.state.phone_data import Photo
from omnipilot.envs.sim.state.world_state import Field, View, WorldState
from omnipilot.envs.sim.ui.navigation import arrive, both, focus, forget, go, open_window, remember, show
from omnipilot.envs.sim.ui.scene import Do

SEARCH, NAME, NAMING = "files/search", "files/name", "files/naming"
CHOSEN, CARRIED, CUT, PROBLEM, SORT = "files/chosen", "files/carried", "files/cut", "files/problem", "files/sort"
NEW = "*new"


def enter(folder: str) -> Do:
    """Show a folder, and reset selection and search."""
    return both(forget("desktop", SEARCH, NAME, NAMING, CHOSEN, PROBLEM), show("desktop", "files", "folder", folder))


def attempt(change: Callable[[Account, float], Account], *then: Do) -> Do:
    """Change the account; if that is not possible, show why on the screen."""

    def do(state: WorldState) -> WorldState:
        try:
            account = change(state.account, state.time)
        except Refused as refused:
            return remember("desktop", PROBLEM, f"{refused}".capitalize())(state)
        return both(forget("desktop", PROBLEM), *then)(state.own(account))

    return do


def opener(file: File) -> Do:
    """Open a picture here, any other file in its app."""
    return go("desktop", "files", "picture", file.id) if isinstance(file, Photo) else open_file(file)


def begin_naming(path: str, text: str) -> Do:
    """Show the bar for a name, filled with `text`; `path` may be NEW."""

    def fill(state: WorldState) -> WorldState:
        return state.on("desktop", fields=state.desktop.fields.set(NAME, Field(text, len(text), 0)))

    return both(remember("desktop", NAMING, path), fill, focus("desktop", NAME))


def end_naming(folder: str, path: str) -> Do:
    """Apply the name in the bar."""

    def do(state: WorldState) -> WorldState:
        name = typed_text(state, "desktop", NAME)

        def change(account: Account, _: float) -> Account:
            if path == NEW:
                return files.make_folder(account, folder, name)
            file = files.file_of(account, path)
            if file is None:
                return files.move_folder(account, path, files.parent_of(path), name)
            return files.move_file(account, file, files.folder_of(file), files.checked_name(name))

        return attempt(change, forget("desktop", NAME, NAMING, CHOSEN))(state)

    return do


def carry(path: str, cut: bool) -> Do:
    """Remember a path for Paste."""
    return both(remember("desktop", CARRIED, path), remember("desktop", CUT, cut))


def paste(path: str, folder: str, cut: bool) -> Do:
    """Move or copy the remembered path into a folder."""

    def change(account: Account, time: float) -> Account:
        file = files.file_of(account, path)
        if file is not None:
            return files.move_file(account, file, folder) if cut else files.copy_file(account, file, folder, time)
        if path not in files.folders(account):
            raise Refused("what was to be pasted is no longer there")
        if not cut:
            raise Refused("only files are copied; a folder can be cut and pasted")
        return files.move_folder(account, path, folder)

    return attempt(change, forget("desktop", CARRIED, CUT) if cut else forget("desktop", PROBLEM))


def delete(path: str) -> Do:
    """Delete a file, or a folder with its content."""

    def change(account: Account, _: float) -> Account:
        file = files.file_of(account, path)
        return files.delete_folder(account, path) if file is None else files.delete_file(account, file)

    return attempt(change, forget("desktop", CHOSEN))


def dropper(folder: str) -> Callable[[WorldState, str], WorldState]:
    """The action for a path dropped on a folder: it is moved there."""
    return lambda state, path: paste(path, folder, True)(state)


def menu(path: str, opening: Do) -> tuple[tuple[str, Do], ...]:
    """The context menu of a row."""
    name = files.name_of(path)
    return (
        ("Open", opening),
        ("Rename", both(remember("desktop", CHOSEN, path), begin_naming(path, name))),
        ("Copy", carry(path, False)),
        ("Cut", carry(path, True)),
        ("Delete", ask("desktop", "files/delete", path)),
    )


def open_file(file: Document | Sheet | Clip) -> Do:
    """Bring the file's app to the front and show the file."""
    app, view = _opener(file)
    opened = open_window("desktop", app.name, next(iter(app.views)), app.at)
    return both(opened, arrive("desktop", app.name, *view))


def _opener(file: Document | Sheet | Clip) -> tuple[App, tuple[View, ...]]:
    if isinstance(file, Document):
        return EDITOR, (View("edit", file.id),)
    if isinstance(file, Sheet):
        return SHEETS, (View("list"), View("sheet", file.id))
    return PLAYER, (View("list"), View("clip", file.id))
