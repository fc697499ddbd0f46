"""Plays many sessions at once with one policy: all that wait for a reply are asked in one batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from omnipilot.bench.training.reinforce.policy import PolicySeat, ReplyPolicy, SampledReply


@dataclass(frozen=True, slots=True)
class Reward:
    """What a rollout is rewarded for.

    Attributes:
        kind: "dense", the share of the sub-goals that it reached; "sparse", 1 if it solved the task.
        price: of each verb that it carried out.
    """

    kind: Literal["dense", "sparse"] = "dense"
    price: float = 0.0

    def of(self, rollout: Rollout) -> float:
        """The return of a rollout that was played."""
        earned = float(rollout.solved) if self.kind == "sparse" else rollout.completion - rollout.before
        return earned - self.price * rollout.acts


@dataclass(slots=True)
class Rollout:
    """One attempt to go on from a moment.

    Attributes:
        seat: where it is played. most: replies that it may take.
        before: share of the sub-goals that were reached when it began; completion: and when it ended, 0..1.
        steps: its questions and replies. acts: verbs that it carried out.
    """

    seat: PolicySeat
    most: int
    before: float = 0.0
    completion: float = 0.0
    solved: bool = False
    acts: int = 0
    steps: list[tuple[Hashable, SampledReply]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether it may not go on."""
        return self.seat.over or len(self.steps) >= self.most


def fork_group(seat: PolicySeat, size: int, most: int) -> list[Rollout]:
    """Rollouts from the moment of a seat; the seat's own session is closed.

    Args:
        size: how many. most: replies that each may take.
    """
    before = seat.session.score().completion
    group = [Rollout(seat.fork(), most, before) for _ in range(size)]
    seat.session.close()
    return group


def play(
    rollouts: Sequence[Rollout],
    policy: ReplyPolicy,
    temperature: float,
    seed: int,
    repeats: int = 0,
    keep: bool = False,
    alone: float | None = None,
    groups: Sequence[int] = (),
) -> int:
    """Play rollouts to their ends; returns the number of replies.

    Args:
        temperature: of the replies; 0 for the likeliest. alone: of those of a rollout which has parted from all others
            of its group; None for the same. groups: the number of each rollout's group.
        seed: of what is drawn; the same seed gives the same replies.
        repeats: how often a rollout may be asked the very same; 0 for any number. One that replies the likeliest goes
            in a circle then.
        keep: leave the sessions open, for a caller that forks them.
    """
    begun = [one.seat.acts for one in rollouts]
    asked: list[dict[Hashable, int]] = [{} for _ in rollouts]
    # Rollouts on the same path were in one group and gave the same replies so far.
    paths: list[Hashable] = list(groups or range(len(rollouts)))
    known: dict[Hashable, int] = {}
    live = [at for at, one in enumerate(rollouts) if not one.over]
    replies = rounds = 0
    while live:
        questions = [rollouts[at].seat.ask() for at in live]
        given = propose(policy, questions, _temperatures(temperature, alone, [paths[at] for at in live]), seed + rounds)
        for at, question, reply in zip(live, questions, given, strict=True):
            paths[at] = known.setdefault((paths[at], reply.tokens), -1 - len(known))
            rollouts[at].seat.take(reply)
            rollouts[at].steps.append((question, reply))
            asked[at][question] = asked[at].get(question, 0) + 1
        replies, rounds = replies + len(live), rounds + 1
        last = dict(zip(live, questions, strict=True))
        live = [at for at in live if not rollouts[at].over and not (repeats and asked[at][last[at]] > repeats)]
    for one, before in zip(rollouts, begun, strict=True):
        score = one.seat.session.score()
        one.completion, one.solved, one.acts = score.completion, score.success, one.seat.acts - before
        if not keep:
            one.seat.session.close()
    return replies


def propose(
    policy: ReplyPolicy, questions: Sequence[Hashable], temperatures: Sequence[float], seed: int
) -> list[SampledReply]:
    """A reply to each question, drawn with a temperature of its own."""
    found: dict[int, SampledReply] = {}
    for temperature in sorted(set(temperatures)):
        mine = [at for at, one in enumerate(temperatures) if one == temperature]
        found |= zip(mine, policy.propose([questions[at] for at in mine], temperature, seed), strict=True)
    return [found[at] for at in range(len(questions))]


def _temperatures(together: float, alone: float | None, paths: Sequence[Hashable]) -> list[float]:
    if alone is None:
        return [together] * len(paths)
    companions = Counter(paths)
    return [together if companions[path] > 1 else alone for path in paths]
