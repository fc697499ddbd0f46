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


class SplitShares(Protocol):
    """One measurement of a reinforcement: after how many seconds, and the share of tasks that was solved, by split."""

    @property
    def seconds(self) -> float: ...
    @property
    def shares(self) -> Mapping[str, float]: ...


def solved_figure(curve: Sequence[SplitShares], seed: int) -> FigureSpec:
    """What is solved of each split over the time of a reinforcement.

    Args:
        curve: at least one measurement; each has the same splits. seed: of the reinforcement, for the title.
    """
    whole = curve[-1].seconds or 1.0
    series = [
        Series(
            split,
            [(one.seconds / whole, one.shares[split]) for one in curve],
            (f"from {100 * curve[0].shares[split]:.1f} % to {100 * curve[-1].shares[split]:.1f} %",),
        )
        for split in curve[0].shares
    ]
    title = f"Tasks solved from their start, replying the likeliest (seed {seed})"
    return FigureSpec(((Curves(title, series, f"time, % of {whole / 60:.0f} minutes", "%"),),))


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
