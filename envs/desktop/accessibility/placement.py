"""From the trees of programs and the windows of the screen to elements: where each is, and what hides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from omnipilot.envs.desktop.accessibility.roles import (
    ARIA,
    CHECKABLE,
    ENABLED,
    GROUP,
    LABELLED,
    MENUS,
    NAMED_ONLY,
    SCROLLED,
    SENSITIVE,
    SHOWING,
    describe_states,
)
from omnipilot.envs.desktop.accessibility.walk import AccessibleNode, AccessibleProgram
from omnipilot.envs.desktop.program_kinds import origin_of_program
from omnipilot.envs.desktop.x11.windows import Rectangle, XWindow
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.observation import Element

Edges: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels of the screen."""
LONGEST_NAME = 200
"""Characters of a name that is put together from labels."""
STEP = 0.25
"""Programs are scaled by multiples of this."""
SCALES = (0.5, 4.0)


@dataclass(frozen=True, slots=True)
class CoordinateFit:
    """How a program's coordinates become those of the screen: times `scale`, plus an offset in pixels.

    Attributes:
        window: that the nodes lie in, None if none was found. level: of that window in the stack, from 0.
    """

    window: XWindow | None
    level: int
    scale: float = 1.0
    dx: float = 0.0
    dy: float = 0.0

    def place(self, node: AccessibleNode) -> Edges | None:
        """Edges of a node in pixels of the screen, or None if it has no area."""
        if node.place is None or node.place[2] <= 0 or node.place[3] <= 0:
            return None
        x, y, width, height = node.place
        left, top = x * self.scale + self.dx, y * self.scale + self.dy
        return left, top, left + width * self.scale, top + height * self.scale


def fit_windows(
    programs: Sequence[AccessibleProgram], stack: Sequence[XWindow]
) -> list[tuple[AccessibleProgram, AccessibleNode, CoordinateFit]]:
    """Every top node with the window that shows it, the lowest window first; top nodes without one come first."""
    choices = []
    for program in programs:
        for node in program.windows:
            for level, window in enumerate(stack):
                cost, fit = _compare(program, node, window, level)
                choices.append((cost, id(node), window.id, program, node, fit))
    choices.sort(key=lambda choice: choice[0])
    fitted: list[tuple[AccessibleProgram, AccessibleNode, CoordinateFit]] = []
    nodes, windows = set(), set()
    for cost, node_id, window_id, program, node, fit in choices:
        if cost < _NEVER and node_id not in nodes and window_id not in windows:
            nodes.add(node_id)
            windows.add(window_id)
            fitted.append((program, node, fit))
    alone = [
        (program, node, CoordinateFit(None, -1))
        for program in programs
        for node in program.windows
        if id(node) not in nodes
    ]
    return alone + sorted(fitted, key=lambda one: one[2].level)


def _with_silent_windows(
    fitted: list[tuple[AccessibleProgram, AccessibleNode, CoordinateFit]], stack: Sequence[XWindow]
) -> list[tuple[AccessibleProgram, AccessibleNode, CoordinateFit]]:
    """The same with those windows too whose programs tell no elements, such as players: a node each, by its title."""
    told = {fit.window.id for _, _, fit in fitted if fit.window is not None}
    silent = [
        (
            AccessibleProgram("x", window.program, window.pid),
            AccessibleNode("x", f"/{window.id}", None, "frame", window.title or window.program, states=_LIVE),
            CoordinateFit(window, level),
        )
        for level, window in enumerate(stack)
        if window.id not in told and not window.popup
    ]
    return sorted([*fitted, *silent], key=lambda one: one[2].level)


_LIVE = frozenset({ENABLED, SENSITIVE, SHOWING})
_NEVER = 1e6


