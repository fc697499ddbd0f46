"""Reading a page with all its frames and shadow roots.

Our script enters open shadow roots and frames of the same origin by itself. Frames of other origins have a script of
their own, whose elements are put where the frame is; closed shadow roots are handed to the script by the browser.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from omnipilot.envs.types.observation import Context
from omnipilot.envs.types.words_origin import origin_of
from omnipilot.envs.web.tabs import FrameWorld, PageLeft, Tab

Raw = dict[str, Any]
GRACE = 1000
"""Milliseconds that all frames of other origins may take together beyond the limit of the page itself."""
DEEPEST = 8
"""Maximum depth of frames of other origins within each other."""


def read_page(tab: Tab, limits: Mapping[str, Any]) -> Raw:
    """What `read` tells, with the elements of all frames.

    Args:
        limits: `cap` (0 for none), `ms` (0 for none), `all`, `pierce`; the cap is that of the whole page.
    """
    started = time.monotonic()
    raw = _read(tab, tab, limits)
    if raw["foreign"]:
        raw["items"] = _merged(tab, tab, raw, limits, started, DEEPEST)
    return raw


def choose_option(tab: Tab, x: float, y: float, value: str) -> Raw:
    """Choose an option of the drop-down list at a place, in whatever frame it is."""
    answer = _ask_at(tab, "choose", {"x": x, "y": y, "value": value})
    return answer or {"problem": "a frame that cannot be read is there", "options": None}


def fill_field(tab: Tab, at: tuple[float, float] | None, text: str, clear: bool) -> Raw:
    """Fill a field that is no text box, such as that of a date, or choose from a drop-down list, in whatever frame.

    Args:
        at: its place; None for the field that has the focus.

    Returns:
        {done}, {problem}, or {keys} where it takes keys; with {list} of a list, and its {options} if none was chosen.
    """
    x, y = at or (None, None)
    return _ask_at(tab, "fill", {"x": x, "y": y, "text": text, "clear": clear}) or {"keys": True}


def options_words(options: Sequence[str]) -> str:
    """What a drop-down list has, up to 30 of its options."""
    return ", ".join(map(repr, options[:30])) + (f" and {len(options) - 30} more" if len(options) > 30 else "")


def _ask_at(tab: Tab, function: str, argument: Mapping[str, Any]) -> Raw | None:
    """The answer of the frame in which a place lies; None if that cannot be asked."""
    world: FrameWorld = tab
    for _ in range(DEEPEST):
        answer: Raw = world.call(function, argument)
        if "frame" not in answer:
            return answer
        inner = _world_at(tab, world, answer["frame"])
        if inner is None:
            break
        world, argument = inner, {**argument, "x": answer["x"], "y": answer["y"]}
    return None


def _read(tab: Tab, world: FrameWorld, limits: Mapping[str, Any]) -> Raw:
    raw: Raw = world.call("read", limits)
    if limits["pierce"] and raw["suspects"] and not raw["detail"] and _adopt_closed_roots(tab, world):
        return world.call("read", limits)  # type: ignore[no-any-return]
    return raw


def _merged(tab: Tab, world: FrameWorld, raw: Raw, limits: Mapping[str, Any], started: float, depth: int) -> list[Any]:
    """The items of a frame with those of the frames in it, each in its place; a cut is told in `raw`."""
    items: list[Any] = []
    done = 0
    room = limits["cap"] - len(raw["items"]) if limits["cap"] else 0
    for place in raw["foreign"]:
        items += raw["items"][done : place["before"]]
        done = place["before"]
        clip = place["clip"]
        if (clip["right"] <= clip["left"] or clip["bottom"] <= clip["top"]) and not limits["all"]:
            continue
        left = limits["ms"] + GRACE - round((time.monotonic() - started) * 1000)
        if (limits["cap"] and room <= 0) or (limits["ms"] and left <= 0):
            raw["detail"] = raw["detail"] or "stopped before some frames were read"
            break
        inner = _read_frame(
            tab, world, place, {**limits, "cap": room, "ms": min(max(left, 0), limits["ms"])}, started, depth
        )
        if inner is None:
            continue
        items += inner["items"]
        room -= len(inner["items"])
        raw["moved"] = raw["moved"] or inner["moved"]
        raw["detail"] = raw["detail"] or inner["detail"]
        if done < len(raw["items"]) and raw["items"][done][0] == "iframe":
            done += 1  # as with frames of the same origin, its content stands for it
    items += raw["items"][done:]
    return items


def _read_frame(
    tab: Tab, parent: FrameWorld, place: Raw, limits: Mapping[str, Any], started: float, depth: int
) -> Raw | None:
    for _ in range(2):  # the second time with a new world, if the frame went to another page
        world = _world_at(tab, parent, place["index"]) if depth else None
        if world is None:
            return None
        world.offset = (place["dx"], place["dy"])
        where = {key: place[key] for key in ("dx", "dy", "clip", "view")}
        given = {**limits, "inside": {**where, "mark": tab.frame_mark(world.frame)}}
        try:
            raw = _read(tab, world, given)
            here = _origin(raw["url"])
            # Frames within it have said theirs, which are longer by that.
            raw["items"] = [[*item, here] for item in raw["items"]]
            if raw["foreign"]:
                raw["items"] = _merged(tab, world, raw, given, started, depth - 1)
            return raw
        except (PageLeft, tab.error):
            tab.forget_frame(world.frame)
    return None


def _origin(url: str) -> str:
    """Whose words a frame shows; a page without a name where its address has no host."""
    origin = origin_of(None, Context(url=url))
    return str(origin) if origin.kind == "web" else "web"


def _world_at(tab: Tab, parent: FrameWorld, index: int) -> FrameWorld | None:
    """Our script in the frame that the parent's script knows by an index; None if it is gone."""
    try:
        with _handle(parent, f"omnipilot.opaque[{index}]") as element:
            node = parent.session.send("DOM.describeNode", {"objectId": element})["node"]
    except (PageLeft, tab.error):
        return None
    return tab.frame_world(node["frameId"]) if "frameId" in node else None


