"""Reads an agent's predictions from the journal of a run on recorded episodes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import VOID
from omnipilot.envs.recorded import Prediction
from omnipilot.envs.schema import codec


@dataclass(frozen=True, slots=True)
class Predicted:
    """A run's predictions.

    Attributes:
        tasks: for each finished episode of instance 0 and trial 0, one prediction per moment, up to where a void
            episode broke off. void: tasks whose episode was void.
    """

    tasks: dict[str, tuple[Prediction, ...]]
    void: frozenset[str]


def load_predictions(folder: Path) -> Predicted:
    """The predictions in a run directory, from each task's last complete attempt.

    Raises:
        JournalError: there is no journal.
    """
    tasks: dict[str, tuple[Prediction, ...]] = {}
    void: set[str] = set()
    open_: dict[tuple[str, int], tuple[str, dict[int, list[StepTaken]]]] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            if event.instance == 0 and event.trial == 0:
                open_[event.key, event.attempt] = event.task, {}
        elif isinstance(event, TurnTaken | StepTaken) and (event.key, event.attempt) in open_:
            turns = open_[event.key, event.attempt][1].setdefault(event.turn, [])
            if isinstance(event, StepTaken):
                turns.append(event)
        elif isinstance(event, EpisodeEnded) and (event.key, event.attempt) in open_:
            task, by_turn = open_.pop((event.key, event.attempt))
            tasks[task] = tuple(_prediction(steps) for _, steps in sorted(by_turn.items()) if steps)
            (void.add if event.reason == VOID else void.discard)(task)
    return Predicted(tasks, frozenset(void))


def _prediction(steps: list[StepTaken]) -> Prediction:
    actions = tuple(codec.action_from_json(step.predicted) for step in steps if step.predicted is not None)
    problem = next((step.message for step in steps if step.predicted is None), "")
    return Prediction(actions, problem)
