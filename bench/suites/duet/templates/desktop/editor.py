"""Sub-tasks of `duet` in Text Editor, on the desktop: new documents from one, two, three or five items."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from omnipilot.bench.suites.duet.kit.desktop import REMARKS, lines_of
from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, OpenApp, Press, Ref, TypeText
from omnipilot.envs.sim.state.account import fresh_id
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

TITLES = ("Findings", "Handover", "Round of checks", "Log of today", "Facts", "For the board", "Summary", "Answers")
ORDINALS = ("first", "second", "third", "fourth", "fifth")
LINES = ("Chairs are counted", "The hall is booked", "Paint is ordered", "Keys are back", "Lamps are tested")
COUNTS = {1: "note-down", 2: "note-two", 3: "note-three", 5: "note-five"}


def _title(draw: TaskSampler) -> str:
    """A title that no other sub-task of the task uses."""
    title = draw.choice([title for title in TITLES if title not in draw.claimed("titles")])
    draw.claim("titles", title)
    return title


def _note(count: int) -> Callable[[TaskSampler, Mapping[str, str], WorldState], Piece]:
    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        texts, title = [given[name] for name in ORDINALS[:count]], _title(draw)
        draw.claim("paths", f"Documents/{title}")
        draw.leave("lines", f"Documents/{title}", [line for text in texts for line in lines_of(text)])

        def begun(case: Case) -> bool:
            made = {document.id for document in fresh(case, "documents")}
            window = case.state.desktop.front
            return window is not None and window.app == "editor" and window.view.arg in made

        def saved(case: Case) -> Verdict:
            found = [d.text for d in fresh(case, "documents") if d.path == f"Documents/{title}"]
            hit = [text.strip().split("\n") for text in found] == [texts]
            wrong = strays(case, "documents", draw)
            return Verdict(float(hit and not wrong), f"texts of {title!r}: {found}; touched besides: {wrong}")

        def moves(now: WorldState, *last: Press | Click[Ref]) -> list[Move]:
            form = f"editor/edit/{fresh_id('document', now.account.documents)}"
            return on_desktop(
                OpenApp("Text Editor"),
                Click(Ref("editor/new")),
                TypeText(title, Ref(f"{form}/name"), clear=True),
                TypeText("\n".join(texts), Ref(f"{form}/body")),
                *last,
            )

        return Piece(
            JudgeGraph.chain([Judge("document begun", begun), Judge("document saved", saved)]),
            state,
            lambda now: moves(now, Press(("ctrl", "s"))),
            {"title": title},
            Resource("file", f"Documents/{title}", f'the document "{title}"'),
            lambda now: moves(now, Click(Ref("editor/edit/save"))),
        )

    return make


def _template(count: int) -> Template:
    names = ORDINALS[:count]
    holes = [f"{{{name}}}" for name in names]
    what = (
        holes[0]
        if count == 1
        else f"{', '.join(holes[:-1])} and {holes[-1]}, each on a line of its own, in this order,"
    )
    return Template(
        COUNTS[count],
        f'on the desktop, make a new document in Text Editor, name it "{{title}}", type {what} and press "Save"',
        "desktop",
        "editor",
        _note(count),
        dict.fromkeys(names, "text"),
        "file",
        lambda draw, _: dict(zip(names, draw.sample(LINES, count), strict=True)),
    )


NOTE_DOWN, NOTE_TWO, NOTE_THREE, NOTE_FIVE = (_template(count) for count in COUNTS)


def _retitle(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    known = [d for d in state.account.documents if d.folder == "Documents" and d.name != given["text"]]
    document, title = draw.pick("documents", known), given["text"]

    def renamed(case: Case) -> Verdict:
        now = case.state.account.document(document.id)
        hit = now is not None and (now.name, now.text) == (title, document.text)
        wrong = strays(case, "documents", draw)
        return Verdict(float(hit and not wrong), f"name: {now and now.name!r}; touched besides: {wrong}")

    form = f"editor/edit/{document.id}"
    opening = OpenApp("Text Editor"), Click(Ref(f"editor/files/{document.id}"))
    typed = TypeText(title, Ref(f"{form}/name"), clear=True)
    return Piece(
        JudgeGraph.chain(
            [Judge("document opened", front("desktop", "editor", "edit", document.id)), Judge("renamed", renamed)]
        ),
        state,
        lambda _: on_desktop(*opening, typed, Press(("ctrl", "s"))),
        {"document": document.name},
        alternative=lambda _: on_desktop(*opening, typed, Click(Ref("editor/edit/save"))),
    )


RETITLE = Template(
    "retitle",
    'on the desktop, open the document "{document}" in Text Editor, change its name to {text} and press "Save"',
    "desktop",
    "editor",
    _retitle,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(REMARKS)},
)

TEMPLATES = (NOTE_DOWN, NOTE_TWO, NOTE_THREE, NOTE_FIVE, RETITLE)
