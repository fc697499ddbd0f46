"""Runs with the user's interpreter: judges recorded tasks by a checkout of AndroidLab; see `ForeignProcess`.

It calls what their `generate_result.py` calls: `AppConfig` for the tasks of an application, and `Evaluation_Task` for
one of them. Their loop swallows every error of a judge, so that what was not judged looks like what was failed; here
these errors are counted on the way.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from serve_lines import serve_lines

# Files that lie beside this one are not meant when their packages import a module of the same name.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]


class RecordingJudge:
    """Their judges, with what went wrong in them."""

    def __init__(self) -> None:
        self._configs: dict[str, Any] = {}
        self._args = Namespace(judge_model="", api_key="")
        self._folder = tempfile.TemporaryDirectory()
        self._asked: list[str] = []

    def open(self, checkout: str, model: str) -> dict[str, Any]:
        """Load the tasks.

        Args:
            checkout: the folder of their repository. model: that judges answers, as they name it; "" for none.
        """
        os.chdir(checkout)  # their code opens files of the repository by relative paths
        sys.path.insert(0, checkout)
        import evaluation.task
        from evaluation.configs import AppConfig

        self._args = Namespace(judge_model=model, api_key=os.environ.get("ZHIPUAI_API_KEY", ""))
        ask = evaluation.task.detect_answer

        def detect_answer(*given: Any) -> Any:
            if not model:
                self._asked.append("a model has to judge its answer: name one with -o judge=…")
                return False
            try:
                said = ask(*given)
            except Exception as error:
                self._asked.append(f"{model} could not judge its answer: {error}")
                raise
            if said is None:
                self._asked.append(f"{model} said neither True nor False of its answer")
            return said

        evaluation.task.detect_answer = detect_answer
        tasks = []
        for file in sorted(Path("evaluation/config").glob("*.yaml")):
            config = AppConfig(str(file), output_dir=self._folder.name)
            for task in config.get_tasks():
                id = task["task_id"]
                self._configs[id] = config
                tasks.append({"id": id, "app": str(config.APP), "judged": id in config.get_metrics()})
        return {"tasks": tasks}

    def judge(self, task: str, folder: str) -> dict[str, Any]:
        """What came of one recorded task.

        Args:
            folder: of the recording, with `traces/trace.jsonl`, `xml` and `Screen`.
        """
        from evaluation.task import Evaluation_Task

        config = self._configs[task]
        trace = {
            "task_id": task,
            "trace_file": os.path.join(folder, "traces", "trace.jsonl"),
            "xml_path": os.path.join(folder, "xml"),
            "trace_root": folder,
        }
        bench = Evaluation_Task(config, {task: trace}, self._args, detail=True)
        seen: list[str] = []
        own = bench.metrics[task]

        def watched(args: Any) -> Any:
            metric = own(args)
            ask = metric.judge

            def judge(screen: Any, line: Any) -> Any:
                try:
                    said = ask(screen, line)
                except Exception as error:
                    seen.append(f"{type(error).__name__}: {error}")
                    raise
                seen.append("")
                return said

            metric.judge = judge
            return metric

        self._asked.clear()
        bench.metrics = {**bench.metrics, task: watched}
        bench._evaluate_single_task({**_task(config, task)})
        (saved,) = bench.all_result
        why = next(iter(self._asked), "")
        if not seen:
            why = why or "none of its screens could be read"
        elif all(seen):
            why = why or f"its judge failed on every screen, first with {seen[0]}"
        result = saved["result"]
        parts = [bool(value) for name, value in result.items() if name not in ("complete", "judge_page")]
        return {
            "complete": result.get("complete") == True,  # noqa: E712  # as theirs
            "parts": sum(parts) / len(parts) if parts else 0.0,
            "rrr": saved["RRR"],
            "ror": saved["reasonable_operation_ratio"],
            "steps": len(seen),
            "void": why,
        }


def _task(config: Any, id: str) -> dict[str, Any]:
    return next(task for task in config.get_tasks() if task["task_id"] == id)


def main() -> None:
    """Serve until standard input ends."""
    judge = RecordingJudge()
    serve_lines({"open": judge.open, "judge": judge.judge})


if __name__ == "__main__":
    main()
