"""A sub-task of `duet` in Files, on the desktop, with a file that an earlier sub-task created."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.desktop import folder_of, lines_left, lines_of
from omnipilot.bench.suites.duet.kit.moves import on_desktop, strays
from omnipilot.bench.suites.duet.templates.desktop.files import TARGETS, lying
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Ref
from omnipilot.envs.sim.state.files import exists
from omnipilot.envs.sim.state.world_state import WorldState


def _move_made(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    known = state.account.document(given["file"])
    folder, _, name = (known.path if known else given["file"]).rpartition("/")
    target = draw.choice([f for f in TARGETS if f != folder and not exists(state.account, f"{f}/{name}")])
    lines = lines_left(draw, given["file"], state)
    draw.leave("lines", f"{target}/{name}", lines)
    draw.claim("paths", f"{target}/{name}")

    def moved(case: Case) -> Verdict:
        there, left = case.state.account.document(f"{target}/{name}"), case.state.account.document(f"{folder}/{name}")
        wrong = strays(case, "documents", draw)
        hit = there is not None and left is None
        same = there is not None and lines_of(there.text) == lines
        return Verdict(float(hit and same and not wrong), f"there: {hit}; its text: {same}; touched besides: {wrong}")

    def row(now: WorldState) -> Ref:
        document = now.account.document(f"{folder}/{name}")
        assert document is not None
        return Ref(f"files/list/{document.id}")

    return Piece(
        JudgeGraph((Judge("file moved", moved),)),
        state,
        lambda now: on_desktop(
            *folder_of(folder),
            Click(row(now)),
            Click(Ref("files/cut")),
            Click(Ref(f"files/tree/{target}")),
            Click(Ref("files/paste")),
        ),
        {"target": target},
        Resource("file", f"{target}/{name}", f'the document "{name}"'),
    )


def _any_file(draw: TaskSampler, state: WorldState) -> Mapping[str, Resource]:
    file = lying(draw, state)
    return {"file": Resource("file", file.id, f'the file "{file.name}" in the folder "{file.folder}"')}


MOVE_MADE = Template(
    "move-made",
    'on the desktop, open Files and move {file} into the folder "{target}"',
    "desktop",
    "files",
    _move_made,
    {"file": "file"},
    "file",
    _any_file,
    changes=True,
)

TEMPLATES = (MOVE_MADE,)
