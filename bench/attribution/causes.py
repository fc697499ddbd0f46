"""The causes of failure, and what was found out about one episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Cause(StrEnum):
    """Why an episode failed: what repairs it, or how it ended where nothing does.

    The first five of OmniBench's figure 8 are `INSTRUCTION`, `KNOWLEDGE`, `ENVIRONMENT`, `GROUNDING` and `CLAIMED`; the
    others are what its agents do not have apart.
    """

    ENVIRONMENT = "environment"
    GROUNDING = "grounding"
    PERCEPTION = "perception"
    MEMORY = "memory"
    STOPPING = "knowing when to stop"
    INSTRUCTION = "instruction"
    KNOWLEDGE = "knowledge"
    CLAIMED = "claimed success"
    CHANCE = "chance"
    OPEN = "open"


OMNIBENCH_SHARES: Mapping[Cause, float] = {
    Cause.INSTRUCTION: 0.23,
    Cause.KNOWLEDGE: 0.21,
    Cause.ENVIRONMENT: 0.03,
    Cause.GROUNDING: 0.17,
    Cause.CLAIMED: 0.36,
}
"""Shares of 100 failures by people's labels, as printed (OmniBench §5.3, figure 8)."""


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """One experiment: the episode played again from a turn with one part exchanged.

    Attributes:
        name: of the experiment. cause: which its success speaks for; None for the oracle, which says whether the task
            can still be solved, and for the control.
        turn: the first turn that was decided anew, from 1. solved, times: how many of the forks were solved.
        run: the directory of the forks. note: why it was not carried out; "" where it was.
    """

    name: str
    cause: Cause | None
    turn: int
    solved: int
    times: int
    run: str = ""
    note: str = ""

    @property
    def repairs(self) -> bool:
        """Whether more than half of the forks were solved."""
        return 2 * self.solved > self.times > 0


@dataclass(frozen=True, slots=True)
class Attribution:
    """Why one episode failed.

    Attributes:
        key: of the episode. cause: see `Cause`. why: in one sentence.
        broken: the turn after which a demonstration can no longer finish, from 1; None if there is none, or nobody
            knows.
        findings: the experiments, in the order in which they were made.
        by: "experiment", or the model that labelled the trace.
    """

    key: str
    cause: Cause
    why: str
    broken: int | None = None
    findings: tuple[ExperimentResult, ...] = ()
    by: str = "experiment"

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        evidence = [
            {
                "experiment": one.name,
                "turn": one.turn,
                "solved": one.solved,
                "times": one.times,
                "run": one.run,
                "note": one.note,
            }
            for one in self.findings
        ]
        return {
            "key": self.key,
            "cause": self.cause.value,
            "why": self.why,
            "broken": self.broken,
            "by": self.by,
            "evidence": evidence,
        }
