"""An observation of BrowserGym as plain JSON.

Runs with the interpreter that has BrowserGym, so it imports the standard library, and Pillow where a picture is asked
for. It is used by the script of the suite and by our agents in AgentLab's loop.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping
from typing import Any

VISIBLE = 0.5
"""The least visibility, in 0..1, of an element that is told; BrowserGym's own default for its texts."""
STATES = ("focused", "disabled", "checked", "selected", "expanded", "pressed", "required", "readonly")
NAMED_BY_CONTENT = ("generic", "none", "paragraph", "section", "div", "span", "label", "LabelText", "listitem", "")
"""Roles that a browser gives no name of their content; they are told with the texts in them."""


def read_observation(observation: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of an observation.

    Returns:
        `size` [w, h] and `png` (Base64) of the screenshot, to which all coordinates refer; `elements`, each with `id`,
        `role`, `name`, `value`, `states`, `box` [x, y, w, h] in its pixels; `url`, `titles`, `tab`, `error` of the
        last action, "" for none.
    """
    pixels = observation["screenshot"]
    height, width = pixels.shape[:2]
    return {
        "size": [int(width), int(height)],
        "png": _png(pixels),
        "elements": list(
            _elements(
                observation["axtree_object"]["nodes"],
                observation["extra_element_properties"],
                tags_by_id(observation["dom_object"]),
            )
        ),
        "url": str(observation["url"]),
        "titles": [str(title) for title in observation["open_pages_titles"]],
        "tab": int(observation["active_page_index"][0]),
        "error": str(observation["last_action_error"]),
    }


def read_goal(observation: Mapping[str, Any]) -> tuple[str, int]:
    """The instruction in words, and how many pictures belong to it."""
    parts = list(observation["goal_object"])
    words = "\n".join(str(part["text"]) for part in parts if part["type"] == "text")
    return words, sum(part["type"] != "text" for part in parts)


def tags_by_id(dom: Mapping[str, Any]) -> dict[str, str]:
    """The HTML tag of each element that has an id, in lower case, from BrowserGym's DOM snapshot."""
    strings = dom["strings"]
    found: dict[str, str] = {}
    for document in dom["documents"]:
        nodes = document["nodes"]
        for name, attributes in zip(nodes["nodeName"], nodes["attributes"], strict=True):
            for key, value in zip(attributes[::2], attributes[1::2], strict=True):
                if key >= 0 and value >= 0 and strings[key] == "bid":
                    found[strings[value]] = strings[name].lower()
    return found


def _elements(
    nodes: list[Mapping[str, Any]], properties: Mapping[str, Any], tags: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    by_id = {node["nodeId"]: node for node in nodes}
    for node in nodes:
        bid = str(node.get("browsergym_id") or "")
        more = properties.get(bid)
        if not more or node.get("ignored") or more["bbox"] is None or (more["visibility"] or 0.0) < VISIBLE:
            continue
        role, name = _value(node, "role"), _value(node, "name").strip()
        if role in NAMED_BY_CONTENT:
            # Text lies in a child that has no id: without this, a clickable <span> would have no name.
            clickable = bool(more["clickable"])
            name = name or " ".join(_texts(node, by_id, clickable))
            if not name and not clickable:
                continue
            if role != "listitem":
                role = "text" if not clickable else "link" if tags.get(bid, "") in ("a", "span") else "button"
        told = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
        yield {
            "id": bid,
            "role": role.lower(),
            "name": name,
            "value": _value(node, "value"),
            "states": [state for state in STATES if told.get(state) not in (None, False, "false", "")],
            "box": [float(side) for side in more["bbox"]],
        }


def _texts(node: Mapping[str, Any], by_id: Mapping[str, Any], deep: bool) -> Iterator[str]:
    """The texts of its children, and if `deep`, of theirs."""
    for id in node.get("childIds", ()):
        child = by_id.get(id)
        if child is None:
            continue
        if _value(child, "role") == "StaticText":
            if text := _value(child, "name").strip():
                yield text
        elif deep and _value(child, "role") in NAMED_BY_CONTENT:  # what has a name of its own lends it to nobody
            yield from _texts(child, by_id, deep)


def _value(node: Mapping[str, Any], field: str) -> str:
    return str(node.get(field, {}).get("value", "") or "")


def _png(pixels: Any) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)
    return base64.b64encode(file.getvalue()).decode()
