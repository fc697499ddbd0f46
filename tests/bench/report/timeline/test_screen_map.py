"""The map of screens that the page draws."""

from __future__ import annotations

from typing import Any

from omnipilot.bench.report.timeline.screen_map import screen_map


def at(start: float, app: str, page: str, env: str = "phone") -> dict[str, Any]:
    return {"kind": "context", "env": env, "start": start, "app": app, "page": page}


def act(start: float, text: str, env: str = "phone") -> dict[str, Any]:
    return {"kind": "action", "env": env, "start": start, "text": text}


def test_pages_are_nodes_and_actions_between_them_ways() -> None:
    events = [at(0, "Home", ""), act(0, "Open app “Mail”"), at(1, "Mail", "Inbox"), act(1, "Back"), at(2, "Home", "")]
    events += [
        act(2, "Open app “Mail”"),
        at(3, "Mail", "Inbox"),
        act(3, "Wait 1 s", "desktop"),
        at(4, "Files", "", "desktop"),
    ]
    found = screen_map(events)
    assert found is not None
    told = [(node["env"], node["app"], node["title"], node["visits"], node["last"]) for node in found["nodes"]]
    assert told == [("phone", "Home", "", 2, 2), ("phone", "Mail", "Inbox", 2, 3), ("desktop", "Files", "", 1, 4)]
    home, mail, _ = (node["id"] for node in found["nodes"])
    assert found["edges"] == [
        {"from": home, "to": mail, "action": "Open app “Mail”", "count": 2},
        {"from": mail, "to": home, "action": "Back", "count": 1},
    ]


def test_the_map_that_a_memory_told_comes_first() -> None:
    told = {"nodes": [{"id": "a", "app": "Mail", "title": "", "visits": 1, "last": 0.0}], "edges": []}
    events = [at(0, "Home", ""), {"kind": "summary", "env": "", "start": 1, "detail": told}]
    assert screen_map(events) == told


def test_without_a_place_there_is_no_map() -> None:
    assert screen_map([act(0, "Back")]) is None
