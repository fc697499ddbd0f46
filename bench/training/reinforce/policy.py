"""What can be trained: a policy that replies to questions, and a seat at which it plays one session.

Nothing here knows of a model. A policy of your own implements `ReplyPolicy` and `PolicySeat`; the rest of the package
trains it on any suite.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from omnipilot.bench.session import Opening, Session

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class SampledReply:
    """A reply as it was drawn.

    Attributes:
        tokens: its parts, in the order in which they were drawn; at least one.
        logs: the logarithm of each one's probability when it was drawn.
        text: what a seat reads.
    """

    tokens: tuple[int, ...]
    logs: tuple[float, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReplyLesson:
    """A reply to a question, and how much better or worse than their groups the rollouts did that gave it.

    Equal replies to equal questions are one lesson: the clipped objective is the same with the sums.

    Attributes:
        up, down: sums of the advantages above and below 0. times: how often it was given.
        held: whether nothing is learnt from it, and it is only to stay as likely as it was.
    """

    question: Hashable
    reply: SampledReply
    up: float
    down: float
    times: int = 1
    held: bool = False


@dataclass(frozen=True, slots=True)
class ReplyScores:
    """What a policy says of replies.

    Attributes:
        logs: the logarithms of the probabilities of all their tokens, one reply after the other, (n,).
        entropy: of the choice of each token, (n,), without gradients; zeros where a policy does not say.
    """

    logs: Tensor
    entropy: Tensor


class PolicySeat(Protocol):
    """One session as a policy plays it: what the policy remembers, and what its replies do."""

    @property
    def session(self) -> Session: ...

    @property
    def acts(self) -> int:
        """Verbs that were carried out so far."""
        ...

    @property
    def over(self) -> bool:
        """Whether the episode has ended, or the policy has given up."""
        ...

    def ask(self) -> Hashable:
        """What the policy is asked now; equal questions are put once."""
        ...

    def take(self, reply: SampledReply) -> None:
        """Do what a reply says; a reply that says nothing ends the episode."""
        ...

    def follow(self, step: Any) -> None:
        """Do one step of a demonstration, as the task source tells it."""
        ...

    def fork(self) -> PolicySeat:
        """The same moment once more; neither notices what is done in the other."""
        ...


class ReplyPolicy(Protocol):
    """What is trained. Its parameters are torch's; how it comes to a reply is its own affair."""

    def sit(self, session: Session, opening: Opening, seed: str) -> PolicySeat:
        """A seat at a session whose task was just opened.

        Args:
            seed: of whatever the seat draws, and a fork goes on with the same draws; "" where nothing is to be drawn.
        """
        ...

    def propose(self, questions: Sequence[Hashable], temperature: float, seed: int) -> list[SampledReply]:
        """A reply to each question, drawn with the temperature; the likeliest one where that is 0."""
        ...

    def scores(self, lessons: Sequence[ReplyLesson], temperature: float) -> ReplyScores:
        """What the policy says now of replies that were given, with gradients."""
        ...

    def start_logs(self, lessons: Sequence[ReplyLesson], temperature: float) -> Tensor:
        """What the policy said of them before the training, as `ReplyScores.logs`, without gradients."""
        ...

    def size(self, lesson: ReplyLesson) -> int:
        """Tokens that are calculated for a lesson."""
        ...

    def named_parameters(self) -> Iterable[tuple[str, Any]]:
        """What is trained, by name."""
        ...
