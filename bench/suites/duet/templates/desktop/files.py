"""Sub-tasks of `duet` in Files, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.desktop import REMARKS, copies, folder_of
from omnipilot.bench.suites.duet.kit.moves import front, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Drag, Ref, TypeText
from omnipilot.envs.sim.state.account import Document
from omnipilot.envs.sim.state.files import exists
from omnipilot.envs.sim.state.world_state import WorldState

HOMES = ("Reports", "Reports/2024", "Travel", "Work")
TARGETS = ("Documents", "Reports", "Server", "Travel", "Work")
CODES: tuple[tuple[str, str], ...] = (
    ("Work/Door list", "Main door"),
    ("Work/Door list", "Workshop"),
    ("Travel/Oslo tickets", "Reference"),
    ("Travel/Bergen hotel", "Booking"),
    ("Travel/Oslo hotel", "Booking"),
)
"""Paths of files, and the words before a code in them."""


def lying(draw: TaskSampler, state: WorldState) -> Document:
    """A file in one of the folders that no other sub-task uses."""
    return draw.pick("documents", [document for document in state.account.documents if document.folder in HOMES])


def _shown(document: Document) -> Judge:
    """Whether the folder is shown, or the file was found and selected in another way."""
    opened = front("desktop", "files", "folder", document.folder)

    def ask(case: Case) -> bool:
        return opened(case) or case.state.desktop.values.get("files/chosen") == document.path

    return Judge("folder opened", ask)


def _move_file(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    file = lying(draw, state)
    free = [f for f in TARGETS if f != file.folder and not exists(state.account, f"{f}/{file.name}")]
    target = draw.choice(free)

    def moved(case: Case) -> Verdict:
        now = case.state.account.document(file.id)
        hit = now is not None and (now.folder, now.name, now.text) == (target, file.name, file.text)
        wrong = strays(case, "documents", draw) + copies(case, file)
        return Verdict(float(hit and not wrong), f"it is {now and now.path}; touched besides: {wrong}")

    row = Ref(f"files/list/{file.id}")
    there = Ref(f"files/tree/{target}")
    return Piece(
        JudgeGraph.chain([_shown(file), Judge("file moved", moved)]),
        state,
        lambda _: on_desktop(
            *folder_of(file.folder), Click(row), Click(Ref("files/cut")), Click(there), Click(Ref("files/paste"))
        ),
        {"file": file.name, "folder": file.folder, "target": target},
        alternative=lambda _: on_desktop(*folder_of(file.folder), Drag(there, row)),
    )


MOVE_FILE = Template(
    "move-file",
    'on the desktop, open the folder "{folder}" in Files and move the file "{file}" from it into the folder "{target}"',
    "desktop",
    "files",
    _move_file,
)


def _rename_file(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    file, name = lying(draw, state), given["text"]

    def renamed(case: Case) -> Verdict:
        now = case.state.account.document(file.id)
        hit = now is not None and (now.folder, now.name, now.text) == (file.folder, name, file.text)
        wrong = strays(case, "documents", draw)
        return Verdict(float(hit and not wrong), f"it is {now and now.path}; touched besides: {wrong}")

    row = f"files/list/{file.id}"
    return Piece(
        JudgeGraph.chain([_shown(file), Judge("file renamed", renamed)]),
        state,
        lambda _: on_desktop(
            *folder_of(file.folder), Click(Ref(row)), Click(Ref("files/rename")), TypeText(name, submit=True)
        ),
        {"file": file.name, "folder": file.folder},
        alternative=lambda _: on_desktop(
            *folder_of(file.folder),
            Click(Ref(row), "right"),
            Click(Ref(f"{row}/rename")),
            TypeText(name),
            Click(Ref("files/name/ok")),
        ),
    )


RENAME_FILE = Template(
    "rename-file",
    'on the desktop, open the folder "{folder}" in Files and rename the file "{file}" in it to {text}',
    "desktop",
    "files",
    _rename_file,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(REMARKS)},
)


def _file_away(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    file, name = lying(draw, state), given["text"]
    path = f"{file.folder}/{name}"
    draw.claim("paths", path)

    def moved(case: Case) -> Verdict:
        now = case.state.account.document(file.id)
        hit = now is not None and (now.folder, now.name, now.text) == (path, file.name, file.text)
        wrong = strays(case, "documents", draw) + copies(case, file)
        return Verdict(float(hit and not wrong), f"it is {now and now.path}; touched besides: {wrong}")

    made = Judge("folder made", lambda case: exists(case.state.account, path))
    return Piece(
        JudgeGraph.chain([made, Judge("file moved", moved)]),
        state,
        lambda _: on_desktop(
            *folder_of(file.folder),
            Click(Ref("files/new-folder")),
            TypeText(name, submit=True),
            Click(Ref(f"files/list/{file.id}")),
            Click(Ref("files/cut")),
            Click(Ref(f"files/tree/{path}")),
            Click(Ref("files/paste")),
        ),
        {"file": file.name, "folder": file.folder},
    )


FILE_AWAY = Template(
    "file-away",
    'on the desktop, open the folder "{folder}" in Files, make a new folder in it, name it {text} and move the file '
    '"{file}" from "{folder}" into the new folder',
    "desktop",
    "files",
    _file_away,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(("Done", "Old papers", "For Kim", "To be signed", "Spring"))},
)


def _delete_file(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    file = lying(draw, state)

    def deleted(case: Case) -> Verdict:
        wrong = strays(case, "documents", draw)
        gone = case.state.account.document(file.id) is None
        return Verdict(float(gone and not wrong), f"gone: {gone}; touched besides: {wrong}")

    row = f"files/list/{file.id}"
    yes = Click(Ref("files/delete/yes"))
    return Piece(
        JudgeGraph.chain([_shown(file), Judge("file deleted", deleted)]),
        state,
        lambda _: on_desktop(*folder_of(file.folder), Click(Ref(row)), Click(Ref("files/delete-selected")), yes),
        {"file": file.name, "folder": file.folder},
        alternative=lambda _: on_desktop(
            *folder_of(file.folder), Click(Ref(row), "right"), Click(Ref(f"{row}/delete")), yes
        ),
    )


DELETE_FILE = Template(
    "delete-file",
    'on the desktop, open the folder "{folder}" in Files and delete the file "{file}" in it',
    "desktop",
    "files",
    _delete_file,
)


def _read_file(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    paths = dict.fromkeys(path for path, _ in CODES)
    files = [found for path in paths if (found := state.account.document(path))]
    file = draw.pick("documents", files)
    label = draw.choice([label for path, label in CODES if path == file.path])
    line = next(line for line in file.text.split("\n") if line.startswith(label))
    opened = front("desktop", "editor", "edit", file.id)
    return Piece(
        JudgeGraph((Judge("file opened", opened),)),
        state,
        lambda _: on_desktop(*folder_of(file.folder), Click(Ref(f"files/list/{file.id}"), count=2)),
        {"file": file.name, "folder": file.folder},
        Resource("text/code", line.split()[-1], f'the code after "{label}" in "{file.name}"'),
        lambda _: on_desktop(*folder_of(file.folder), Click(Ref(f"files/list/{file.id}")), Click(Ref("files/open"))),
    )


READ_FILE = Template(
    "read-file",
    'on the desktop, open the folder "{folder}" in Files, then open and read the file "{file}"',
    "desktop",
    "files",
    _read_file,
    output="text/code",
    dimension="semantic understanding",
    lasts=False,
)


TEMPLATES = (MOVE_FILE, RENAME_FILE, FILE_AWAY, DELETE_FILE, READ_FILE)
