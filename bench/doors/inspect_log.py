"""Recorded runs as logs of Inspect, for `inspect view` and everything that reads its logs."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes, screenshot_file
from omnipilot.envs.types import require
from omnipilot.memory.secrets import scrub_values

EXTRA = "inspect"


def export_inspect(folders: Sequence[Path], out: Path) -> list[Path]:
    """Write each run as one log, `RUN.eval`: a sample for each finished episode, its turns as messages.

    Screenshots before each turn are inside. A sample's score is C where every sub-goal was reached, otherwise I, with
    the share of sub-goals as metadata; void episodes are samples with an error.

    Args:
        folders: run directories. out: a folder.

    Raises:
        ConfigError: a directory holds no run. MissingExtra: inspect-ai is not installed. JournalError: a journal is
            damaged.
    """
    log: Any = require("inspect_ai.log", EXTRA)
    written = []
    out.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        episodes = list(played_episodes(folder))
        if episodes:
            file = out / f"{folder.resolve().name}.eval"
            log.write_eval_log(_log(folder, episodes, log), file)
            written.append(file)
    return written


def _log(folder: Path, episodes: Sequence[FinishedEpisode], log: Any) -> Any:
    first = episodes[0]
    agent = first.run.spec.agent
    names = [f"{one.started.task}#{one.started.instance}" for one in episodes]
    judged = [one for one in episodes if not one.ended.void and one.success is not None]
    accuracy = fmean(bool(one.success) for one in judged) if judged else 0.0
    spec = log.EvalSpec(
        created=_time(first.started.wall),
        run_id=first.identity,
        task=first.run.spec.suite.name,
        task_version=first.run.spec.suite_version,
        dataset=log.EvalDataset(name=first.run.spec.suite.name, samples=len(episodes), sample_ids=names),
        model=agent.planner.model or agent.planner.name,
        solver=f"omnipilot/{agent.system}",
        config=log.EvalConfig(),
        packages={"omnipilot": first.version},
        metadata={"grounder": agent.grounder.name, "memory": agent.memory.name, "planner": agent.planner.name},
    )
    score = log.EvalScore(
        name="verdict", scorer="verdict", metrics={"accuracy": log.EvalMetric(name="accuracy", value=accuracy)}
    )
    return log.EvalLog(
        status="success",
        eval=spec,
        results=log.EvalResults(total_samples=len(episodes), completed_samples=len(judged), scores=[score]),
        samples=[_sample(folder, one, log) for one in episodes],
    )


def _sample(folder: Path, one: FinishedEpisode, log: Any) -> Any:
    model: Any = require("inspect_ai.model", EXTRA)
    scorer: Any = require("inspect_ai.scorer", EXTRA)
    started, ended = one.started, one.ended
    value = "C" if one.success else "I"
    metadata = {"completion": ended.completed / ended.total, "ended": ended.reason}
    error: Any = None
    if ended.void:
        problem: Any = require("inspect_ai._util.error", EXTRA)
        error = problem.EvalError(message=ended.detail, traceback="", traceback_ansi="")
    return log.EvalSample(
        id=f"{started.task}#{started.instance}",
        epoch=started.trial + 1,
        input=started.instruction,
        target="",
        messages=list(_messages(folder, one, model)),
        scores=None if ended.void or one.success is None else {"verdict": scorer.Score(value=value, metadata=metadata)},
        metadata={"task": started.task, "instance": started.instance, **started.tags},
        error=error,
        total_time=ended.wall_seconds,
        turn_count=ended.turns,
    )


def _messages(folder: Path, one: FinishedEpisode, model: Any) -> Iterator[Any]:
    yield model.ChatMessageUser(content=scrub_values(one.started.instruction))
    tool: Any = require("inspect_ai.tool", EXTRA)
    for turn in one.turns:
        if seen := _pictures(folder, turn.observations, model):
            yield model.ChatMessageUser(content=seen)
        calls, answers = [], []
        for step in one.steps.get(turn.turn, ()):
            asked = scrub_values(dict(step.proposed or {}))
            name = f"step-{step.step}"
            kind = str(asked.pop("kind", "unreadable"))
            calls.append(tool.ToolCall(id=name, function=kind, arguments={"env": step.env, **asked}))
            told = f"{step.result}: {step.message}" if step.message else step.result
            answers.append(model.ChatMessageTool(content=scrub_values(told), tool_call_id=name, function=kind))
        yield model.ChatMessageAssistant(
            content=scrub_values(turn.thought), tool_calls=calls or None, source="generate"
        )
        yield from answers


def _pictures(folder: Path, observations: Mapping[str, Any], model: Any) -> list[Any]:
    parts: list[Any] = []
    for env, seen in observations.items():
        file = screenshot_file(folder, seen["screenshot"]) if seen.get("screenshot") else None
        if file is not None and file.is_file():
            data = base64.b64encode(file.read_bytes()).decode()
            parts += [model.ContentText(text=env), model.ContentImage(image=f"data:image/png;base64,{data}")]
    return parts


def _time(wall: float) -> str:
    return datetime.datetime.fromtimestamp(wall, datetime.UTC).isoformat()
