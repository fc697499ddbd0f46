"""Sub-tasks of `duet` in Notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import SENTENCES, some_text, tap, to
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, LongPress, OpenApp, Ref, TypeText
from omnipilot.envs.sim.state.account import NOTES, Document
from omnipilot.envs.sim.state.world_state import WorldState

TITLES = ("To remember", "For tonight", "Loose ends", "From today", "Next steps", "Kitchen table")


def _note(draw: TaskSampler, state: WorldState) -> Document:
    return draw.pick("documents", state.account.notes)


def _open(now: WorldState, note: Document) -> list[Intent]:
    return [OpenApp("Notes"), *to(now, "notes", "edit", note.id, f"notes/notes/{note.id}")]


def _opened(note: Document) -> Judge:
    return Judge("note opened", front("phone", "notes", "edit", note.id))


def _writes(draw: TaskSampler, lines: Sequence[str], state: WorldState) -> Piece:
    """Create a note with these lines."""
    title = draw.choice([title for title in TITLES if title not in draw.claimed("names")])
    draw.claim("names", title)
    draw.claim("paths", f"{NOTES}/{title}")

    def written(case: Case) -> Verdict:
        new = [note for note in fresh(case, "documents") if note.folder == NOTES and note.name == title]
        hit = [sorted(filter(None, map(str.strip, note.text.split("\n")))) for note in new] == [sorted(lines)]
        others = strays(case, "documents", draw)
        return Verdict(float(hit and not others), f"new: {[note.text for note in new]}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([Judge("form opened", front("phone", "notes", "edit")), Judge("note written", written)]),
        state,
        lambda _: on_phone(
            OpenApp("Notes"),
            tap("notes/notes/new"),
            TypeText(title, Ref("notes/edit/title")),
            TypeText("\n".join(lines), Ref("notes/edit/body")),
            tap("notes/edit/save"),
        ),
        {"title": title},
    )


def _lines(*names: str) -> Template:
    """Create a note that joins several texts."""
    holes = [f"{{{name}}}" for name in names]
    typed = f"type {holes[0]} as its text"
    if len(holes) > 1:
        typed = f"type each of these on a line of its own: {', '.join(holes[:-1])} and {holes[-1]}"
    counts = {1: "write-note", 2: "write-two", 3: "write-three", 5: "write-five"}
    return Template(
        counts[len(names)],
        f'on the phone, write a new note in Notes with the title "{{title}}", {typed}, and save it',
        "phone",
        "notes",
        lambda draw, given, state: _writes(draw, [given[name] for name in names], state),
        dict.fromkeys(names, "text"),
        alone=lambda draw, _: dict(zip(names, draw.sample(SENTENCES, len(names)), strict=True)),
    )


WRITE_NOTE, WRITE_TWO, WRITE_THREE = _lines("text"), _lines("first", "second"), _lines("first", "second", "third")
WRITE_FIVE = _lines("first", "second", "third", "fourth", "fifth")


def _append(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    note, text = _note(draw, state), given["text"]

    def added(case: Case) -> Verdict:
        now, others = case.state.account.document(note.id), strays(case, "documents", draw)
        found = "" if now is None else now.text
        hit = now is not None and now.name == note.name and found == f"{note.text}\n{text}"
        return Verdict(float(hit and not others), f"text: {found!r}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_opened(note), Judge("line added", added)]),
        state,
        lambda now: on_phone(
            *_open(now, note),
            TypeText(f"{note.text}\n{text}", Ref("notes/edit/body"), clear=True),
            tap("notes/edit/save"),
        ),
        {"note": note.name},
    )


APPEND_NOTE = Template(
    "append-note",
    'on the phone, open the note "{note}" in Notes, type {text} on a new line at the end of its text and save it',
    "phone",
    "notes",
    _append,
    {"text": "text"},
    alone=some_text,
)


def _near(draw: TaskSampler, state: WorldState, note: Document) -> list[Document]:
    """Notes that are easily confused with a given one and that no sub-task uses."""
    free = [other for other in state.account.notes if other.id not in draw.claimed("documents")]
    return [other for other in free if other.name[:3] == note.name[:3]]


def _read(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    note, (code, *others) = _note(draw, state), draw.sample(range(100_000, 1_000_000), 4)
    note = replace(note, text=f"{note.text}\nMembership: {code}")
    # Whoever opens the wrong one finds a number there too.
    near = [
        replace(other, text=f"{other.text}\nMembership: {wrong}")
        for other, wrong in zip(_near(draw, state, note), others, strict=False)
    ]
    return Piece(
        JudgeGraph((_opened(note),)),
        state.own(state.account.put(note, *near)),
        lambda now: on_phone(*_open(now, note)),
        {"note": note.name},
        Resource("text/code", str(code), f'the membership number from the note "{note.name}"'),
    )


READ_NOTE = Template(
    "read-note",
    'on the phone, open the note "{note}" in Notes and read the membership number in it',
    "phone",
    "notes",
    _read,
    output="text/code",
    lasts=False,
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    note = _note(draw, state)

    def deleted(case: Case) -> Verdict:
        there, others = case.state.account.document(note.id) is not None, strays(case, "documents", draw)
        return Verdict(float(not there and not others), f"still there: {there}; others touched: {others}")

    return Piece(
        JudgeGraph.chain([_opened(note), Judge("note deleted", deleted)]),
        state,
        lambda now: on_phone(*_open(now, note), tap("notes/edit/delete"), tap("notes/edit/really")),
        {"note": note.name},
        alternative=lambda _: on_phone(
            OpenApp("Notes"),
            LongPress(Ref(f"notes/notes/{note.id}")),
            tap(f"notes/notes/{note.id}/delete"),
            tap("notes/edit/really"),
        ),
    )


DELETE_NOTE = Template(
    "delete-note", 'on the phone, open the note "{note}" in Notes and delete it', "phone", "notes", _delete
)

TEMPLATES = (WRITE_NOTE, WRITE_TWO, WRITE_THREE, WRITE_FIVE, APPEND_NOTE, READ_NOTE, DELETE_NOTE)
