"""Terminal, on the desktop: a toy shell over the account's files; its language is in terminal_language.py."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.desktop import terminal_language as terminal
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.world_state import Field, WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.media_widgets import ConsoleView
from omnipilot.envs.sim.ui.navigation import focus, forget
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.shortcuts import Shortcuts
from omnipilot.envs.sim.ui.text_field import TextField

PROMPT, RECALL = "terminal/prompt", "terminal/recall"


def enter(state: WorldState) -> WorldState:
    """Execute the line at the prompt."""
    line = typed_text(state, "desktop", PROMPT)
    state = state.own(terminal.run(state.account, line, state.time))
    state = forget("desktop", PROMPT, RECALL, "terminal/screen/")(state)
    return focus("desktop", PROMPT)(state)


def _recall(step: int) -> Do:
    """Recall the previous (1) or next (-1) command, as with the arrow keys."""

    def do(state: WorldState) -> WorldState:
        past = state.account.console.past
        back = min(max(int(state.desktop.values.get(RECALL, 0)) + step, 0), len(past))
        text = past[-back] if back else ""
        state = state.on("desktop", values=state.desktop.values.set(RECALL, back))
        return state.on("desktop", fields=state.desktop.fields.set(PROMPT, Field(text, len(text), len(text))))

    return do


def _terminal(ctx: Ctx) -> Widget:
    console = ctx.account.console
    sign = Label(terminal.prompt(ctx.account), 14, "bold", theme.ACCENT, id="terminal/sign")
    line = PaddedBox(Row((sign, TextField(PROMPT, "Command", submit=enter, flex=1)), 10), (12, 8), theme.BAR)
    keys = {"up": _recall(1), "down": _recall(-1)}
    return Shortcuts(Column((ConsoleView("terminal/screen", console.lines), line)), keys)


def _heading(ctx: Ctx) -> str:
    return f"Terminal - /{ctx.account.console.cwd}"


TERMINAL = App(
    "terminal", "Terminal", "terminal", (52, 58, 70), "desktop", {"terminal": _terminal}, (180, 60, 820, 560), _heading
)
