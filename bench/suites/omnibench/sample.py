"""Miniature OmniBench data: subtasks and task graphs in the official formats, for the embedded world."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.sample import DOCUMENTS, NOTES, PEOPLE, TEXTS, TITLES
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.subtasks.duet_pool import id_of
from omnipilot.bench.suites.subtasks.wording import Filled, WordedStep, fill_steps, sentence, successors
from omnipilot.envs.sim.apps.registry import APPS

ORDERS = 24
"""Most topological orders that a miniature task lists."""
TASKS: Mapping[str, tuple[str, str]] = {
    "1": ("A remark belongs under the document", "document"),
    "2": ("A friend stands before the gate", "gate text"),
    "3": ("The door code is kept at work", "made entry moved"),
    "4": ("To have all numbers in one note", "card number both"),
    "5": ("Two people need the code of the gate", "gate text mail"),
    "6": ("Everything for the move", "gate entry card number gone mail made both"),
    "7": ("Nobody may be forgotten before the journey", "gate text gone document star"),
    "8": ("A look at the server, told to everybody", "errors appended document card mail gate"),
}
"""Intent and subtasks of each task, in the order of the file, which need not be one of doing."""
RESOURCES: Mapping[str, str] = {
    "gate": "text/code/gate",
    "entry": "text/code/door",
    "card": "text/code/membership",
    "number": "text/phone",
    "errors": "text/number",
    "made": "file/new",
    "text": "state/message-sent",
    "gone": "state/notes-tidy",
    "document": "state/document-written",
    "appended": "state/log-complete",
}
"""The type of what a subtask yields, where another needs it; "state" for what it leaves behind.

