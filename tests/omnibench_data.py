"""Data of OmniBench made in tests: two chains, Word to Excel, side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

APPLICATIONS = {"a": "Word", "b": "Word", "c": "Excel", "d": "Excel"}
TASK: Mapping[str, Any] = {
    "task_instruction": "Write both documents and count both",
    "dag": {"nodes": ["a", "b", "c", "d"], "edges": {"a": ["c"], "b": ["d"], "c": [[]], "d": [[]]}},
    "task_intent": "Two reports",
    "successful_topo": [["a", "b", "c", "d"], ["a", "c", "b", "d"]],
}


def subtask(id: str, **change: Any) -> dict[str, Any]:
    """A subtask record."""
    return {
        "id": id,
        "instruction_template": "Open '{path}'",
        "application": APPLICATIONS.get(id, "Word"),
        "available_parameters": [{"path": f"{id}.docx"}],
        "OS": "Windows",
        "input_resources": ["path"],
        "output_resources": [],
        **change,
    }


def write(
    folder: Path, tasks: Mapping[str, Any] | None = None, subtasks: Sequence[Mapping[str, Any]] | None = None
) -> str:
    """A folder of data; by default with one task, "12", and its four subtasks."""
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    for id, task in ({"12": TASK} if tasks is None else tasks).items():
        (folder / "tasks" / f"{id}.json").write_text(json.dumps(task))
    known = [subtask(id) for id in APPLICATIONS] if subtasks is None else subtasks
    (folder / "subtasks.json").write_text(json.dumps(known))
    return str(folder)
