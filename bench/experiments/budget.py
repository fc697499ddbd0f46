"""A run as it would have been with fewer turns: what a budget would have cut off fails at the budget.

This is exact for an agent that does not look at how many turns are left: what it did until then does not depend on the
limit. A budget takes turns away and gives none: a task whose own limit is smaller keeps it, since nobody knows what its
agent would have done with more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """The turns that each task is given.

    Attributes:
        turns: at most so many. share: at most this part of the task's own limit, in 0..1. One of the two is None.
    """

    turns: int | None = None
    share: float | None = None

    def __str__(self) -> str:
        return f"{100 * self.share:g} %" if self.share is not None else f"{self.turns} turn{'s' * (self.turns != 1)}"

    def limit(self, own: int | None) -> int:
        """The turn limit of a task with a limit of its own; at least 1.

        Raises:
            ConfigError: a share of no limit.
        """
        if self.share is not None:
            if own is None:
                raise ConfigError(f"{self} of no limit is no budget; give a number of turns, such as --turns 15")
            # Exact for shares such as 0.29 of 100, which is 28.999999999999996.
            return max(1, int(own * self.share + 1e-9))
        assert self.turns is not None
        return self.turns if own is None else min(self.turns, own)


def read_budgets(text: str) -> tuple[TurnBudget, TurnBudget]:
    """The budgets of A and B from "15,50", "50%,100%", or one for both.

    Raises:
        ConfigError: no number of turns or percentage, or more than two.
    """
    words = [word.strip() for word in text.split(",")]
    if not 1 <= len(words) <= 2:
        raise ConfigError(f"--turns takes one budget or two, such as 15,50, not {text!r}")
    found = tuple(map(_read, words))
    return found[0], found[-1]


def under_budget(run: Run, budget: TurnBudget) -> Run:
    """The run with its episodes cut at the budget, and the budget in its name.

    An episode that took more turns fails there, for reaching its limit, unless it was solved before and only went on
    (`--go-on`). Only its success, turns and ending are those of the budget: nodes, actions, tokens and time stay those
    of the whole episode.
    """
    episodes = tuple(_cut(episode, budget) for episode in run.episodes)
    # Its directory holds the whole episodes, so that no benchmark's rules may read it.
    return replace(run, name=f"{run.name} at {budget}", episodes=episodes, folder=None)


def budget_notes(run: Run, budget: TurnBudget) -> list[str]:
    """What a reader of a run under a budget must know: how many episodes were cut, and which limits it does not reach.

    Args:
        run: as it was.
    """
    judged = judged_episodes(run.episodes)
    cut = [one for one in judged if one.turns > budget.limit(one.turn_limit)]
    solved = sum(_is_solved_within(one, budget.limit(one.turn_limit)) for one in cut)
    counted = f"{len(cut) - solved} of {len(judged)} episodes took more turns and fail there"
    said = f"{run.name} at {budget}: {counted if cut else 'no episode took more turns'}"
    if solved:
        said += f"; {solved} were solved before and only went on"
    lower = [
        one.turn_limit
        for one in run.episodes
        if budget.turns is not None and one.turn_limit is not None and one.turn_limit < budget.turns
    ]
    if lower:
        least, most = min(lower), max(lower)
        own = str(least) if least == most else f"{least} to {most}"
        said += f"; {len(lower)} were allowed fewer ({own}) and keep their own limit"
    return [said]


def _cut(episode: Episode, budget: TurnBudget) -> Episode:
    limit = budget.limit(episode.turn_limit)
    if episode.turns <= limit:
        return replace(episode, turn_limit=limit)
    # A rule that stopped it did so only later.
    cut = replace(episode, turn_limit=limit, turns=limit, status="", detail=f"{limit} turns used", stopped="")
    # Also a void episode: the device was lost only later.
    known = episode.unjudged or _is_solved_within(episode, limit)
    return cut if known else replace(cut, reason="turns")


def _is_solved_within(episode: Episode, limit: int) -> bool:
    """Whether an episode was solved in so many turns, whatever the agent did afterwards."""
    return episode.success and episode.solved_turn is not None and episode.solved_turn <= limit


def _read(word: str) -> TurnBudget:
    number, percent = word.removesuffix("%").strip(), word.endswith("%")
    try:
        value = float(number) if percent else int(number)
    except ValueError:
        value = 0
    if not 0 < value <= (100 if percent else math.inf):
        raise ConfigError(f"a budget is a number of turns or a part of each task's own limit, 15 or 50%, not {word!r}")
    return TurnBudget(share=value / 100) if percent else TurnBudget(turns=int(value))
