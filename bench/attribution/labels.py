"""Causes by a model's reading of the record, where no world can be put back; said as such wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.attributions import Attribution, Cause
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.report.action_words import action
from omnipilot.bench.stage_model import StageModel
from omnipilot.bench.stats.agreement import fleiss_kappa
from omnipilot.bench.tasks.graph import NodeState

LABELS = tuple(cause for cause in Cause if cause is not Cause.CHANCE)
"""What a reader of a record can say; that something was chance shows only where it is played again."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "cause": {"type": "string", "enum": [cause.value for cause in LABELS]},
        "why": {"type": "string"},
        "turn": {"type": "integer"},
    },
    "required": ["cause", "why"],
}
MOST_TURNS = 40
"""Of a longer episode, the first and the last half of so many are shown."""


def label_episode(folder: Path, episode: Episode, model: StageModel) -> Attribution:
    """Why an episode failed, as a model reads its record.

    Args:
        folder: the run's directory.

    Raises:
        MalformedReply, BudgetSpent, ModelUnavailable: as in `StageModel.ask`.
    """
    record = RecordedAttempt.of_events(attempt_events(folder, episode.key, episode.attempt))

    def read(answer: Mapping[str, Any]) -> Attribution:
        cause = Cause(answer["cause"])
        if cause not in LABELS:
            raise ValueError(f"{cause} cannot be read from a record")
        return Attribution(episode.key, cause, str(answer["why"])[:500], by=model.name)

    return model.ask("cause", "\n".join(_told(record, episode)), SCHEMA, read, __package__)


def agreement_words(by_model: Sequence[Attribution], by_experiment: Mapping[str, Cause]) -> str:
    """How far a model's labels agree with experiments on the same failures, in a line; "" where there is no common one.

    Args:
        by_experiment: causes by the key of the episode.
    """
    pairs = [(one.cause, by_experiment[one.key]) for one in by_model if one.key in by_experiment]
    if not pairs:
        return ""
    same = sum(a is b for a, b in pairs)
    kappa = fleiss_kappa([{a: 2} if a is b else {a: 1, b: 1} for a, b in pairs])
    beyond = "" if kappa != kappa else f", κ {kappa:.2f}"
    return f"the model's labels agree with the experiments on {same} of {len(pairs)} failures{beyond}"


def _told(record: RecordedAttempt, episode: Episode) -> Iterator[str]:
    yield f"Task: {episode.instruction}"
    yield "Sub-goals:"
    for name, state in episode.nodes.items():
        yield f"- {name}: {'reached' if state is NodeState.COMPLETED else 'not reached'}"
    turns = list(record.turns)
    half = MOST_TURNS // 2
    for number, turn in enumerate(turns):
        if len(turns) > MOST_TURNS and half <= number < len(turns) - half:
            if number == half:
                yield f"({len(turns) - MOST_TURNS} turns are left out)"
            continue
        yield f"Turn {number + 1}: {turn.taken.thought[:400]}".rstrip()
        for step in turn.steps:
            where = f" on {step.env}" if step.env else ""
            said = f" ({step.message[:200]})" if step.message else ""
            yield f"  {action(step.proposed) or 'nothing'}{where}: {step.result}{said}"
    yield f"It ended by: {episode.reason} {episode.status} {episode.detail[:300]}".rstrip()
