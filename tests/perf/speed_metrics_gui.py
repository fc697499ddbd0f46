"""How fast the metrics of the step benchmarks are."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive
from omnipilot.bench.suites.omnigui.metrics.scores import EpisodeReport, ScoredStep, score
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField

if TYPE_CHECKING:
    from speed import Figure

STEPS = 100_000


def omnigui_steps(count: int = STEPS, seed: int = 0) -> list[ScoredStep]:
    """Steps of every kind, four an episode, with replies in the forms that models give them; the same for a seed."""
    draw = Random(seed)
    return [_step(number, draw) for number in range(count)]


def _step(number: int, draw: Random) -> ScoredStep:
    action = draw.choice(tuple(Primitive))
    x, y = draw.randint(0, 1000), draw.randint(0, 1000)
    if action in SWIPES:
        fields = f'"start_coordinate": [{x}, {y}], "end_coordinate": [{y}, {x}]'
    else:
        fields = f'"coordinate": [{x}, {y}], "text": "word {x}"'
    bare = f'{{"action_type": {int(action)}, {fields}}}'
    reply = draw.choice(
        (
            bare,
            f"```json\n{bare}\n```",
            f"I look at the screen and see what to do next.\n{bare}\nThat is all.",
            f'<tool_call>\n{{"name": "click", "arguments": {{"coordinate": [{x}, {y}]}}}}\n</tool_call>',
            f'The next action is type("word {x}")',
            "I do not know what to do next.",
        )
    )
    box = TargetField(rectangles=((200.0, 300.0, 900.0, 1900.0),))
    return ScoredStep(f"episode-{number // 4}", number % 4, action, reply, box, box, text=f"word {x}")


def omnigui_seconds(count: int = STEPS) -> tuple[float, EpisodeReport]:
    """Seconds of the processor to read and score so many steps, the report with them."""
    steps = omnigui_steps(count)
    began = time.process_time()
    report = score(steps)
    return time.process_time() - began, report


def gui_metrics() -> Iterator[Figure]:
    """Scoring of recorded steps."""
    from speed import at_most

    seconds, _ = omnigui_seconds()
    yield at_most(f"OmniGUI, {STEPS:,} steps read and scored", seconds, 5, "s of CPU")
