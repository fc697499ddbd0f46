"""Actions in OS-Atlas's notation: `CLICK <point>[[120,340]]</point>`, `TYPE [hello]`, one per line, in thousandths.

SCROLL names where new content appears, as the verb does and as AndroidControl's recordings do (its "scroll down" shows
what lies further down); a swipe names the finger's motion and is inverted. Actions without an OS-Atlas name are written
in capitals and match nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.envs import (
    Action,
    Answer,
    Click,
    Done,
    Drag,
    LongPress,
    MouseMove,
    OpenApp,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.types import Direction
from omnipilot.planners.native.actions_pointing import OPPOSITE

SYSTEM = {"back": "PRESS_BACK", "home": "PRESS_HOME", "recents": "PRESS_RECENT"}
STATUS = {"success": "COMPLETE", "failure": "IMPOSSIBLE", "infeasible": "IMPOSSIBLE"}
KEYS = {"pagedown": "PGDN", "pageup": "PGUP", "meta": "COMMAND"}
"""Keys whose capitals are other than their names'."""


def reply_of(actions: Sequence[Action], problem: str = "", touch: bool = True) -> str:
    """Actions as a reply in the form that OS-Atlas's evaluators read; "" without actions.

    Args:
        problem: why some moves could not be carried out; the reply then ends in a line that matches nothing.
        touch: see `lines_of`.
    """
    lines = [line for action in actions for line in lines_of(action, touch)]
    if problem and lines:
        lines.append("FAILED")
    return "actions:\n" + "\n".join(lines) if lines else ""


def lines_of(action: Action, touch: bool = True) -> Iterator[str]:
    """One action's lines: a single one, except for text typed into a place or sent with Enter.

    Args:
        touch: the action is on a touch screen, where a drag is a swipe and typing takes a single line; otherwise text
            typed into a place is a click and a TYPE.
    """
    if isinstance(action, TypeText):
        if action.at is not None and not touch:
            yield f"CLICK {place(action.at)}"
        yield f"TYPE [{action.text}]"
        if action.submit and not touch:
            yield "PRESS_ENTER"
        return
    yield _line(action, touch)


def place(point: Point | None) -> str:
    """A place in whole thousandths, truncated as in OS-Atlas's rows (pixel 1027 of 1080 is 950); empty for None."""
    if point is None:
        return "<point>[[]]</point>"
    return f"<point>[[{_thousandths(point.x)},{_thousandths(point.y)}]]</point>"


def _thousandths(share: float) -> int:
    # What was said in whole thousandths keeps them: 0.57 * 1000 is a little less than 570.
    return int(share * 1000 + 1e-6)


def way(action: Swipe[Point] | Drag[Point] | Scroll[Point]) -> Direction | None:
    """Where new content appears: a scroll's direction, or the opposite of the finger's; None without motion."""
    if isinstance(action, Scroll):
        return action.direction
    if isinstance(action, Swipe) and action.direction is not None:
        return OPPOSITE[action.direction]
    start, end = action.start, action.end
    if start is None or end is None or start == end:
        return None
    across, down = end.x - start.x, end.y - start.y
    if abs(across) > abs(down):
        return "left" if across > 0 else "right"
    return "up" if down > 0 else "down"


def _line(action: Action, touch: bool) -> str:
    if isinstance(action, Click):
        name = {"right": "RIGHTCLICK"}.get(action.button, "DOUBLECLICK" if action.count == 2 else "CLICK")
        return f"{name} {place(action.at)}"
    if isinstance(action, LongPress):
        return f"LONG_PRESS {place(action.at)}"
    if isinstance(action, MouseMove):
        return f"MOVETO {place(action.at)}"
    if isinstance(action, Drag) and not touch:
        return f"DRAGTO {place(action.end)}"
    if isinstance(action, Scroll | Swipe | Drag):
        direction = way(action)
        return f"SCROLL [{direction.upper()}]" if direction else "SCROLL"
    return _word(action)


def _word(action: Action) -> str:
    if isinstance(action, Press):
        names = [KEYS.get(key, key.upper()) for key in action.keys]
        return f"PRESS_{names[0]}" if len(names) == 1 else f"HOTKEY [{'_'.join(names)}]"
    if isinstance(action, OpenApp):
        return f"OPEN_APP [{action.app}]"
    if isinstance(action, System):
        return SYSTEM.get(action.name, f"PRESS_{action.name.upper()}")
    if isinstance(action, Wait):
        return "WAIT"
    if isinstance(action, Done):
        return STATUS[action.status]
    if isinstance(action, Answer):
        return f"ANSWER [{action.text}]"
    return action.kind.upper()
