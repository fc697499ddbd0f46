"""Set-of-Marks: choosing and drawing marks, and pointing by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.marks.drawing import draw_marks as draw_marks
    from omnipilot.grounders.marks.grounder import MarksGrounder as MarksGrounder
    from omnipilot.grounders.marks.marks import Mark as Mark
    from omnipilot.grounders.marks.marks import Marks as Marks
    from omnipilot.grounders.marks.marks import mark as mark

__all__, __getattr__, __dir__ = lazy_exports(__name__)
