"""The map of screens that the page draws."""

from __future__ import annotations

from typing import Any

from omnipilot.bench.report.timeline.screen_map import screen_map
from omnipilot.envs import Absent, Box, Context, Element, Elements, Observation, Size
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import ActionDetail
from omnipilot.memory.episodic.screen_map.companion import MapCompanion

NONE = Absent("ablated")
DONE = ActionDetail("press", "done")


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


def test_the_pages_that_a_memory_recognised_come_first() -> None:
    def page(start: float, title: str, **detail: Any) -> dict[str, Any]:
        return {"kind": "page", "env": "phone", "start": start, "app": "Mail", "page": title, "detail": detail}

    seen = [at(0, "Home", ""), page(0, "", id="phone-1"), page(1, "Inbox", id="phone-2", **{"from": "phone-1"})]
    back = {"id": "phone-1", "from": "phone-2", "action": "Back"}
    found = screen_map([*seen, page(2, "Start", **back)])
    assert found is not None
    assert [(node["id"], node["title"], node["visits"], node["last"]) for node in found["nodes"]] == [
        ("phone-1", "Start", 2, 2),
        ("phone-2", "Inbox", 1, 1),
    ]
    assert found["edges"] == [
        {"from": "phone-1", "to": "phone-2", "action": "", "count": 1},
        {"from": "phone-2", "to": "phone-1", "action": "Back", "count": 1},
    ]


def test_the_graph_of_a_memorys_events_is_its_map() -> None:
    memory, told = MapCompanion(), []
    for turn, name in enumerate(("Alarms", "Edit", "Alarms", "Timers", "Edit")):
        names = (name, f"{name} one", f"{name} two", f"{name} three")
        items = tuple(Element("button", one, Box(0.1, row / 10, 0.6, row / 10 + 0.08)) for row, one in enumerate(names))
        seen = Observation(
            "phone", float(turn), Size(100, 100), NONE, Elements(items), NONE, NONE, Context("Clock", name)
        )
        told += [event.to_json() for event in memory.observe(seen, turn)]
        list(memory.take(TimelineEvent("action", "phone", turn + 0.5, turn + 0.5, turn, f"go {turn}", detail=DONE)))
    found = screen_map(told)
    assert found is not None
    pages = [(page.id, page.visits) for page in memory.map.pages()]
    assert [(node["id"], node["visits"]) for node in found["nodes"]] == pages
    assert pages == [("phone-1", 2), ("phone-2", 2), ("phone-3", 1)]
    edges = [(edge["from"], edge["to"], edge["action"], edge["count"]) for edge in found["edges"]]
    assert edges == [(way.origin, way.target, way.action, way.count) for way in memory.map.ways()]
    assert ("phone-1", "phone-2", "go 0", 1) in edges


def test_without_a_place_there_is_no_map() -> None:
    assert screen_map([act(0, "Back")]) is None
