"""`omnipilot score webarena-verified`: recorded tasks, judged by the benchmark's own package.

WebArena-Verified judges what an agent answered and which requests its browser made, from a HAR file; no server is
needed then. Read and run: webarena-verified 1.2.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.foreign import ForeignFailure, ForeignLost, ForeignProcess, choose_python, finite_score
from omnipilot.bench.scoring import Figure, Item, Scored
from omnipilot.bench.stats import mean_of
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

SCRIPT = Path(__file__).with_name("verified_script.py")
FILES = ("agent_response.json", "network.har")
"""What is recorded of each task, by the package's own names."""
PATIENCE = 120.0
"""Seconds in which a task has to be judged."""
CURE = "python -m venv verified && verified/bin/pip install webarena-verified; then -o python=verified/bin/python"


class WebArenaVerified:
    """The share of tasks whose score is 1, by the package's judges.

    Tasks that were not recorded count as failed. Those at which the judge itself failed count as failed, too, as in the
    package's own summary, and are shown as void, with the figure that leaves them out beside it.

    Args:
        python: the interpreter that has the package; "" for this one.
    """

    name = "webarena-verified"
    variants = ("full", "hard")
    format = "a folder with a folder for each task, such as 108/agent_response.json and 108/network.har"

    def __init__(self, python: str = "") -> None:
        self._python = python

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Judge a folder.

        Args:
            data: the package's configuration file, which names the servers that were used; "" for its defaults.

        Raises:
            ConfigError: no such folder or configuration, or the package cannot be loaded.
        """
        if not predictions.is_dir():
            raise ConfigError(f"{predictions} is no folder. Expected: {self.format}")
        if data and not Path(data).is_file():
            raise ConfigError(f"there is no configuration file {data}; give WebArena-Verified's own with --data")
        process = self._start()
        try:
            try:
                about = process.ask("open", PATIENCE, config=str(Path(data).resolve()) if data else "")
            except (ForeignFailure, ForeignLost) as error:
                raise ConfigError(f"webarena-verified cannot be loaded: {error}. To get it: {CURE}") from None
            tasks = {one["id"]: one for one in about["tasks"] if variant == "full" or one["id"] in set(about["hard"])}
            scores: dict[int, float] = {}
            void: dict[int, str] = {}
            folders = {id: predictions / str(id) for id in tasks}
            for id, folder in folders.items():
                if not all((folder / name).is_file() for name in FILES):
                    continue
                if not process.alive:
                    process.close()
                    process = self._start()
                    process.ask("open", PATIENCE, config=str(Path(data).resolve()) if data else "")
                scores[id], void[id] = _judge(process, id, folder)
        finally:
            process.close()
        if not scores:
            raise ConfigError(f"{predictions} has no recorded task. Expected: {self.format}")
        return _scored(
            variant, about["version"], tasks, scores, {id: why for id, why in void.items() if why}, predictions
        )

    def _start(self) -> ForeignProcess:
        cure = f"webarena-verified needs an interpreter that has its package: {CURE}"
        return ForeignProcess(choose_python(self._python, "webarena_verified", cure), SCRIPT, name="webarena-verified")


def _judge(process: ForeignProcess, task: int, folder: Path) -> tuple[float, str]:
    """A task's score, and why it is void, if it is."""
    try:
        told = process.ask("evaluate", PATIENCE, task=task, folder=str(folder.resolve()))
        score = finite_score(told["score"], "webarena-verified")
    except (ForeignFailure, ForeignLost) as error:
        return 0.0, str(error).splitlines()[0]
    return score, str(told["error"] or "the judge failed") if told["status"] == "error" else ""


def _scored(
    variant: str,
    version: str,
    tasks: Mapping[int, Mapping[str, Any]],
    scores: Mapping[int, float],
    void: Mapping[int, str],
    predictions: Path,
) -> Scored:
    missing = [id for id in tasks if id not in scores]
    items = tuple(Item(str(id), f"template {one['template']}", scores.get(id, 0.0)) for id, one in tasks.items())
    valid = [item for item in items if int(item.key) in scores and int(item.key) not in void]

    def rate(items: list[Item]) -> Any:
        return mean_of([one.part for one in items], [one.cluster for one in items], "templates") if items else None

    unjudged = len(missing) + len(void)
    figure = Figure(
        "SR", rate(list(items)), len(items), "tasks", unjudged, rate(valid) if unjudged else None, items=items,
        noun="templates",
    )  # fmt: skip
    rows = []
    for site in sorted({site for one in tasks.values() for site in one["sites"]}):
        mine = [item for item in items if site in tasks[int(item.key)]["sites"]]
        rows.append((site, f"{sum(item.part for item in mine):g}", str(len(mine))))
    known = {str(id) for id in tasks}
    extra = tuple(sorted(one.name for one in predictions.iterdir() if one.is_dir() and one.name not in known))
    notes = (
        f"judged by webarena-verified {version}; {len(scores)} of {len(tasks)} tasks are recorded, and those that are "
        "not count as failed",
        *(f"task {id} is void: {why}" for id, why in list(void.items())[:10]),
    )
    table = Table(("site", "solved", "of"), tuple(rows), ("a task on several sites is in the row of each",))
    return Scored(WebArenaVerified.name, variant, (figure,), (table,), (), tuple(map(str, missing)), extra, notes)
