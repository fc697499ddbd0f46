"""A training as a picture: loss and accuracy on samples that are not trained on, or what is solved of each split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from omnipilot.bench.report import Curves, FigureSpec, Series


class Measured(Protocol):
    """One measurement: after how many seconds, the loss a token, and the share of replies that are right."""

    @property
    def seconds(self) -> float: ...
    @property
    def loss(self) -> float: ...
    @property
    def accuracy(self) -> float: ...


class PlayedShares(Protocol):
    """One measurement of a reinforcement: after how many seconds, and by split the share of the tasks that was solved,
    and of their sub-goals that was reached."""

    @property
    def seconds(self) -> float: ...
    @property
    def solved(self) -> Mapping[str, float]: ...
    @property
    def reached(self) -> Mapping[str, float]: ...


def reinforcement_figure(curve: Sequence[PlayedShares], seed: int) -> FigureSpec:
    """What is solved and reached of each split over the time of a reinforcement.

    Args:
        curve: at least one measurement; each has the same splits. seed: of the reinforcement, for the title.
    """
    whole = curve[-1].seconds or 1.0
    time = f"time, % of {whole / 60:.0f} minutes"

    def drawn(title: str, shares: Sequence[Mapping[str, float]]) -> Curves:
        series = [
            Series(
                split,
                [(one.seconds / whole, told[split]) for one, told in zip(curve, shares, strict=True)],
                (f"from {100 * shares[0][split]:.1f} % to {100 * shares[-1][split]:.1f} %",),
            )
            for split in shares[0]
        ]
        return Curves(f"{title} (seed {seed})", series, time, "%")

    return FigureSpec(
        (
            (
                drawn("Tasks solved from their start", [one.solved for one in curve]),
                drawn("Sub-goals reached from the start", [one.reached for one in curve]),
            ),
        )
    )


def training_figure(log: Sequence[Measured], title: str, counted: str) -> FigureSpec:
    """Both curves over the time of the training.

    The loss is drawn as a share of the first one that was measured.

    Args:
        counted: what is right, such as "steps named exactly".
    """
    whole = log[-1].seconds or 1.0
    first = log[0].loss or 1.0
    right = [(one.seconds / whole, one.accuracy) for one in log]
    loss = [(one.seconds / whole, min(1.0, one.loss / first)) for one in log]
    series = [
        Series(counted, right, (f"{100 * log[-1].accuracy:.1f} % at the end",)),
        Series("loss, share of the first", loss, (f"from {first:.2f} to {log[-1].loss:.3f} a token",)),
    ]
    return FigureSpec(((Curves(title, series, f"time, % of {whole / 60:.0f} minutes", "%"),),))
