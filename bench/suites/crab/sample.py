"""Miniature CRAB v0 data: task files in the official layout, for the embedded world."""

from __future__ import annotations

import csv
import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from omnipilot.bench.suites.crab.suite import CrabSuite
from omnipilot.bench.suites.subtasks.wording import WordedStep, fill_steps, sentence, successors

PEOPLE = (
    "Nina Rossi",
    "Grace Obi",
    "Petra Lang",
    "Daniel Cross",
    "Emil Larsson",
    "Aiko Mori",
    "Frieda Moos",
    "Ben Carter",
)
TEXTS = (
    "The keys are back",
    "Two lamps are missing",
    "Lunch is at noon",
    "The hall is booked",
    "Bring the blue folder",
)
TITLES = ("Findings", "Handover", "Facts", "For the board", "Summary", "Answers")
NOTES = ("Plants", "Packing", "Recipe", "Wifi", "Choir", "Film night", "Ideas")
DOCUMENTS = ("Travel plan", "Letter", "Budget", "Guest list", "Inventory", "Minutes")
LOG_COLUMNS = (
    "time",
    "agent_policy",
    "model",
    "task_id",
    "total_steps",
    "terminate_reason",
    "total_nodes",
    "complete_nodes",
    "completeness",
    "completeness_per_action",
    "step_to_complete",
    "longest_unfinished_path_length",
    "token_usage",
)
"""Of the released `main_log.csv`."""


def recipes(dice: Random) -> dict[str, list[list[WordedStep]]]:
    """The tasks by folder: single sub-tasks, chains of two and three, and joins."""
    one, two, three = dice.sample(PEOPLE, 3)
    text, other = dice.sample(TEXTS, 2)
    title, second = dice.sample(TITLES, 2)
    note, kept = dice.sample(NOTES, 2)
    document, letter = dice.sample(DOCUMENTS, 2)
    code, door = (str(number) for number in dice.sample(range(1000, 10_000), 2))
    member = str(dice.randrange(100_000, 1_000_000))
    gate, entry = (
        WordedStep("read-gate-code", {"name": one, "code": code}),
        WordedStep("read-code", {"name": two, "code": door}),
    )
    card = WordedStep("read-note", {"note": note, "number": member})
    return {
        "android": [
            [WordedStep("text-contact", {"contact": one, "text": text})],
            [WordedStep("write-note", {"title": title, "text": text})],
            [WordedStep("append-note", {"note": note, "text": other})],
            [WordedStep("call-contact", {"contact": two})],
            [WordedStep("delete-note", {"note": kept})],
            [gate, WordedStep("text-contact", {"contact": three}, {"text": 0})],
            [WordedStep("read-number", {"name": one}), WordedStep("write-note", {"title": title}, {"text": 0})],
            [WordedStep("read-email", {"name": two}), WordedStep("submit", {}, {"text": 0})],
        ],
        "ubuntu": [
            [WordedStep("mail-contact", {"contact": one, "subject": "As agreed", "text": text})],
            [WordedStep("write-document", {"document": document, "text": text})],
            [WordedStep("retitle", {"document": letter, "text": other})],
            [entry, WordedStep("note-down", {"title": title}, {"first": 0})],
            [
                WordedStep("count-lines", {"log": "Server/log-monday", "word": "error"}),
                WordedStep("mail-contact", {"contact": two, "subject": "News"}, {"text": 0}),
            ],
            [
                entry,
                WordedStep("note-down", {"title": second}, {"first": 0}),
                WordedStep("move-made", {"target": "Work"}, {"file": 1}),
            ],
        ],
        "cross": [
            [gate, WordedStep("note-down", {"title": title}, {"first": 0})],
            [entry, WordedStep("text-contact", {"contact": three}, {"text": 0})],
            [card, entry, WordedStep("note-two", {"title": second}, {"first": 0, "second": 1})],
        ],
    }


def write(folder: Path, seed: int = 0) -> None:
    """Write the task files in folders android, ubuntu and cross; the same seed gives the same files.

    Args:
        seed: of people, texts and codes.
    """
    for name, tasks in recipes(Random(seed)).items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, steps in enumerate(tasks):
            id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"omnipilot:crab:{seed}:{name}:{number}"))
            (folder / name / f"{id}.json").write_text(json.dumps(task_file(steps, id), indent=4) + "\n")


REVIEW_OF_A_DRAFT: Mapping[str, Any] = {
    "draft": True,
    "reviewed_by": "",
    "verdict": "",
    "why": "",
    "edited": False,
}
"""The review of a file that nobody has read. Whoever reads it sets `draft` to false, and says who they are, the verdict
("accepted", or "taken out" and `why`), and whether they edited the description."""


def task_file(steps: Sequence[WordedStep], id: str, review: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A task file of CRAB v0: description, sub-tasks with all values, adjacency list, id.

    Args:
        review: fields of its review, see `REVIEW_OF_A_DRAFT`; None for none.

    Raises:
        ConfigError: values do not fit the world.
    """
    parts = fill_steps(steps)
    lines = [" ".join(map(str, (number, *behind))) for number, behind in enumerate(successors(steps))]
    return {
        "description": sentence(steps, parts),
        "tasks": [{"task": p.subtask.id, "attribute": dict(p.attributes), "output": p.output} for p in parts],
        "adjlist": "\n".join(lines),
        "id": id,
        **(review or {}),
    }


def sample_predictions(folder: Path) -> Path:
    """A `main_log.csv` for the data in a folder, made by a fixed rule rather than an agent.

    Of the tasks in the suite's order, every fifth is solved in twice as many actions as it has nodes, the next ends
    with half of its nodes and a wrong claim, the next at the limit of 20 with one node short, the next with a reply
    that could not be read and nothing done, and the next is not there. Each action took 1000 tokens.
    """
    path = folder / "main_log.csv"
    with path.open("w", newline="") as file:
        log = csv.writer(file)
        log.writerow(LOG_COLUMNS)
        for number, info in enumerate(CrabSuite(str(folder)).tasks()):
            nodes = int(info.tags["nodes"])
            actions, done, reason = (
                (2 * nodes, nodes, "success"),
                (3, nodes // 2, "agent_complete"),
                (20, nodes - 1, "reach_max_step"),
                (0, 0, "agent_exception"),
                (0, 0, ""),
            )[number % 5]
            if not reason:
                continue
            # The log counts an action only behind it, so it lacks the one that ended the task.
            logged = actions - (reason in ("success", "reach_max_step"))
            left = 0 if done == nodes else nodes - done
            figures = nodes, done, done / nodes, done / nodes / (actions + 1), left, max(0, left - 1)
            head = "2026-03-02_10-00-00", "SingleAgentPolicy", "sample", info.id, logged, reason
            log.writerow((*head, *figures, 1000 * max(1, actions)))
    return path
