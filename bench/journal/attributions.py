"""Why episodes failed: causes, what was found out about each, and the file in which it lies beside the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.journal.run import Run


class Cause(StrEnum):
    """Why an episode failed: what repairs it, or how it ended where nothing does.

    `INSTRUCTION`, `KNOWLEDGE`, `ENVIRONMENT`, `GROUNDING` and `CLAIMED` are the five of OmniBench's figure 8, which
    does not tell the others apart.
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


EXPERIMENT = "experiment"
"""By which a cause was found, where no model read it from the record."""
OMNIBENCH_SHARES: Mapping[Cause, float] = {
    Cause.INSTRUCTION: 0.23,
    Cause.KNOWLEDGE: 0.21,
    Cause.ENVIRONMENT: 0.03,
    Cause.GROUNDING: 0.17,
    Cause.CLAIMED: 0.36,
}
"""Shares of 100 failures by people's labels, as printed (OmniBench §5.3, figure 8)."""
FOLDER, FILE = "attribution", "attribution.json"
"""Of a run directory: where the forks of its episodes are, unless another is named, and the file in it."""


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
class NeededValue:
    """A value that a move of a team needed and that its main agent saw.

    Attributes:
        value: as it is typed. env: where it is typed; "" for an answer.
        seen: the first turn in which the main agent saw it, from 1. said: the first in which it told the others; None
            if never. reached: whether a move of the episode typed it there all the same.
    """

    value: str
    env: str
    seen: int
    said: int | None
    reached: bool

    @property
    def lost(self) -> bool:
        """Whether it got no further than the main agent."""
        return self.said is None and not self.reached


@dataclass(frozen=True, slots=True)
class Attribution:
    """Why one episode failed.

    Attributes:
        key: of the episode. cause: see `Cause`. why: in one sentence.
        broken: the turn after which a demonstration can no longer finish, from 1; None if there is none, or nobody
            knows.
        findings: the experiments, in the order in which they were made.
        by: "experiment", or the model that labelled the trace.
        values: what a team's moves needed and its main agent saw; empty for a single agent.
    """

    key: str
    cause: Cause
    why: str
    broken: int | None = None
    findings: tuple[ExperimentResult, ...] = ()
    by: str = EXPERIMENT
    values: tuple[NeededValue, ...] = ()

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
            "values": [{**asdict(one), "lost": one.lost} for one in self.values],
        }


def write_attributions(out: Path, origin: Run, found: Sequence[Attribution]) -> Path:
    """Write what was found of a run's failures; those that are there of other episodes stay.

    Returns:
        The file: `identity` of the run, and `episodes` as `Attribution.to_json` gives them.
    """
    path = out / FILE
    kept = {}
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        if before.get("identity") == origin.spec.identity:
            kept = {one["key"]: one for one in before["episodes"]}
    kept |= {one.key: one.to_json() for one in found}
    order = {one.key: number for number, one in enumerate(origin.episodes)}
    episodes = sorted(kept.values(), key=lambda one: order.get(one["key"], len(order)))
    text = json.dumps({"identity": origin.spec.identity, "episodes": episodes}, ensure_ascii=False, indent=1)
    out.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def read_causes(run: Path, out: Path | None = None) -> dict[str, tuple[Cause, str, str]]:
    """The cause of each attributed failure of a run, its sentence, and by what it was found, by the episode's key.

    Empty where nothing was attributed.

    Args:
        run: its directory. out: where the attributions are; None for the folder in it. What lies there of another run
            does not count.
    """
    path = (out or run / FOLDER) / FILE
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    if found.get("identity") != survey_of(run).identity:
        return {}
    return {one["key"]: (Cause(one["cause"]), _sentence(one), str(one["by"])) for one in found["episodes"]}


def _sentence(one: Mapping[str, Any]) -> str:
    """What shows the cause, and what was lost between the agents of a team."""
    lost = [f"{value['value']} (seen in turn {value['seen']})" for value in one.get("values", ()) if value["lost"]]
    return f"{one['why']}; lost between agents: {', '.join(lost)}" if lost else str(one["why"])
