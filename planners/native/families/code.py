"""Models that write Python: Aguvis, OpenCUA, ScaleCUA."""

from __future__ import annotations

from collections.abc import Iterable

from omnipilot.envs import Intent, Swipe, System
from omnipilot.envs.types import Direction, SmartResize
from omnipilot.memory.models.replies.action_text import after
from omnipilot.planners.native.actions_pointing import DIRECTIONS, long_press
from omnipilot.planners.native.actions_text import always, answer, ask, open_app, select, terminate, wait
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily
from omnipilot.planners.native.pyautogui import AT, IGNORES, PYAUTOGUI, add_prefix, fixed_clicks
from omnipilot.planners.native.reader import python, thought_before

EVERYWHERE = {
    "mobile.home": always(System("home")),
    "mobile.back": always(System("back")),
    "mobile.open_app": open_app("app_name", "app"),
    "mobile.long_press": long_press(AT),
    "mobile.wait": wait("seconds", usual=5.0),
    "browser.select_option": select(AT, value="value"),
    "terminate": terminate("status", "answer"),
    "answer": answer("answer", "text"),
    "time.sleep": PYAUTOGUI["sleep"],
}


def _swipe(a: Arguments, usual: Direction | None = None) -> Iterable[Intent]:
    end = a.point_or_none("to_coord")
    if end is not None:
        return [Swipe(None, a.point("from_coord"), end)]
    way: Direction = a.option("direction", options=DIRECTIONS, default=usual)
    return [Swipe(way, a.point_or_none("from_coord"))]


SWIPE = NativeAction(("from_coord", "to_coord", "direction", "amount"), _swipe)
"""A swipe between two points; the direction is used only without an end point, the amount never."""


def action_line(reply: str) -> str:
    """The model's description of its action: the line after `Action:`, else the last line of its reply."""
    found = after(reply, "Action")
    lines = [line for line in thought_before(found[1] if found else reply).splitlines() if line.strip()]
    return lines[0 if found else -1].strip() if lines else ""


PREFIXES = ("pyautogui.", "time.", "computer.", "mobile.", "browser.", "terminate(", "answer(")
_SENTENCE = (
    "the system sentence and, for Aguvis, the question are the authors' (aguvis/src/aguvis/constants.py, 178c418); "
)

AGUVIS = NativeFamily(
    name="aguvis",
    example="pyautogui.click(x=0.5, y=0.5)",
    models=("xlangai/Aguvis-7B-720P", "xlangai/Aguvis-72B-720P"),
    space="norm1",
    resize=SmartResize(28, 256 * 28**2, 46 * 26 * 28**2),
    read=python(PREFIXES),
    actions={**add_prefix("pyautogui", PYAUTOGUI), **EVERYWHERE, "mobile.swipe": SWIPE},
    ignores=IGNORES,
    layout=ConversationLayout("aguvis", history="list", images=1, image_first=True, done=action_line, ours=False),
    parameters={"temperature": 0.0, "max_tokens": 1024, "stop": ["<|diff_marker|>"]},
    evidence="code",
    source="aguvis/src/aguvis/constants.py, serve/cli.py (178c418)",
    note=_SENTENCE + "the model's own chat template chooses its mode by how the answer begins: serve it with that",
)

OPENCUA_ACTIONS = {
    **add_prefix("pyautogui", PYAUTOGUI),
    "computer.triple_click": fixed_clicks("left", 3),
    "computer.terminate": terminate("status", "answer"),
    "computer.wait": wait("seconds", usual=5.0),
    "time.sleep": PYAUTOGUI["sleep"],
}

OPENCUA = NativeFamily(
    name="opencua",
    example="## Action:\n…\n## Code:\n```python\npyautogui.click(x=500, y=500)\n```",
    models=tuple(f"xlangai/OpenCUA-{size}" for size in ("7B", "32B", "72B")),
    space="abs_resized",
    resize=SmartResize(),
    read=python(PREFIXES, label="Code"),
    actions=OPENCUA_ACTIONS,
    ignores=IGNORES,
    layout=ConversationLayout("opencua", images=3, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 2048},
    evidence="code",
    source="OpenCUA model/README.md (1d70f20)",
    note=_SENTENCE + "the rest is our wording; a notch of scroll(n) depends on the system (OpenCUA#50)",
)

OPENCUA_SHARES = NativeFamily(
    name="opencua-norm1",
    example="```python\npyautogui.click(x=0.5, y=0.5)\n```",
    models=("xlangai/OpenCUA-Qwen2-7B", "xlangai/OpenCUA-A3B"),
    space="norm1",
    read=OPENCUA.read,
    actions=OPENCUA_ACTIONS,
    ignores=IGNORES,
    layout=OPENCUA.layout,
    parameters=OPENCUA.parameters,
    evidence="code",
    source="OpenCUA model/README.md (1d70f20); OpenCUA#22 #46",
    note=OPENCUA.note,
)

KIMI = NativeFamily(
    name="kimi-k2.5",
    example=OPENCUA_SHARES.example,
    models=("moonshotai/Kimi-K2.5", "moonshot/kimi-k2.5"),
    space="norm1",
    read=OPENCUA.read,
    actions={**OPENCUA_ACTIONS, "computer.wait": wait("seconds", usual=20.0)},
    ignores=IGNORES,
    layout=ConversationLayout("opencua", images=3, image_first=True),
    parameters={"temperature": 1.0, "top_p": 0.95, "max_tokens": 4096},
    evidence="third-party",
    source="OSWorld mm_agents/kimi/kimi_agent.py (as copied in OSWorldUse, 4c8127b)",
    note="the prompt is our wording; its runner takes numbers above 1 for pixels, which are refused here",
)

SCALECUA_ACTIONS = {
    **PYAUTOGUI,
    **add_prefix("pyautogui", PYAUTOGUI),
    "time.sleep": PYAUTOGUI["sleep"],
    **{name.partition(".")[2]: action for name, action in EVERYWHERE.items() if name.startswith("mobile.")},
    "swipe": NativeAction(SWIPE.takes, lambda a: _swipe(a, usual="up")),
    "navigate_back": always(System("back")),
    "navigate_home": always(System("home")),
    "response": answer("answer"),
    "terminate": terminate("status", "info"),
    "wait": wait("seconds", usual=3.0),
    **dict.fromkeys(("calluser", "call_user"), ask()),
}

SCALECUA = NativeFamily(
    name="scalecua",
    example="<action>\nclick(x=500, y=500)\n</action>",
    models=tuple(f"OpenGVLab/ScaleCUA-{size}" for size in ("7B", "3B", "32B")),
    space="abs_resized",
    resize=SmartResize(28, 3136, 2_007_040),
    read=python(tuple(f"{name}(" for name in SCALECUA_ACTIONS), tag="action"),
    actions=SCALECUA_ACTIONS,
    ignores=IGNORES,
    layout=ConversationLayout("scalecua", images=3, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 2048},
    evidence="code",
    source="ScaleCUA evaluation/WebArenaLiteV2 (5d92fee)",
    note="the prompt is our wording; of several blocks the first counts, with all of its lines",
)

FAMILIES = (AGUVIS, OPENCUA, OPENCUA_SHARES, KIMI, SCALECUA)