def _compare(
    program: AccessibleProgram, node: AccessibleNode, window: XWindow, level: int
) -> tuple[float, CoordinateFit]:
    """What speaks against a node being in a window, and how it fits."""
    never = (_NEVER, CoordinateFit(None, -1))
    if node.place is None or node.place[2] <= 0 or node.place[3] <= 0:
        return never
    if program.pid and window.pid and program.pid != window.pid:
        return never
    same_title = bool(node.name) and " ".join(window.title.split()) == node.name
    if not (program.pid and window.pid) and not same_title and not window.popup:
        return never
    x, y, width, height = node.place
    best = never
    left, right, top, bottom = window.shadow
    solid = (window.inner[0] + left, window.inner[1] + top, window.inner[2] - right, window.inner[3] - bottom)
    # Some toolkits count the frame to the node of a window, others do not.
    for framed, outline in ((True, window.outer), (False, window.inner), (True, solid)):
        across, down = outline[2] - outline[0], outline[3] - outline[1]
        if across <= 0 or down <= 0:
            continue
        scale = round(across / width / STEP) * STEP
        if not SCALES[0] <= scale <= SCALES[1]:
            continue
        error = abs(width * scale - across) + abs(height * scale - down)
        if program.gtk4:
            # Its coordinates are those in the window, without the shadow that is drawn around it.
            dx = window.inner[0] + (window.inner[2] - window.inner[0] - width * scale) / 2
            dy = window.inner[1] + (window.inner[3] - window.inner[1] - height * scale) / 2
            fit = CoordinateFit(window, level, scale, dx, dy)
        else:
            apart = abs(x * scale - outline[0]) + abs(y * scale - outline[1])
            error += 0.5 * min(apart, 200.0)
            # Where the frame is counted the children are placed without it, and right.
            exact = not framed and program.toolkit.casefold() == "qt"
            dx, dy = (outline[0] - x * scale, outline[1] - y * scale) if exact else (0.0, 0.0)
            fit = CoordinateFit(window, level, scale, dx, dy)
        cost = error + (0.0 if same_title else 40.0)
        if cost < best[0]:
            best = (cost, fit)
    return best


def list_elements(
    programs: Sequence[AccessibleProgram], stack: Sequence[XWindow], size: Size, every: bool = False
) -> list[tuple[Element, AccessibleNode]]:
    """The elements on a screen with the nodes that they are of, the lowest window first, else in document order.

    What lies wholly under higher windows is left out; of what lies partly under them, the box is the largest part that
    is in sight.

    Args:
        stack: every window on the screen, the lowest first.
        every: list what is out of sight too, as `offscreen`, with a flat box at the nearest edge.
    """
    listed: list[tuple[Element, AccessibleNode]] = []
    ids: set[str] = set()
    for program, top, fit in _with_silent_windows(fit_windows(programs, stack), stack):
        higher = [window.seen for window in stack[fit.level + 1 :]]
        origin = _origin(program, top, fit)
        popups = [
            (window, [above.seen for above in stack[level + 1 :]])
            for level, window in enumerate(stack)
            if window.popup and window.pid == program.pid
        ]
        for node, shown_in, clip in _document_order(top, fit):
            edges = _edges(node, fit, clip)
            hidden_by: list[Rectangle] | None = higher if shown_in != "list" else None
            if edges is not None and shown_in:
                for window, above in popups:
                    if _inside(edges, window.outer):
                        hidden_by = above
            box = _visible(edges, hidden_by, size) if edges is not None and hidden_by is not None else None
            title = fit.window.title if fit.window is not None and node.parent is None else ""
            element = _element(node, element_name(program, node) or title, box, edges or fit.place(node), size, every)
            if element is not None and element.id not in ids:
                ids.add(str(element.id))
                listed.append((replace(element, origin=origin), node))
    return listed


def _origin(program: AccessibleProgram, top: AccessibleNode, fit: CoordinateFit) -> str:
    """Where the words in a window come from: a notification, or what its program is for."""
    if top.role == "notification":
        return "notification"
    names = [program.name]
    if fit.window is not None:
        names += [fit.window.program, fit.window.instance]
    return next(filter(None, map(origin_of_program, names)), "screen")


def _document_order(top: AccessibleNode, fit: CoordinateFit) -> Iterator[tuple[AccessibleNode, str, Edges | None]]:
    """A node and what is below it.

    Yields:
        The node; "menu" if it may be shown in a menu's window, "list" if it is shown only in that of a drop-down list,
        else ""; and the edges that it is cut off at, those of what it is scrolled in, None for none.
    """
    whole: Edges | None = None
    if fit.window is not None:
        x0, y0, x1, y1 = fit.window.seen
        whole = (float(x0), float(y0), float(x1), float(y1))
    waiting: list[tuple[AccessibleNode, str, Edges | None]] = [(top, "", whole)]
    while waiting:
        node, shown_in, clip = waiting.pop()
        yield node, shown_in, clip
        if node.role in SCROLLED and (own := fit.place(node)) is not None:
            clip = own if clip is None else _common(clip, own)
        inside = shown_in or ("menu" if node.role in MENUS else "")
        if node.role in MENUS and node.role != "combo box":
            clip = None
        for child in reversed(node.children):
            dropped = node.role == "combo box" and child.role in ("list", "menu", "table", "tree", "window")
            waiting.append((child, "list" if dropped else inside, None if dropped else clip))


