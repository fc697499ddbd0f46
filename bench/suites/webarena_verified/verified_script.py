"""Judges recorded tasks by WebArena-Verified, in a process with the interpreter that has it; see `ForeignProcess`."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from serve_lines import serve_lines

# Files that lie beside this one are not meant when their packages import a module of the same name.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]

RESPONSE, TRACE = "agent_response.json", "network.har"


class TraceJudge:
    """The package's judge, with the user's configuration."""

    def __init__(self) -> None:
        self.judge: Any = None

    def open(self, config: str) -> dict[str, Any]:
        """Load the tasks.

        Args:
            config: the package's configuration file; "" for its own defaults.
        """
        import webarena_verified
        from webarena_verified.api import WebArenaVerified

        self.judge = WebArenaVerified(config=Path(config) if config else None)
        hard = (
            Path(webarena_verified.__file__).parent / "assets" / "dataset" / "subsets" / "webarena-verified-hard.json"
        )
        return {
            "version": metadata.version("webarena-verified"),
            "tasks": [
                {"id": one.task_id, "template": one.intent_template_id, "sites": [str(site) for site in one.sites]}
                for one in self.judge.get_tasks()
            ],
            "hard": json.loads(hard.read_text(encoding="utf-8"))["task_ids"],
        }

    def evaluate(self, task: int, folder: str) -> dict[str, Any]:
        """Judge one task by its two files."""
        found = self.judge.evaluate_task(
            task_id=task, agent_response=Path(folder, RESPONSE), network_trace=Path(folder, TRACE)
        )
        return {"status": str(found.status), "score": found.score, "error": found.error_msg or ""}


if __name__ == "__main__":
    judge = TraceJudge()
    serve_lines({"open": judge.open, "evaluate": judge.evaluate})