Types are those of the embedded world, where needed refined so that each names what one subtask yields.
"""
ITEMS = frozenset({"contact", "note", "list", "document", "file", "folder"})
"""Types of things that an instruction names and the world holds; what else it names is only a parameter."""


@dataclass(frozen=True, slots=True)
class SubtaskNode:
    """A subtask: its template, parameters, and the parameters that another subtask provides, by short name.

    Attributes:
        after: subtasks that come before it where a task has them, because of what they leave behind.
    """

    template: str
    values: Mapping[str, str]
    takes: Mapping[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()


def nodes(dice: Random) -> dict[str, SubtaskNode]:
    """The subtasks by short name."""
    one, two, three, four = dice.sample(PEOPLE, 4)
    title, second = dice.sample(TITLES, 2)
    note, gone = dice.sample(NOTES, 2)
    code, door = (str(number) for number in dice.sample(range(1000, 10_000), 2))
    return {
        "gate": SubtaskNode("read-gate-code", {"name": one, "code": code}),
        "entry": SubtaskNode("read-code", {"name": two, "code": door}),
        "card": SubtaskNode("read-note", {"note": note, "number": str(dice.randrange(100_000, 1_000_000))}),
        "number": SubtaskNode("read-number", {"name": three}),
        "text": SubtaskNode("text-contact", {"contact": four}, {"text": "gate"}),
        "mail": SubtaskNode("mail-contact", {"contact": two, "subject": "As agreed"}, {"text": "gate"}),
        "made": SubtaskNode("note-down", {"title": title}, {"first": "entry"}),
        "moved": SubtaskNode("move-made", {"target": "Work"}, {"file": "made"}),
        "both": SubtaskNode("write-two", {"title": second}, {"first": "card", "second": "number"}),
        "gone": SubtaskNode("delete-note", {"note": gone}, after=("text",)),
        "document": SubtaskNode(
            "write-document",
            {"document": dice.choice(DOCUMENTS), "text": dice.choice(TEXTS)},
            after=("gone", "appended"),
        ),
        "star": SubtaskNode("favourite-contact", {"contact": "Stefan Wirth"}, after=("document",)),
        "errors": SubtaskNode("count-lines", {"log": "Server/log-monday", "word": "error"}),
        "appended": SubtaskNode("append-line", {"log": "Server/log-friday"}, {"text": "errors"}),
    }


def write(folder: Path, seed: int = 0) -> None:
    """Write `subtasks.json` and a folder `tasks`; the same seed gives the same files.

    Args:
        seed: of people, texts and codes.
    """
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    table = nodes(Random(seed))
    used: dict[str, Filled] = {}
    for id, (intent, names) in TASKS.items():
        listed = names.split()
        steps, order = _steps(table, listed)
        parts = fill_steps(steps)
        used |= dict(zip(order, parts, strict=True))
        ids = {name: id_of(table[name].template) for name in listed}
        behind = {order[number]: [order[at] for at in late] for number, late in enumerate(successors(steps))}
        edges: dict[str, list[Any]] = {ids[name]: [ids[late] for late in behind[name]] or [[]] for name in listed}
        task = {
            "task_instruction": sentence(steps, parts),
            "dag": {"nodes": list(ids.values()), "edges": edges},
            "task_intent": intent,
            "successful_topo": list(itertools.islice(_orders(ids, behind), ORDERS)),
        }
        (folder / "tasks" / f"{id}.json").write_text(json.dumps(task, indent=2) + "\n")
    (folder / "subtasks.json").write_text(
        json.dumps([_record(table[name], name, part) for name, part in used.items()], indent=2) + "\n"
    )


def _steps(table: Mapping[str, SubtaskNode], listed: Sequence[str]) -> tuple[list[WordedStep], list[str]]:
    """The subtasks of a task in an executable order, and their names."""
    order: list[str] = []
    after = {name: [other for other in table[name].after if other in listed] for name in listed}
    waits = {name: {*table[name].takes.values(), *after[name]} for name in listed}
    while ready := [name for name in listed if name not in order and waits[name] <= set(order)]:
        order.append(ready[0])
    steps = []
    for name in order:
        takes = {attribute: order.index(source) for attribute, source in table[name].takes.items()}
        behind = tuple(order.index(other) for other in after[name])
        steps.append(WordedStep(table[name].template, table[name].values, takes, behind))
    return steps, order


def _orders(ids: Mapping[str, str], behind: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """All topological orders, as ids."""

    def rest(done: list[str]) -> Iterator[list[str]]:
        if len(done) == len(ids):
            yield [ids[name] for name in done]
        for name in ids:
            if name not in done and all(other in done for other in ids if name in behind[other]):
                yield from rest([*done, name])

    return rest([])


def _record(node: SubtaskNode, name: str, part: Filled) -> dict[str, Any]:
    """A line of the table of subtasks.

    Inputs and outputs are types of one vocabulary: that of `RESOURCES` for what passes from one subtask to another, and
    the attribute's own ("contact") for a thing that only an instruction names. So the edges of a task follow from its
    nodes.
    """
    taken = [RESOURCES[source] for source in node.takes.values()]
    named = [types[0] for key, types in part.subtask.attributes.items() if key not in node.takes]
    needed = [*taken, *(kind for kind in named if kind in ITEMS), *(RESOURCES[other] for other in node.after)]
    # A second set of parameters, which no task names: which one is meant stands in a task's instruction only.
    other = {name: f"{value}, not this" for name, value in part.attributes.items()}
    return {
        "id": part.subtask.id,
        "instruction_template": part.subtask.description,
        "application": APPS[part.subtask.app].title,
        "available_parameters": [other, dict(part.attributes)],
        "OS": part.subtask.env,
        "input_resources": list(dict.fromkeys(needed)),
        "output_resources": [RESOURCES[name]] if name in RESOURCES else [],
    }


def sample_predictions(folder: Path) -> Path:
    """Trajectories (`trajectories.jsonl`) for the data in a folder, made by a fixed rule rather than an agent.

    Of the tasks in the order of their files, every fourth is done in the first order that its file lists, the next as
    far as half of its subtasks, the next names its subtasks in the reverse of an order and cannot be used, and the
    next is not there.
    """
    path = folder / "trajectories.jsonl"
    lines = []
    for number, task in enumerate(load_data(Source.open(str(folder), "")).items):
        order = task.topologies[0]
        done = (order, order[: len(order) // 2], (*order[::-1], "none of them"), None)[number % 4]
        if done is not None:
            lines.append(
                {
                    "trajectory_id": f"{task.id} (0)",
                    "task_id": task.id,
                    "topological_order": list(done),
                    "instruction": task.instruction,
                    "intent": task.intent,
                    "observations": [],
                    "actions": [],
                }
            )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
