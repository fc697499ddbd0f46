"""Messages between a pool and its workers: a line of JSON, then the media that it names, as they are.

Nothing is pickled: a worker plays what others wrote, and what comes from it is only read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, TypeAlias, cast

from omnipilot.agents import Limits
from omnipilot.bench.journal.recorder import change_to_json
from omnipilot.bench.session.answers import Acted, Opening, Score
from omnipilot.bench.tasks.graph import Change, NodeState
from omnipilot.bench.tasks.judges import Verdict
from omnipilot.envs import Observation, Size
from omnipilot.envs.remote import remote_verb
from omnipilot.envs.remote.protocol import (
    MediaCache,
    MediaWriter,
    observation_from_message,
    observation_to_message,
)
from omnipilot.envs.schema import codec
from omnipilot.memory import Move, Outcome, Step, Turn, Usage
from omnipilot.planners import Verbs

Json: TypeAlias = dict[str, Any]

MOST_MEDIA = 1 << 30
"""Bytes of media in one message: a local worker may send a long film."""


def encode(message: Json, files: Mapping[str, bytes] | None = None) -> bytes:
    """A message and its media as bytes."""
    files = files or {}
    head = {**message, "files": [[name, len(content)] for name, content in files.items()]} if files else message
    return b"".join((json.dumps(head, separators=(",", ":")).encode(), b"\n", *files.values()))


def looks_to_message(looks: Mapping[str, Observation]) -> tuple[Json, dict[str, bytes]]:
    """Observations, and their media by hash."""
    media = MediaWriter((), MediaCache(0), MOST_MEDIA)
    return {name: observation_to_message(look, media) for name, look in looks.items()}, media.files


def looks_from_message(data: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Observation]:
    """The inverse of `looks_to_message`; `files` holds all media that it names."""
    return {name: observation_from_message(look, files, 0.0, name) for name, look in data.items()}


def opening_to_message(opening: Opening) -> tuple[Json, dict[str, bytes]]:
    """What is told when a task is opened, with the media of its past."""
    files: dict[str, bytes] = {}
    past = []
    for turn in opening.past:
        looks, more = looks_to_message(turn.observations)
        files |= more
        steps = [
            [step.proposed.env, codec.to_json(step.proposed.intent), codec.to_json(step.executed), step.start, step.end]
            for step in turn.steps
            if step.proposed is not None and step.executed is not None
        ]
        past.append({"turn": turn.index, "looks": looks, "steps": steps})
    data: Json = {
        "task": opening.task,
        "instance": opening.instance,
        "trial": opening.trial,
        "instruction": opening.instruction,
        "intent": opening.intent,
        "envs": {name: _verbs_to_json(verbs) for name, verbs in opening.envs.items()},
        "limits": asdict(opening.limits),
        "past": past,
        "asks": opening.asks,
    }
    return data, files


def opening_from_message(data: Json, files: Mapping[str, bytes]) -> Opening:
    """The inverse of `opening_to_message`."""
    envs = {name: _verbs_from_json(verbs) for name, verbs in data["envs"].items()}
    past = tuple(_turn_from_json(turn, files) for turn in data["past"])
    return Opening(**{**data, "envs": envs, "limits": Limits(**data["limits"]), "past": past})


def acted_to_json(acted: Acted) -> Json:
    """What came of a verb, as JSON values."""
    return {
        "result": acted.result,
        "message": acted.message,
        "action": None if acted.action is None else codec.to_json(acted.action),
        "changes": [change_to_json(change) for change in acted.changes],
        "completion": acted.completion,
        "ended": acted.ended,
    }


def acted_from_json(data: Json) -> Acted:
    """The inverse of `acted_to_json`."""
    changes = tuple(
        Change(one["node"], Verdict(one["progress"], one["reason"]), one["completed"]) for one in data["changes"]
    )
    action = None if data["action"] is None else codec.action_from_json(data["action"])
    return Acted(**{**data, "action": action, "changes": changes})


def score_from_json(data: Json) -> Score:
    """The inverse of `Score.to_json`."""
    nodes = {name: NodeState(state) for name, state in data["nodes"].items()}
    return Score(data["success"], data["completed"], data["total"], nodes, data["judged"])


def _verbs_to_json(verbs: Verbs) -> Json:
    return {
        "platform": verbs.platform,
        "kinds": sorted(verbs.kinds),
        "custom": [{**codec.tool_schema(verb), "steps": list(verb.steps)} for verb in verbs.custom.values()],
        "description": verbs.description,
        "applications": list(verbs.applications),
        "installed": list(verbs.installed),
        "size": None if verbs.size is None else [verbs.size.width, verbs.size.height],
    }


def _verbs_from_json(data: Json) -> Verbs:
    made = (
        replace(remote_verb(one["name"], one["description"], one["parameters"], _elsewhere), steps=tuple(one["steps"]))
        for one in data["custom"]
    )
    custom = {verb.name: verb for verb in made}
    return Verbs(
        data["platform"],
        frozenset(data["kinds"]),
        custom,
        data["description"],
        tuple(data["applications"]),
        tuple(data["installed"]),
        None if data["size"] is None else Size(*data["size"]),
    )


def _elsewhere(_: Mapping[str, Any]) -> None:
    raise AssertionError("the verbs of a pool's session are carried out by its worker")


def _turn_from_json(data: Json, files: Mapping[str, bytes]) -> Turn:
    index = cast(int, data["turn"])
    steps = tuple(
        Step(
            index,
            index,
            Move(env, codec.from_json(intent)),
            codec.action_from_json(action),
            Outcome("done"),
            start=start,
            end=end,
        )
        for env, intent, action, start, end in data["steps"]
    )
    return Turn(index, looks_from_message(data["looks"], files), "", (), steps, Usage())
