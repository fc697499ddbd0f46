"""The numbers of marks in what a planner says."""

from __future__ import annotations

import re

from omnipilot.envs.types.actions import Described, Ref

_NUMBER = re.compile(r"\s*(?:the\s+)?(?:mark|number|no\.|#)?\s*\[?(\d{1,4})\]?\s*", re.IGNORECASE)


def spoken_number(target: Described) -> int | None:
    """The number of a mark that a description is, such as `Ref("7")`, "7" or "mark 7"; None if it is no number."""
    found = _NUMBER.fullmatch(target.id if isinstance(target, Ref) else target)
    return int(found[1]) if found else None
