"""Plays the tasks of a cube, in a process with the interpreter that has its package; see `ForeignProcess`."""

from __future__ import annotations

import base64
import importlib
import io
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from serve_lines import serve_lines

# Files that lie beside this one are not meant when their packages import a module of the same name.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]


class CubePlayer:
    """One cube, and one of its tasks at a time."""

    def __init__(self) -> None:
        self.config: Any = None
        self.benchmark: Any = None
        self.task: Any = None

    def open(self, cube: str, config: dict[str, Any], debug: bool) -> dict[str, Any]:
        """Load a cube, without starting anything.

        Args:
            cube: its entry point. config: fields of its configuration. debug: only its own debug tasks.
        """
        entries = {one.name: one for one in metadata.entry_points(group="cube.benchmarks")}
        if cube not in entries:
            raise LookupError(f"no cube of this name is installed; there are {', '.join(sorted(entries)) or 'none'}")
        entry = entries[cube]
        if debug:
            self.config = importlib.import_module(f"{entry.module.rpartition('.')[0]}.debug").get_debug_benchmark()
            if config:
                self.config = type(self.config).model_validate({**self.config.model_dump(), **config})
        else:
            self.config = entry.load().model_validate(config)
        about, package = self.config.benchmark_metadata, entry.dist
        assert package is not None, "an installed entry point is of a package"
        return {
            "version": f"{package.name} {package.version}, cube-standard {metadata.version('cube-standard')}",
            "about": about.description,
            "tasks": [
                {"id": id, "about": one.abstract_description, "split": one.split, "steps": one.recommended_max_steps}
                for id, one in self.config.tasks().items()
            ],
        }

    def reset(self, task: str, seed: int) -> dict[str, Any]:
        """Begin a task; the first time, start what the cube needs."""
        if self.benchmark is None:
            self.benchmark = self.config.make()
        self._close_task()
        config = next(one for one in self.config.get_task_configs() if one.metadata.id == task)
        config = config.model_copy(update={"seed": seed})
        self.task = config.make(runtime_context=self.benchmark._runtime_context)
        observation, _ = self.task.reset()
        return {
            "seen": read_observation(observation),
            "actions": [
                {"name": one.name, "description": one.description, "parameters": one.parameters}
                for one in self.task.action_set
            ],
        }

    def step(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry out an action."""
        from cube.core import Action

        output = self.task.step(Action(name=name, arguments=arguments))
        error = "" if output.error is None else f"{output.error.error_type}: {output.error.exception_str}"
        return {
            "seen": read_observation(output.obs),
            "reward": output.reward,
            "ended": bool(output.done),
            "error": error,
        }

    def close(self) -> None:
        """End the task, and what the cube has started."""
        self._close_task()
        benchmark, self.benchmark = self.benchmark, None
        if benchmark is not None:
            benchmark.close()

    def _close_task(self) -> None:
        task, self.task = self.task, None
        if task is not None:
            task.close()


def read_observation(observation: Any) -> list[dict[str, Any]]:
    """The parts of an observation: texts, and pictures as PNG in Base64."""
    found = []
    for one in observation.contents:
        part = {"name": one.name or ""}
        if type(one).__name__ == "ImageContent":
            file = io.BytesIO()
            one.data.convert("RGB").save(file, "PNG")
            found.append({**part, "png": base64.b64encode(file.getvalue()).decode(), "size": list(one.data.size)})
        elif type(one).__name__ in ("TextContent", "StructuredContent"):
            text = one.data if isinstance(one.data, str) else one.to_markdown()
            found.append({**part, "text": text})
    return found


if __name__ == "__main__":
    player = CubePlayer()
    serve_lines({name: getattr(player, name) for name in ("open", "reset", "step", "close")})
