"""The map of screens of an attempt, as a graph for the report page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]


def screen_map(events: Sequence[Mapping[str, Any]]) -> Json | None:
    """The graph of applications and pages: the last one that a memory told, or one made from the events.

    Args:
        events: in order of time, as `timeline` makes them.

    Returns:
        `nodes`: [{"id", "env", "app", "title", "visits", "last"}], `last` in seconds on the world's clock; `edges`:
        [{"from", "to", "action", "count"}], the action in words; None if no screen said which one it is.
    """
    for event in reversed(events):
        told = event.get("detail", {})
        if isinstance(told.get("nodes"), list) and isinstance(told.get("edges"), list):
            return {"nodes": told["nodes"], "edges": told["edges"]}
    nodes: dict[str, Json] = {}
    edges: dict[tuple[str, str, str], int] = {}
    here: dict[str, str] = {}
    done: dict[str, str] = {}
    for event in events:
        env, kind = event["env"], event["kind"]
        if kind == "action":
            done[env] = event.get("text", "")
        elif kind == "context":
            app, page = event.get("app", ""), event.get("page", "")
            at = "|".join((env, app, page))
            node = nodes.setdefault(at, {"id": at, "env": env, "app": app, "title": page, "visits": 0})
            node |= {"visits": node["visits"] + 1, "last": event["start"]}
            if here.get(env, at) != at:
                way = (here[env], at, done.get(env, ""))
                edges[way] = edges.get(way, 0) + 1
            here[env] = at
            done.pop(env, None)
    if not nodes:
        return None
    listed = [{"from": a, "to": b, "action": words, "count": count} for (a, b, words), count in edges.items()]
    return {"nodes": list(nodes.values()), "edges": listed}
