"""The foreground window, if several windows share a screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omnipilot.envs import Element
from omnipilot.envs.types import FIELDS

_ADDRESS = re.compile(r"^(?:address|url|location)\b", re.IGNORECASE)
_BAR = "titlebar"
DIALOGS = frozenset({"dialog", "alertdialog"})


def in_front(elements: Sequence[Element]) -> list[Element]:
    """The elements of the foreground window and anything drawn over it; all elements if there are no windows.

    Elements come in the order in which they are drawn, so that what follows the last title bar is in front.
    """
    bars = [at for at, element in enumerate(elements) if element.role == _BAR]
    return list(elements[bars[-1] :] if bars else elements)


def is_content(element: Element) -> bool:
    """Whether it is part of the content, unlike the clock and a page's address."""
    return element.role != "time" and not (element.role in FIELDS and _ADDRESS.search(element.name))


def title(elements: Sequence[Element]) -> str:
    """The title of the foreground window; "" if there are no windows."""
    bars = [element for element in elements if element.role == _BAR]
    return bars[-1].name if bars else ""


def dialog(elements: Sequence[Element]) -> list[Element] | None:
    """The elements of the foreground dialog; None if there is none."""
    found = [element for element in elements if element.role in DIALOGS]
    if not found:
        return None
    return [e for e in elements if e is not found[-1] and found[-1].box.contains(e.box.center)]
