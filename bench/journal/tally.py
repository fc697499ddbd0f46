"""Running counts of one attempt, taken from its events, for players, progress displays and readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omnipilot.agents.verbs import TAKEN
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    ModelCalled,
    PersonActed,
    Remembered,
    ReplyUnread,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.journal.recorder import usage_from_json, usage_to_json
from omnipilot.bench.tasks.graph import NodeState
from omnipilot.memory import Usage
from omnipilot.memory.trajectory import FAILED, INVALID

CUT = ("length", "max_tokens", "model_length")
"""How servers say that a reply ended at its greatest length."""
TRIMMED = "over the limit of"
"""What the reason for leaving captures out of a request says (`omnipilot.memory.models.media.fit`)."""


@dataclass
class Tally:
    """The counts of an attempt.

    Attributes:
        completed: names of the nodes reached. actions: A. now: the world's clock after the last step.
        pointed_right, pointed_told: described places at which the grounder pointed right, of those where it can be
            told. pointed_asked: all that it was asked for.
        checked, violated: expectations of which could be told whether they hold, and those that did not. repaired:
            moves that the checks made once more.
        results: steps by their result. verbs: executed actions by their kind.
        skills: calls of skills by the skill's name, and "calls", "helped" and "needless", see
            `omnipilot.memory.episodic.details.SkillDetail`.
        lacking: moves that were refused because the run takes a primitive away.
        unread: replies that could not be read. unknown: actions asked for that the action space has no word for.
        cut: model calls that were cut off: the reply at its greatest length, or captures left out of the request.
        undetected: described places whose element is on the screen, and lies in none of those that were detected.
        looked: described places for which that can be told.
        solved_turn: turns until every sub-goal was reached, that one included; None if they were not, or only the
            judges that wait for the end could tell.
        stopped: name of the rule that ended it; "" for none.
        found: what its judge last said of each node that is not reached, by its name. trouble: the last step that could
            not be carried out as it was asked, in words, and its turn; "" for none.
        recorded: whether a step was that of a recording, with the agent's proposal beside it.
    """

    started: EpisodeStarted
    turns: int = 0
    steps: int = 0
    actions: int = 0
    invalid: int = 0
    now: float = 0.0
    usage: Usage = field(default_factory=Usage)
    completed: set[str] = field(default_factory=set)
    pointed_right: int = 0
    pointed_told: int = 0
    recorded: bool = False
    pointed_asked: int = 0
    checked: int = 0
    violated: int = 0
    repaired: int = 0
    results: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    unknown: int = 0
    cut: int = 0
    undetected: int = 0
    looked: int = 0
    lacking: int = 0
    skills: Counter[str] = field(default_factory=Counter)
    solved_turn: int | None = None
    stopped: str = ""
    found: dict[str, str] = field(default_factory=dict)
    trouble: str = ""

    def take(self, event: Event) -> None:
        """Count an event of this attempt."""
        if isinstance(event, TurnTaken):
            self.turns += 1
            self.usage += usage_from_json(event.usage)
            if event.stopping.get("why"):
                self.stopped = str(event.stopping.get("rule", ""))
        elif isinstance(event, StepTaken):
            self.steps += 1
            self.actions += event.counts
            self.invalid += event.result in INVALID
            self.results[event.result] += 1
            if event.result in FAILED:
                self.trouble = f"turn {event.turn + 1}: {event.message or event.result}"
            self.lacking += event.result == "rejected" and TAKEN in event.message
            if event.executed is not None:
                self.verbs[str(event.executed.get("kind", ""))] += 1
            self.now = event.end
            self.recorded |= event.predicted is not None
            self.usage += usage_from_json(event.usage)
            told = [verdict["right"] for verdict in event.pointing if verdict["right"] is not None]
            self.pointed_right += sum(told)
            self.pointed_told += len(told)
            self.pointed_asked += len(event.pointing)
            seen = [verdict["detected"] for verdict in event.pointing if verdict.get("detected") is not None]
            self.looked += len(seen)
            self.undetected += seen.count(False)
            self._reached(event.changes)
            if self.solved_turn is None and self.completed and len(self.completed) == len(self.started.nodes):
                self.solved_turn = self.turns
        elif isinstance(event, ModelCalled):
            self.cut += event.finish in CUT or any(TRIMMED in words for words in event.dropped)
        elif isinstance(event, ReplyUnread):
            self.unread += 1
            self.unknown += len(event.unknown)
        elif isinstance(event, Remembered):
            for one in event.events:
                if one["kind"] == "skill":
                    detail = one.get("detail", {})
                    self.skills.update([detail.get("skill", ""), "calls"])
                    self.skills.update(name for name in ("helped", "needless") if detail.get(name))
                if one["kind"] == "check":
                    status = one.get("detail", {}).get("status")
                    self.checked += status in ("kept", "violated")
                    self.violated += status == "violated"
                    self.repaired += status == "repaired"
        elif isinstance(event, PersonActed):
            self.started = event.raised(self.started)
        elif isinstance(event, EpisodeEnded):
            self._reached(event.changes)

    def ended(
        self,
        reason: str,
        status: str = "",
        detail: str = "",
        changes: Sequence[Mapping[str, Any]] = (),
        observations: Mapping[str, Any] | None = None,
        world_seconds: float | None = None,
        wall_seconds: float = 0.0,
        prologue_seconds: float = 0.0,
        harms: Mapping[str, bool] | None = None,
    ) -> EpisodeEnded:
        """The event that ends the attempt.

        Args:
            changes: found by the judges that wait for the end.
            harms: as in `EpisodeEnded`.
        """
        self._reached(changes)
        return EpisodeEnded(
            self.started.key,
            self.started.attempt,
            reason,
            status,
            detail,
            len(self.completed),
            len(self.started.nodes),
            self.turns,
            self.steps,
            self.actions,
            self.invalid,
            usage_to_json(self.usage),
            [dict(change) for change in changes],
            observations or {},
            self.now if world_seconds is None else world_seconds,
            wall_seconds,
            prologue_seconds,
            dict(harms or {}),
        )

    def _reached(self, changes: Sequence[Mapping[str, Any]]) -> None:
        for change in changes:
            if change["completed"]:
                self.completed.add(change["node"])
            else:
                # One that has to last, and holds no more, is open again.
                self.completed.discard(change["node"])
        self.found.update((change["node"], str(change["reason"])) for change in changes)
        for name in self.completed & self.found.keys():
            del self.found[name]


def final_states(started: EpisodeStarted, completed: Collection[str], failed: bool) -> dict[str, NodeState]:
    """The state of every node when an episode has ended, from which of them are complete.

    Args:
        failed: whether it was judged, and not solved.
    """
    open_ = NodeState.MISSED if failed else NodeState.EVALUATING
    waiting = {after for before, after in started.edges if before not in completed}
    return {
        node["name"]: NodeState.COMPLETED
        if node["name"] in completed
        else (NodeState.WAITING if node["name"] in waiting else open_)
        for node in started.nodes
    }
