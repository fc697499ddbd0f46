"""The embedded world's table of sub-tasks: templates of `duet`, and submitting an answer.

Values are those of one fixed world, as a virtual machine's image would hold them: people, notes and documents are
named as they are in instance 0. What a sub-task puts there to be found (a code in a message) is an attribute too.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from omnipilot.bench.judges import says_one
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.subtasks.given_draws import CHANCE, setup, subtask_of
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.synthesis.template import Piece
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Answer
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.memory import Move

DRAWS: Mapping[str, tuple[str, ...]] = {
    "read-gate-code": ("name: contact", "code: text/code"),
    "read-note": ("note: note", "number: text/code"),
    "read-number": ("name: contact",),
    "read-email": ("name: contact",),
    "text-contact": (),
    "call-contact": (),
    "dial-number": (),
    "favourite-contact": (),
    "block-contact": (),
    "add-contact": ("name: text",),
    "write-note": ("title: text",),
    "write-two": ("title: text",),
    "append-note": ("note: note",),
    "add-task": ("list: list",),
    "delete-note": ("note: note",),
    "read-code": ("name: contact", CHANCE, "code: text/code"),
    "mail-contact": ("subject: text",),
    "write-document": ("document: document",),
    "retitle": ("document: document",),
    "note-down": ("title: text",),
    "note-two": ("title: text",),
    "note-three": ("title: text",),
    "count-lines": ("log: file", "word: text"),
    "append-line": ("log: file",),
    "move-made": ("target: folder",),
}
"""Templates of the table: what settles each of their draws."""
SUBMIT = "submit"


def id_of(name: str) -> str:
    """The id of a sub-task in data files: a UUID, as in CRAB, derived from the template's name."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"omnipilot:subtask:{name}"))


def _submit(given: Mapping[str, Any], state: Any, _: Claims) -> Piece:
    text = str(given["text"])

    def submitted(case: Case) -> Verdict:
        answers = [answer.casefold() for answer in case.answers]
        others = [other.casefold() for other in other_answers([text], case.start)]
        hit = bool(answers) and says_one([text.casefold()], answers, others)
        return Verdict(float(hit), f"answers: {list(case.answers)!r}; wanted: {text!r}")

    return Piece(JudgeGraph((Judge("submitted", submitted),)), state, lambda _: [Move("", Answer(text))])


_SUBMIT = SubTask(id_of(SUBMIT), 'submit "{text}" as the answer', {"text": ("text",)}, "", _submit, "", "submit")
POOL = Pool(
    {
        **{id_of(name): subtask_of(book().templates[name], id_of(name), draws) for name, draws in DRAWS.items()},
        _SUBMIT.id: _SUBMIT,
    },
    SimWorld,
    lambda: quiet(initial_world(0)),
    setup,
    demonstration,
)
