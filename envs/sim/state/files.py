"""The account's files as one tree of folders: pure functions shared by Files and the Terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from omnipilot.envs.sim.state.account import Account, Document, fresh_id
from omnipilot.envs.sim.state.desktop_data import Clip, Dir, Sheet
from omnipilot.envs.sim.state.phone_data import Photo

File: TypeAlias = Document | Sheet | Clip | Photo
KINDS = {Document: "Text", Sheet: "Sheet", Clip: "Film", Photo: "Picture"}
PICTURES = "Pictures"
"""The folder that contains a folder for each album of the phone's gallery."""
LONGEST = 60


class Refused(Exception):
    """The operation is not possible; the message is shown on the screen."""


def files(account: Account) -> tuple[File, ...]:
    """All files, without pictures in the gallery's bin."""
    return (*account.documents, *account.sheets, *account.clips, *(p for p in account.photos if not p.binned))


def folder_of(file: File) -> str:
    """The folder of a file."""
    return f"{PICTURES}/{file.album}" if isinstance(file, Photo) else file.folder


def path_of(file: File) -> str:
    """Folder and name."""
    return f"{folder_of(file)}/{file.name}"


def time_of(file: File) -> float:
    """Time of the last change in seconds on the world's clock; for pictures, when taken, since the world's Monday."""
    return file.taken if isinstance(file, Photo) else file.saved


def _put_at(file: File, folder: str, name: str) -> File:
    if not isinstance(file, Photo):
        return replace(file, folder=folder, name=name)
    if parent_of(folder) != PICTURES:
        raise Refused(f"pictures stay in an album, a folder of {PICTURES}")
    return replace(file, album=name_of(folder), name=name)


def kind_of(file: File) -> str:
    """The kind of a file."""
    return KINDS[type(file)]


def file_of(account: Account, key: str) -> File | None:
    """The file with this id or path."""
    return next((file for file in files(account) if key in (file.id, path_of(file))), None)


def folders(account: Account) -> tuple[str, ...]:
    """The paths of all folders, sorted: those that were created and those that contain a file."""
    found = {folder.path for folder in account.dirs}
    found |= {file.folder for kind in (account.documents, account.sheets, account.clips) for file in kind}
    found |= {f"{PICTURES}/{album}" for album in {photo.album for photo in account.photos if not photo.binned}}
    for path in tuple(found):
        while "/" in path:
            path = parent_of(path)
            found.add(path)
    return tuple(sorted(found))


def parent_of(path: str) -> str:
    """The folder that holds a path; "" is the top."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def children(account: Account, folder: str) -> tuple[tuple[str, ...], tuple[File, ...]]:
    """Folders (as paths) and files directly in a folder, by name."""
    inside = tuple(path for path in folders(account) if parent_of(path) == folder)
    return inside, tuple(sorted((f for f in files(account) if folder_of(f) == folder), key=lambda file: file.name))


def exists(account: Account, path: str) -> bool:
    """Whether a file or a folder has this path."""
    return path == "" or path in folders(account) or file_of(account, path) is not None


def checked_name(name: str) -> str:
    """Check a name for a file or folder."""
    name = name.strip()
    if not name or "/" in name or name in (".", "..") or len(name) > LONGEST:
        raise Refused(f"a name has 1 to {LONGEST} characters and no slash")
    return name


def _free(account: Account, folder: str, name: str) -> str:
    path = f"{folder}/{name}" if folder else name
    if exists(account, path):
        raise Refused(f"{path} is already there")
    return path


def make_folder(account: Account, folder: str, name: str) -> Account:
    """Create a folder inside another one."""
    name = checked_name(name)
    if folder and folder not in folders(account):
        raise Refused(f"there is no folder {folder}")
    return account.put(Dir(_free(account, folder, name)))


def write_file(account: Account, path: str, text: str, time: float) -> Account:
    """Set the text of a document, creating it if necessary."""
    known = file_of(account, path)
    if isinstance(known, Document):
        return account.put(replace(known, text=text, saved=time))
    folder, name = parent_of(path), checked_name(name_of(path))
    if folder not in folders(account):
        raise Refused(f"there is no folder {folder}" if folder else "files lie in folders, not at the top")
    _free(account, folder, name)
    return account.put(Document(fresh_id("document", account.documents), folder, name, text, time))


def move_file(account: Account, file: File, folder: str, name: str = "") -> Account:
    """Move a file to another folder, or rename it; its folder remains even if empty."""
    name = checked_name(name) if name else file.name
    if (folder, name) == (folder_of(file), file.name):
        return account
    if folder not in folders(account):
        raise Refused(f"there is no folder {folder}" if folder else "files lie in folders, not at the top")
    _free(account, folder, name)
    return account.put(_put_at(file, folder, name), Dir(folder_of(file)))


def copy_file(account: Account, file: File, folder: str, time: float, name: str = "") -> Account:
    """Copy a file; in the same folder the copy is named "… copy"."""
    name = checked_name(name) if name else file.name
    if folder not in folders(account):
        raise Refused(f"there is no folder {folder}" if folder else "files lie in folders, not at the top")
    if folder == folder_of(file) and name == file.name:
        name = f"{name} copy"
    _free(account, folder, name)
    kind = file.id.rpartition("-")[0]
    same: list[File] = [other for other in files(account) if type(other) is type(file)]
    new = replace(_put_at(file, folder, name), id=fresh_id(kind, same))
    return account.put(new if isinstance(new, Photo) else replace(new, saved=time))


def delete_file(account: Account, file: File) -> Account:
    """Delete a file, or move a picture to the gallery's bin; its folder remains."""
    gone = account.put(replace(file, binned=True)) if isinstance(file, Photo) else account.drop(file)
    return gone.put(Dir(folder_of(file)))


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def move_folder(account: Account, path: str, to: str, name: str = "") -> Account:
    """Move a folder with its content to another one, or rename it."""
    name = checked_name(name) if name else name_of(path)
    if to and to not in folders(account):
        raise Refused(f"there is no folder {to}")
    if _under(to, path):
        raise Refused("a folder cannot go into itself")
    if parent_of(path) == to and name_of(path) == name:
        return account
    target = _free(account, to, name)
    for file in files(account):
        if _under(folder_of(file), path):
            account = account.put(_put_at(file, target + folder_of(file)[len(path) :], file.name))
    for folder in account.dirs:
        if _under(folder.path, path):
            account = account.drop(folder).put(Dir(target + folder.path[len(path) :]))
    return account.put(Dir(target)) if to == "" else account.put(Dir(to), Dir(target))


def delete_folder(account: Account, path: str) -> Account:
    """Delete a folder with its content."""
    for file in files(account):
        if _under(folder_of(file), path):
            account = delete_file(account, file)
    for folder in account.dirs:
        if _under(folder.path, path):
            account = account.drop(folder)
    above = parent_of(path)
    return account.put(Dir(above)) if above else account