def _common(one: Edges, other: Edges) -> Edges:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _edges(node: AccessibleNode, fit: CoordinateFit, clip: Edges | None) -> Edges | None:
    """Edges of a node on the screen: of a window those that are drawn, of others what is not scrolled out of sight."""
    if node.parent is None and fit.window is not None:
        left, top, right, bottom = fit.window.seen
        return float(left), float(top), float(right), float(bottom)
    edges = fit.place(node)
    if edges is None or clip is None:
        return edges
    cut = _common(edges, clip)
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else None


def _element(
    node: AccessibleNode, name: str, box: Box | None, edges: tuple[float, ...] | None, size: Size, every: bool
) -> Element | None:
    role = ARIA.get(node.role, GROUP)
    if role == "window" and node.parent is not None:  # Qt calls any area with a border so
        role = GROUP
    if role in LABELLED and not name:
        name = " ".join(_labels_below(node))[:LONGEST_NAME]
    if role in NAMED_ONLY and not name and not node.value and CHECKABLE not in node.states:
        return None
    if node.role in ("application", "filler", "separator", "redundant object") and not name:
        return None
    if role == "text" and not name:
        return None
    states = describe_states(node.states, node.role)
    if box is None:
        if not every:
            return None
        states |= {"offscreen"}
        box = _flat(edges, size)
    return Element(role, name, box, states, node.id, "tree", node.value.rstrip("\n"))


def _labels_below(node: AccessibleNode) -> Iterator[str]:
    for child in node.children:
        if child.role in ("label", "static") and child.name:
            yield child.name
        yield from _labels_below(child)


def element_name(program: AccessibleProgram, node: AccessibleNode) -> str:
    """A node's name, else that of its label, else its description."""
    name = node.name.strip()
    if program.gtk4:
        half = name[: len(name) // 2]
        if len(name) % 2 and name == f"{half} {half}":
            name = half
        if name.startswith("Gtk") and name.isalnum():
            name = ""
    return name or node.description.strip()


def _visible(edges: Edges, hidden_by: Sequence[Rectangle], size: Size) -> Box | None:
    """The largest part of a rectangle that is on the screen and under none of the others, or None."""
    left, top, right, bottom = edges
    parts = [(max(left, 0.0), max(top, 0.0), min(right, float(size.width)), min(bottom, float(size.height)))]
    if parts[0][0] >= parts[0][2] or parts[0][1] >= parts[0][3]:
        return None
    for other in hidden_by:
        parts = [piece for part in parts for piece in _without(part, other)]
        if not parts:
            return None
    largest = max(parts, key=lambda part: (part[2] - part[0]) * (part[3] - part[1]))
    return Box.clipped(*largest, size)


def _without(part: Edges, other: Rectangle) -> list[Edges]:
    """The parts of a rectangle beside another: those above and below in full width, those left and right between,
    or the other way about, whichever has the larger part."""
    left, top, right, bottom = part
    x0, y0, x1, y1 = max(left, other[0]), max(top, other[1]), min(right, other[2]), min(bottom, other[3])
    if x0 >= x1 or y0 >= y1:
        return [part]
    wide = [(left, top, right, y0), (left, y1, right, bottom), (left, y0, x0, y1), (x1, y0, right, y1)]
    high = [(left, top, x0, bottom), (x1, top, right, bottom), (x0, top, x1, y0), (x0, y1, x1, bottom)]
    choice = max((wide, high), key=lambda pieces: max((p[2] - p[0]) * (p[3] - p[1]) for p in pieces))
    return [piece for piece in choice if piece[2] - piece[0] >= 1 and piece[3] - piece[1] >= 1]


def _flat(edges: tuple[float, ...] | None, size: Size) -> Box:
    """A box without area at the edge of the screen that is nearest."""
    if edges is None:
        return Box(0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = (
        min(max(edge / side, 0.0), 1.0)
        for edge, side in zip(edges, (size.width, size.height, size.width, size.height), strict=True)
    )
    return Box(left, top, max(left, right), max(top, bottom))


def _inside(edges: Edges, outline: Rectangle, margin: float = 2.0) -> bool:
    return (
        edges[0] >= outline[0] - margin
        and edges[1] >= outline[1] - margin
        and edges[2] <= outline[2] + margin
        and edges[3] <= outline[3] + margin
    )
