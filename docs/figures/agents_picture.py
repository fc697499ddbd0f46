"""`python docs/figures/agents_picture.py docs/pictures/agents.png`: the picture of docs/agents.md.

The screens are the embedded world's; the calls have the names and arguments of the tools that its devices make.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer
from grounders_picture import EDGE, GAP, LEFT, MIDDLE, PALE, PALE_RED, RIGHT, WIDE, Sheet
from picture_board import INK, MARK, MUTED, REACHED
from sim_shots import Shot, photograph, taken

from omnipilot.envs import Click, OpenApp, Ref, Size
from omnipilot.envs.sim.render.text import wrap
from omnipilot.planners import Verbs
from omnipilot.planners.chat.toolset import DEVICE, offered_tools

TASK = "Write a note on the phone with the code that stands in Nina's mail."
WORDS = 'On the phone: open Notes. On the desktop: open the mail "Door code".'
CALLS = (("phone", "open_app", 'app="Notes"'), ("desktop", "click", 'target="Door code"'))
WHITE = (255, 255, 255)
SCREENS, HEAD, SAID, WORKERS, CALLED, CARRIED = 164, 304, 424, 510, 650, 742
TALL = 112


class Flow(Sheet):
    """A sheet on which roles stand, and what passes between them."""

    def role(self, x: int, y: int, width: int, height: int, name: str, lines: Sequence[str]) -> None:
        """Somebody who asks a model: a name, and what it is shown or may do, a line each."""
        self.box(x, y, width, height, PALE, REACHED)
        self.text(x + 12, y + 9, name, 14, bold=True, width=width - 20)
        self.lines(x + 12, y + 31, lines, width - 20)

    def passed(self, x: int, y: int, width: int, height: int, lines: Sequence[str], size: int = 13) -> None:
        """Words or calls on their way."""
        self.box(x, y, width, height, PALE_RED, MARK)
        self.lines(x + 12, y + 11, lines, width - 24, size)

    def lines(self, x: int, y: int, lines: Sequence[str], width: int, size: int = 13) -> None:
        """Lines of text, each folded at the width."""
        for line in lines:
            for part in wrap(line, size, "regular", width):
                self._canvas.text(x, y, part, INK, size, "regular")
                y += size + 6


def agents() -> Flow:
    """The picture: 1310 x 850 pixels."""
    world = taken(Shot("Mail", "desktop", (OpenApp("Mail"), Click(Ref("mail/list/mail-3")))))
    phone, desktop = photograph(world, "phone"), photograph(world, "desktop")
    envs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    everywhere = [_call(envs, verb, env, given) for env, verb, given in CALLS]
    alone = {env: _call({env: envs[env]}, verb, env, given) for env, verb, given in CALLS}

    sheet = Flow(2 * EDGE + 3 * WIDE + 2 * GAP, 850)
    sheet.text(EDGE, 20, "Who is shown what, and who acts", 20, bold=True)
    about = (
        "One turn of each agent system. Blue: a role that asks a model; roles may ask different ones. Orange: what "
        "passes between them. A role is shown no more than its box says."
    )
    sheet.words(EDGE, 52, about, 1270)
    heads = (
        ("single", "One model call a turn"),
        ("by-function", "Two: one role sees and thinks, one turns its words into calls"),
        ("by-environment", "Two and one a device: each device has its own agent"),
    )
    for number, (x, (name, note)) in enumerate(zip((LEFT, MIDDLE, RIGHT), heads, strict=True), 1):
        sheet.head(x, SCREENS - 54, str(number), name, note)
        sheet.box(x, SCREENS, 132, TALL, WHITE, MUTED)
        sheet.text(x + 12, SCREENS + 9, "task", 14, bold=True)
        sheet.lines(x + 12, SCREENS + 31, (TASK,), 112, 12)
        sheet.screen(x + 146, SCREENS, phone, Size(50, TALL))
        sheet.screen(x + 210, SCREENS, desktop, Size(180, TALL))
        sheet.arrow(x + WIDE // 2, SCREENS + TALL + 6, x + WIDE // 2, HEAD - 6)
    _single(sheet, everywhere)
    _by_function(sheet, everywhere)
    _by_environment(sheet, alone)
    sheet.box(EDGE, CARRIED, 3 * WIDE + 2 * GAP, 86, WHITE, MUTED)
    sheet.text(EDGE + 14, CARRIED + 10, "In all three, the loop", 14, bold=True)
    sheet.lines(
        EDGE + 14,
        CARRIED + 34,
        (
            "takes the moves in their order. The grounder finds each described place on its device's screen, a fresh "
            "one for every move but the first; the device carries it out; the judges look. Where one fails, the rest "
            "of the turn is skipped. What became of a move is told in the next turn to whoever made it.",
        ),
        3 * WIDE + 2 * GAP - 28,
    )
    return sheet


def _single(sheet: Flow, calls: Sequence[str]) -> None:
    sheet.role(LEFT, HEAD, WIDE, WORKERS + 106 - HEAD, "planner", ())
    for y, title, lines in ((HEAD + 44, "is shown", _SHOWN), (HEAD + 196, "may call", _MAY_CALL)):
        sheet.text(LEFT + 28, y, title, 13, bold=True)
        for row, line in enumerate(lines):
            sheet.text(LEFT + 28, y + 22 + 20 * row, f"·  {line}", 13, width=WIDE - 50)
    _calls(sheet, LEFT, WIDE, calls)


def _by_function(sheet: Flow, calls: Sequence[str]) -> None:
    sheet.role(MIDDLE, HEAD, WIDE, 84, "main agent", _MAIN)
    _says(sheet, MIDDLE)
    seen = (
        "is shown these words, and whether its last calls were",
        "carried out: no task, no screen, no memory;",
        "has the verbs of every device",
    )
    sheet.role(MIDDLE, WORKERS, WIDE, 106, "tool agent", seen)
    _calls(sheet, MIDDLE, WIDE, calls)


def _by_environment(sheet: Flow, calls: dict[str, str]) -> None:
    sheet.role(RIGHT, HEAD, WIDE, 84, "main agent", _MAIN)
    _says(sheet, RIGHT)
    third = (WIDE - 20) // 3
    told = (
        ("phone", "phone agent", ("words, own screen,", "own last moves;", "its own verbs")),
        ("desktop", "desktop agent", ("words, own screen,", "own last moves;", "its own verbs")),
        ("", "root", ("words, no screen;", "answer, ask_user,", "done, or skip")),
    )
    for number, (env, name, seen) in enumerate(told):
        x = RIGHT + number * (third + 10)
        sheet.role(x, WORKERS, third, 106, name, seen)
        sheet.arrow(x + third // 2, WORKERS + 110, x + third // 2, CALLED - 6)
        said = calls[env].replace("=", "=\n", 1).split("\n") if env else ["noop()"]
        sheet.passed(x, CALLED, third, 62, said, 12)
    for number in range(3):
        x = RIGHT + number * (third + 10) + third // 2
        sheet.arrow(x, CALLED + 66, x, CARRIED - 6)


_SHOWN = (
    "the task, and its intent where the run tells it",
    "every screen, with the grounder's marks if it draws any",
    "what memory recalls",
    "its own earlier turns in words, and the latest pictures",
    "what is left of turns, actions, tokens and time",
)
_MAY_CALL = (
    "the verbs of all devices; the call says which one",
    "answer, ask_user, done",
    "wait, and noop to skip",
)
_MAIN = ("is shown all that the single planner is shown;", "calls nothing: it writes what is to be done now")


def _says(sheet: Flow, x: int) -> None:
    sheet.arrow(x + WIDE // 2, HEAD + 88, x + WIDE // 2, SAID - 6)
    sheet.passed(x, SAID, WIDE, 54, (WORDS,))
    sheet.arrow(x + WIDE // 2, SAID + 58, x + WIDE // 2, WORKERS - 6)


def _calls(sheet: Flow, x: int, width: int, calls: Sequence[str]) -> None:
    sheet.arrow(x + width // 2, WORKERS + 110, x + width // 2, CALLED - 6)
    sheet.passed(x, CALLED, width, 62, calls)
    sheet.arrow(x + width // 2, CALLED + 66, x + width // 2, CARRIED - 6)


def _call(envs: dict[str, Verbs], verb: str, env: str, given: str) -> str:
    """The call of a verb's tool where an agent has these devices, without its thought."""
    tool = offered_tools(envs)[verb]
    assert env in tool.envs
    return f'{tool.name}({DEVICE}="{env}", {given})' if tool.asks else f"{tool.name}({given})"


def main(path: Path) -> None:
    """Draw the picture into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(agents().png())
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    typer.run(main)
