"""Evaluation functions of a release, beside the data: read as judges, and never run.

A folder has a text file `ID.py` or `ID.txt` for a subtask. Whether a world can be judged by a function is tried once:
each of its checks is asked in the world as it begins, and what a check cannot examine there is the reason why the
tasks with that subtask cannot be played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.judges import read_evaluator, read_released
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import ConfigError, World

FILES = ("*.py", "*.txt")
GET = "Name the folder of the evaluation functions, with a file ID.py or ID.txt for a subtask."


class ReleasedFunctions:
    """The functions of a folder.

    Args:
        begin: gives a world as a task begins there; it is closed again.

    Attributes:
        version: a digest of the files.

    Raises:
        ConfigError: there is no such folder, or no function in it.
    """

    def __init__(self, folder: str, begin: Callable[[], World]) -> None:
        source = Source.open(folder, GET)
        paths = [path for kind in FILES for path in source.find(kind)]
        if not paths:
            raise ConfigError(f"{source.root} has no evaluation functions. {GET}")
        self._paths: Mapping[str, Path] = {path.stem: path for path in paths}
        self._begin = begin
        self.version = source.digest(paths)

    def graph_of(self, subtask: str, given: Mapping[str, Any], env: str) -> JudgeGraph | None:
        """The checks of a subtask's function; None where the folder has no function for it.

        Args:
            given: values of the subtask's parameters. env: the device that is judged.

        Raises:
            ConfigError: the function has another shape or needs another parameter, or the world cannot be judged by
                one of its checks; the message names the file.
        """
        if subtask not in self._paths:
            return None
        path = self._paths[subtask]
        try:
            function = read_released(path.read_text(encoding="utf-8"))
            graph = read_evaluator(function.evaluator, function.values(given), env)
            self._try(graph)
        except (OSError, UnicodeDecodeError, ConfigError) as error:
            raise ConfigError(f"its evaluation function {path.name} cannot judge it here: {error}") from None
        return graph

    def _try(self, graph: JudgeGraph) -> None:
        world = self._begin()
        try:
            for node in graph.nodes:
                node(Case(world))
        finally:
            world.close()
