"""The map of screens of an attempt, as a graph for the report page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
Arrival: TypeAlias = tuple[str, str, str, Mapping[str, Any]]
"""A page's id, the page before, the action between ("" for unknown each), and the event."""


def screen_map(events: Sequence[Mapping[str, Any]]) -> Json | None:
    """The graph of applications and pages: as a memory recognised them, or else as the contexts name them.

    Args:
        events: in order of time, as `timeline` makes them.

    Returns:
        `nodes`: [{"id", "env", "app", "title", "visits", "last"}], `last` in seconds on the world's clock; `edges`:
        [{"from", "to", "action", "count"}], the action in words; None if no screen said which one it is.
    """
    arrivals = list(_recognised(events)) or list(_named(events))
    if not arrivals:
        return None
    nodes: dict[str, Json] = {}
    edges: Counter[tuple[str, str, str]] = Counter()
    for at, before, action, event in arrivals:
        node = nodes.setdefault(at, {"id": at, "env": event["env"], "app": "", "title": "", "visits": 0, "last": 0.0})
        node["visits"] += 1
        node["last"] = event["start"]
        node["app"] = event.get("app") or node["app"]
        node["title"] = event.get("page") or node["title"]
        if before not in ("", at):
            edges[before, at, action] += 1
    listed = [{"from": a, "to": b, "action": words, "count": count} for (a, b, words), count in edges.items()]
    return {"nodes": list(nodes.values()), "edges": listed}


def _recognised(events: Sequence[Mapping[str, Any]]) -> Iterator[Arrival]:
    """Arrivals at pages that a memory recognised by their structure."""
    for event in events:
        if event["kind"] == "page" and "id" in (detail := event.get("detail", {})):
            yield str(detail["id"]), str(detail.get("from", "")), str(detail.get("action", "")), event


def _named(events: Sequence[Mapping[str, Any]]) -> Iterator[Arrival]:
    """Arrivals by what the contexts say; the way is the last action before."""
    here: dict[str, str] = {}
    done: dict[str, str] = {}
    for event in events:
        env = event["env"]
        if event["kind"] == "action":
            done[env] = event.get("text", "")
        elif event["kind"] == "context":
            at = "|".join((env, event.get("app", ""), event.get("page", "")))
            yield at, here.get(env, ""), done.pop(env, ""), event
            here[env] = at
