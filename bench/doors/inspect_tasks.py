"""Suites as tasks of Inspect: `inspect eval omnipilot/duet --model X -T instances=2`.

Inspect finds this module by the entry points `inspect_ai`. A model of the user's own acts by one tool; the verdict is
the suite's.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.agent import as_solver, react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolError, tool
from inspect_ai.util import store

from omnipilot.bench import SUITES, Suite
from omnipilot.bench.doors.choice import check_playable, playable_tasks, shared_suite
from omnipilot.bench.doors.words import describe_elements, introduce_task, outcome_words
from omnipilot.bench.session import Session
from omnipilot.envs import Absent, Modality, Observation

KEY = "omnipilot"
PROMPT = (
    "Operate the devices with the tool act, one verb at a time; it answers with what every screen shows then. Places "
    "are words or ids from the lists of elements, or points as fractions of the screen, "
    '{"x": 0.5, "y": 0.25}. Call it with {"kind": "done"} when the task is solved.'
)
_SESSIONS: dict[str, Session] = {}


def task_of(name: str) -> Callable[..., Task]:
    """The function that makes a suite's task, as Inspect wants it."""

    @task(name=name)
    def suite_task(
        tasks: str = "", instances: int = 1, images: bool = True, deaf: bool = False, message_limit: int = 120
    ) -> Task:
        suite = shared_suite(name, {})
        names = [part.strip() for part in tasks.split(",") if part.strip()] or playable_tasks(suite, deaf)
        for one in names:
            check_playable(suite, one, deaf)
        samples = [
            Sample(id=f"{one}#{number}", input=one, metadata={"task": one, "instance": number})
            for one in names
            for number in range(instances)
        ]
        return Task(
            dataset=MemoryDataset(samples, name=name),
            setup=open_session(suite, images),
            solver=as_solver(react(prompt=PROMPT, tools=[act(images)], submit=False)),
            scorer=verdict(),
            cleanup=_close,
            message_limit=message_limit,
        )

    return suite_task


@solver
def open_session(suite: Suite, images: bool) -> Solver:
    """Opens a session for the sample, and writes the instruction and the first look into its message."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        asked = state.metadata

        def begin() -> list[ContentText | ContentImage]:
            session = _SESSIONS[state.uuid] = Session(suite)
            opening = session.open(asked["task"], asked["instance"])
            return [ContentText(text=introduce_task(opening)), *_look(session, images)]

        store().set(KEY, state.uuid)
        state.messages[-1] = ChatMessageUser(content=await anyio.to_thread.run_sync(begin))
        return state

    return solve


@tool
def act(images: bool = True) -> Tool:
    """The one tool: carries out a verb, and looks."""

    async def execute(verb: dict[str, Any], device: str = "") -> list[ContentText | ContentImage]:
        """Carry out one verb on one device.

        Args:
            verb: such as {"kind": "click", "at": "Save"}, {"kind": "type", "text": "hello"}, {"kind": "open_app",
                "app": "Mail"}, {"kind": "wait", "seconds": 2}, {"kind": "answer", "text": "42"} or {"kind": "done"}.
            device: its name; not needed to wait, answer, or be done.
        """
        session = _SESSIONS[store().get(KEY)]

        def carry_out() -> list[ContentText | ContentImage]:
            acted = session.act(verb, device)
            if acted.result not in ("done", "control"):
                raise ToolError(outcome_words(acted))
            return [ContentText(text=outcome_words(acted)), *_look(session, images)]

        return await anyio.to_thread.run_sync(carry_out)

    return execute


@scorer(metrics=[accuracy(), stderr(cluster="task")])
def verdict() -> Scorer:
    """The suite's own verdict: C where every sub-goal is reached."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        session = _SESSIONS[state.uuid]
        found = await anyio.to_thread.run_sync(session.score)
        return Score(
            value="C" if found.success else "I",
            explanation=json.dumps(found.to_json()["nodes"]),
            metadata={"completion": found.completion, "ended": session.ended},
        )

    return score


async def _close(state: TaskState) -> None:
    session = _SESSIONS.pop(state.uuid, None)
    if session is not None:
        await anyio.to_thread.run_sync(session.close)


def _look(session: Session, images: bool) -> list[ContentText | ContentImage]:
    asked = {Modality.ELEMENTS, *([Modality.SCREENSHOT] if images else ())}
    return [part for seen in session.observe(asked).values() for part in _parts(seen)]


def _parts(seen: Observation) -> list[ContentText | ContentImage]:
    parts: list[ContentText | ContentImage] = [ContentText(text=describe_elements(seen))]
    if not isinstance(seen.screenshot, Absent):
        data = base64.b64encode(seen.screenshot.png()).decode()
        parts.append(ContentImage(image=f"data:image/png;base64,{data}"))
    return parts


globals().update({_name: task_of(_name) for _name in SUITES.names()})
