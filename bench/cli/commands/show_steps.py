"""The steps of an episode as lines of text, for those whose planner asked no model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.bench.journal.attempts import RecordedAttempt
from omnipilot.bench.journal.events import EpisodeEnded, Event, StepTaken
from omnipilot.bench.report.action_words import action, ending

DONE = "done"


def step_lines(events: Sequence[Event], turn: int | None = None) -> list[str]:
    """What was done in each turn and what came of it, then how it ended and what the judges found.

    Args:
        events: of one attempt. turn: from 1; None for all, and the end.
    """
    record = RecordedAttempt.of_events(list(events))
    lines: list[str] = []
    for one in record.turns:
        if turn in (None, one.taken.turn + 1):
            thought = f" “{one.taken.thought.strip()}”" if one.taken.thought.strip() else ""
            lines.append(f"turn {one.taken.turn + 1}:{thought}{'' if one.steps or thought else ' nothing'}")
            lines += [line for step in one.steps for line in _step(step)]
    if turn is None:
        lines += _end(record)
    return lines


def _step(step: StepTaken) -> Iterator[str]:
    where = f"{step.env}: " if step.env else ""
    said = f": {step.message}" if step.message and step.result != DONE else ""
    yield f"  {where}{action(step.proposed) or 'nothing that could be read'} → {step.result}{said}"
    yield from (f"    reached: {change['node']}" for change in step.changes if change["completed"])


def _end(record: RecordedAttempt) -> Iterator[str]:
    end = record.ended
    if end is None:
        yield "the end: the attempt was cut off"
        return
    detail = f" ({end.detail})" if end.detail else ""
    yield f"the end: {ending(end.reason, end.status, end.reason == 'success')}{detail}, {_count(end)}"
    for change in end.changes:
        mark = "✓" if change["completed"] else "✕"
        yield f"  {mark} {change['node']}{f' ({reason})' if (reason := change['reason']) else ''}"


def _count(end: EpisodeEnded) -> str:
    return f"{end.completed} of {end.total} sub-goals"
