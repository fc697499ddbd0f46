"""What the ratings of a pool come to: acceptance, agreement and time (OmniBench, table 3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from omnipilot.bench.stats import fleiss_kappa
from omnipilot.bench.suites.pool.records import Rating
from omnipilot.bench.tasks import Review
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What raters said of a pool's tasks.

    Attributes:
        tasks: number of tasks with a rating. raters: their names.
        accepted: mean over raters of the share of tasks that each accepted, 0..1, as the paper has it.
        by_rater: that share of each. kappa: Fleiss' κ over the tasks that all of them rated; None where fewer than two
            rated the same task, or nobody ever disagreed with anybody. common: the number of those tasks.
        seconds: median time for a task; None where no time was taken. reasons: how often each was given.
    """

    tasks: int
    raters: tuple[str, ...]
    accepted: float
    by_rater: Mapping[str, float]
    kappa: float | None
    common: int
    seconds: float | None
    reasons: Mapping[str, int]


def latest(ratings: Sequence[Rating]) -> list[Rating]:
    """The last rating of each task by each rater."""
    return list({(rating.task, rating.rater): rating for rating in ratings}.values())


def acceptance(ratings: Sequence[Rating]) -> Acceptance:
    """What some ratings come to. The last one of a rater for a task counts.

    Raises:
        ConfigError: there are none.
    """
    if not ratings:
        raise ConfigError("nobody has rated a task yet; omnipilot synth rate POOL --rater NAME opens the page")
    counted = latest(ratings)
    by_rater: dict[str, list[bool]] = defaultdict(list)
    by_task: dict[str, dict[str, bool]] = defaultdict(dict)
    for rating in counted:
        by_rater[rating.rater].append(rating.accepted)
        by_task[rating.task][rating.rater] = rating.accepted
    shares = {rater: fmean(said) for rater, said in by_rater.items()}
    common = [Counter(said.values()) for said in by_task.values() if len(said) == len(by_rater)]
    kappa = fleiss_kappa(common) if common and len(by_rater) > 1 else None
    times = [rating.seconds for rating in counted if rating.seconds > 0]
    return Acceptance(
        len(by_task),
        tuple(by_rater),
        fmean(shares.values()),
        shares,
        None if kappa is None or kappa != kappa else kappa,
        len(common),
        median(times) if times else None,
        Counter(reason for rating in counted for reason in rating.reasons),
    )


def reviews_of(ratings: Sequence[Rating]) -> list[Review]:
    """The reviews that ratings come to: accepted where more than half of the raters accept, else taken out.

    The reasons are those that the raters gave who did not accept.
    """
    by_task: dict[str, list[Rating]] = defaultdict(list)
    for rating in latest(ratings):
        by_task[rating.task].append(rating)
    found = []
    for task, said in by_task.items():
        by = ", ".join(sorted(rating.rater for rating in said))
        if 2 * sum(rating.accepted for rating in said) > len(said):
            found.append(Review(task, "accepted", by))
        else:
            reasons = dict.fromkeys(reason for rating in said if not rating.accepted for reason in rating.reasons)
            found.append(Review(task, "taken out", by, ", ".join(reasons) or "not accepted, no reason given"))
    return found


def acceptance_lines(found: Acceptance) -> list[str]:
    """An acceptance as lines for a terminal."""
    each = ", ".join(f"{rater} {100 * share:.1f} %" for rater, share in found.by_rater.items())
    lines = [f"{found.tasks} tasks rated; accepted {100 * found.accepted:.1f} % (mean over raters: {each})"]
    if found.kappa is not None:
        lines.append(f"Fleiss' κ {found.kappa:.2f} over {found.common} tasks that all {len(found.raters)} rated")
    elif len(found.raters) < 2:
        lines.append("agreement needs a second rater")
    elif not found.common:
        lines.append("no task was rated by all, so agreement is unknown")
    else:
        lines.append("all gave one answer to every task, so κ is not defined")
    if found.seconds is not None:
        lines.append(f"median time for a task: {found.seconds:.0f} s")
    if found.reasons:
        lines.append("reasons: " + ", ".join(f"{reason} {count}" for reason, count in found.reasons.items()))
    return lines