@contextmanager
def _handle(world: FrameWorld, expression: str) -> Iterator[str]:
    """An object of the page by reference, released in the end."""
    answer = world.session.send("Runtime.evaluate", {"expression": expression, "contextId": world.context()})
    handle = answer["result"].get("objectId", "")
    if not handle:
        raise PageLeft
    try:
        yield handle
    finally:
        with suppress(world.error):
            world.session.send("Runtime.releaseObject", {"objectId": handle})


def _adopt_closed_roots(tab: Tab, world: FrameWorld) -> bool:
    """Hand the closed shadow roots of a frame to its script; returns whether there were any."""
    session, found = world.session, False
    try:
        context = world.context()
        document = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        start = document if world is tab else _document_of(document, world.frame) or document
        for nodes in _closed_roots(start):
            # What belongs to a frame of another origin cannot be given to this script; that frame's own gets it.
            with suppress(tab.error):
                pair = [
                    session.send("DOM.resolveNode", {"backendNodeId": node, "executionContextId": context})["object"]
                    for node in nodes
                ]
                session.send(
                    "Runtime.callFunctionOn",
                    {
                        "functionDeclaration": "function (host, root) { omnipilot.adopt(host, root) }",
                        "executionContextId": context,
                        "arguments": [{"objectId": each["objectId"]} for each in pair],
                    },
                )
                found = True
        world.call("markExamined")
    except tab.error:
        pass  # the page went on meanwhile; the next look finds them
    return found


def _document_of(node: Raw, frame: str) -> Raw | None:
    for inner in _below(node):
        if inner.get("frameId") == frame and "contentDocument" in inner:
            return inner["contentDocument"]  # type: ignore[no-any-return]
    return None


def _below(node: Raw) -> Iterator[Raw]:
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += node.get("children", ())
        stack += node.get("shadowRoots", ())
        if "contentDocument" in node:
            stack.append(node["contentDocument"])


def _closed_roots(document: Raw) -> Iterator[tuple[int, int]]:
    """Node ids of hosts and their closed roots, in a document and the frames in its process."""
    for node in _below(document):
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                yield node["backendNodeId"], root["backendNodeId"]
