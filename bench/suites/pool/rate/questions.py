"""What raters are asked about each task."""

from __future__ import annotations

from collections.abc import Mapping

QUESTIONS: Mapping[str, str] = {
    "clear": "Is it clear what is to be done?",
    "one goal": "Does it all serve one goal?",
    "possible": "Can it be done in the world that is shown?",
    "order kept": "Do the words say which part needs what another part yields, and no more?",
    "judged rightly": "Would its judges accept every right way, and no wrong one?",
}
"""By the reason that a "no" stands for. The paper gives acceptance alone; the questions are ours."""
