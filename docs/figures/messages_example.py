"""Writes the example of docs/messages.md: the first call of a run, as `omnipilot show` prints it.

    python docs/figures/messages_example.py docs/messages.md

The request is what a planner sends; it is answered by the scripted server of our tests, so that no key is needed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- messages_example.py writes this -->\n", "<!-- until here -->\n"
CALL = ("open_app", '{"thought": "The code stands in a mail, so I open Mail.", "device": "desktop", "app": "Mail"}')
"""What the server answers."""
TASK = "mail-code-to-message"
WIDTH = 160
"""Characters of a line of the example; of longer ones, the document has the beginning."""


def example() -> str:
    """What `omnipilot show RUN TASK --turn 1` prints."""
    sys.path.insert(0, str(ROOT / "tests" / "fixtures"))
    from chat_server import Answer, ChatServer

    answer = Answer("", (CALL,), usage=(1_830, 41), finish="tool_calls")
    from omnipilot.bench.cli.commands.show import move_words, render_call
    from omnipilot.bench.journal.attempts import attempt_events
    from omnipilot.bench.journal.calls import CallReader, recorded_calls
    from omnipilot.bench.journal.events import TurnTaken
    from omnipilot.bench.journal.journal import MEDIA
    from omnipilot.bench.run import run
    from omnipilot.bench.run.config import set_options, spec_from
    from omnipilot.bench.settings import LimitSettings, RunSettings
    from omnipilot.memory import MediaStore

    with tempfile.TemporaryDirectory() as folder, ChatServer([answer]) as server:
        out = Path(folder) / "run"
        settings = RunSettings(
            suite="duet",
            tasks=TASK,
            planner="openai-compatible/scripted",
            planner_url=server.url,
            planner_modalities="screenshot,context",
            limits=LimitSettings(turns=1),
        )
        priced = ["planner.price_in=2", "planner.price_out=8", "planner.scale=1024", "planner.detail=high"]
        run(spec_from(set_options(settings, priced)), out)
        events = attempt_events(out, f"{TASK}#0.0")
        decided = next(event for event in events if isinstance(event, TurnTaken))
        call = recorded_calls(events)[0]
        return render_call(call, CallReader(MediaStore(out / MEDIA)), move_words(decided))


def main(page: Path) -> None:
    """Put the example between the two comments of a page."""
    lines = [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in example().rstrip().splitlines()]
    text = page.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    block = "\n".join(["```text", *lines, "```", ""])
    page.write_text(f"{before}{BEGIN}{block}{end}{after}", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
