"""What runs came to, in the sentences that stand above the tables of their page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from omnipilot.agents.assembly.build import gold_parts
from omnipilot.agents.assembly.honesty import SAID
from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.main_table import column_names
from omnipilot.bench.report.method_notes import interference, many, no_interval_words
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import headline
from omnipilot.bench.tasks.figures import termination
from omnipilot.bench.tasks.graph import NodeState

FAILURES = 3
"""Of so many failed episodes a terminal says why."""
MISSED = 3
"""Up to so many sub-goals of one are named."""
BOUND = "told what agents have to find out"
"""Stands before agents with parts that know the truth: what they solve bounds what others can."""
EACH = 3
"""Up to so many runs have a sentence each; of more, the one that solved the most and the one that solved the fewest."""
OWN_TASKS = {"free": "one's own tasks", "page": "one's own tasks on a page", "file": "one's own tasks"}
"""What is said of suites that hold what their user wrote, in place of their names."""


def suite_words(suite: str) -> str:
    """What the tasks of a suite are called in a sentence: its name, or that they are the user's own."""
    return OWN_TASKS.get(suite, suite)


def run_sentences(runs: Sequence[Run], level: float = LEVEL) -> list[str]:
    """Who solved how many of what, with the interval of the success rate; whether runs differ is `compare`'s to say.

    Returns:
        A sentence or two a run; of more than `EACH` runs one for each suite. Empty if no run has an episode.
    """
    played = [(name, run) for name, run in zip(column_names(runs), runs, strict=True) if run.episodes]
    if len(played) <= EACH:
        return [_sentence(name, run, level) for name, run in played]
    suites: dict[str, list[tuple[str, Run]]] = {}
    for name, run in played:
        suites.setdefault(run.spec.suite.name, []).append((name, run))
    return [_extremes(suite, some, level) for suite, some in suites.items()]


def failure_lines(runs: Sequence[Run], most: int = FAILURES) -> list[str]:
    """Why the first episodes that were judged and not solved were not: which sub-goals were missed, what was found of
    them, and what last could not be carried out.

    Args:
        most: of how many episodes, of all runs together, this is told.

    Returns:
        A line for each, then how many more there are and which command tells of them; empty where none failed.
    """
    failed = [
        (name, run, one)
        for name, run in zip(column_names(runs), runs, strict=True)
        for one in judged_episodes(run.episodes)
        if not one.success and not one.void
    ]
    lines = [f"{f'{name}, ' if runs[1:] else ''}{one.key}: {failure_words(one)}" for name, _, one in failed[:most]]
    if failed:
        _, run, one = failed[min(most, len(failed) - 1)]
        numbers = f"{f' --instance {one.instance}' * bool(one.instance)}{f' --trial {one.trial}' * bool(one.trial)}"
        more = f"{len(failed) - most} more failed; the" if len(failed) > most else "the"
        lines.append(f"{more} steps of one: omnipilot show {run.folder or 'RUN'} {one.task}{numbers}")
    return lines


def failure_words(episode: Episode) -> str:
    """Which sub-goals an episode missed, with what was found of them, and what last could not be carried out."""
    missed = [name for name, state in episode.nodes.items() if state is NodeState.MISSED]
    told = [f"{name}{f' ({found})' if (found := episode.found.get(name)) else ''}" for name in missed[:MISSED]]
    told += [f"{len(missed) - MISSED} more"] * (len(missed) > MISSED)
    words = [f"does not hold: {'; '.join(told)}"] * bool(told)
    words += [f"last refused, {episode.trouble}"] * bool(episode.trouble)
    return ". ".join(words) or termination(episode.reason, episode.status, episode.success)


def count_sentences(runs: Sequence[Run]) -> list[str]:
    """A sentence a suite: how many episodes each agent solved, the best first; those that are told the truth apart.

    Returns:
        Such as "Of 24 episodes of duet, solved: rules 24, noop 0; told what agents have to find out: oracle 24."
    """
    suites: dict[str, list[Run]] = {}
    for one in runs:
        suites.setdefault(one.spec.suite.name, []).append(one)
    return [_counts(suite, played) for suite, played in suites.items()]


def _counts(suite: str, runs: Sequence[Run]) -> str:
    runs = [replace(one, episodes=judged) for one in runs if (judged := judged_episodes(one.episodes))]
    if not runs:
        return f"Nobody judged the episodes of {suite_words(suite)}: their tasks have no check."
    counts = sorted({len(one.episodes) for one in runs})

    def words(run: Run) -> str:
        return f"{_agent_words(run)} {_count_solved(run)}" + (f" of {len(run.episodes)}" if counts[1:] else "")

    ordered = sorted(runs, key=_count_solved, reverse=True)
    agents = [words(one) for one in ordered if not gold_parts(one.spec.agent)]
    bounds = [words(one) for one in ordered if gold_parts(one.spec.agent)]
    told = [", ".join(agents)] * bool(agents) + [f"{BOUND}: {', '.join(bounds)}"] * bool(bounds)
    tasks = suite_words(suite)
    head = f"Of {many(counts[0], 'episode')} of {tasks}" if not counts[1:] else f"Of episodes of {tasks}"
    return f"{head}, solved: {'; '.join(told)}."


def _count_solved(run: Run) -> int:
    return sum(episode.success for episode in run.episodes)


def _agent_words(run: Run) -> str:
    """A planner, and by what it knows what is shown and sounds where that sets it apart."""
    agent = run.spec.agent
    if agent.honest:
        return f"{agent.planner.name} with its own eyes and ears"
    if agent.readers is None or gold_parts(agent):
        return agent.planner.name
    return f"{agent.planner.name} hearing by {agent.readers.name}"


def _sentence(name: str, run: Run, level: float) -> str:
    of, count = judged_episodes(run.episodes), len(run.episodes)
    tasks = suite_words(run.spec.suite.name)
    told = []
    if of:
        solved = sum(episode.success for episode in of)
        told.append(f"{name} solved {solved} of {many(len(of), 'episode')} of {tasks}: {_rate(run, level)}.")
    if len(of) < count:
        left = many(count - len(of), "episode")
        told.append(f"{name} played {left} of {tasks} that nobody judged: they have no check.")
    ends = Counter(termination(one.reason, one.status, one.success) for one in of if not one.success)
    if ends:
        told.append(f"Not solved: {', '.join(f'{number} {ending}' for ending, number in ends.most_common())}.")
    if count < run.planned:
        told.append(f"{count} of {run.planned} episodes are finished.")
    if acts := interference(run.acts):
        told.append(f"{acts[0].upper()}{acts[1:]}.")
    if known := gold_parts(run.spec.agent):
        told.append(f"It is a bound, not the result of an agent: {' and '.join(known)} knows the truth.")
    if honest := SAID.get(run.spec.agent.honest):
        told.append(f"{honest[0].upper()}{honest[1:]}.")
    return " ".join(told)


def _extremes(suite: str, runs: Sequence[tuple[str, Run]], level: float) -> str:
    if len(runs) == 1:
        return _sentence(*runs[0], level)
    told = [(name, replace(run, episodes=judged_episodes(run.episodes))) for name, run in runs]
    runs = [(name, run) for name, run in told if run.episodes]
    if not runs:
        return f"Nobody judged the runs of {suite_words(suite)}: their tasks have no check."
    ordered = sorted(runs, key=lambda one: sum(e.success for e in one[1].episodes) / len(one[1].episodes))
    least, most = (
        f"{name} the {word}, {sum(e.success for e in run.episodes)} of {len(run.episodes)} ({_rate(run, level)})"
        for word, (name, run) in (("fewest", ordered[0]), ("most", ordered[-1]))
    )
    return (
        f"Of {len(runs)} runs of {suite_words(suite)}, {most.replace(' the most', ' solved the most', 1)}, and {least}."
    )


def _rate(run: Run, level: float) -> str:
    """Such as "80.0 %, 95 % interval 57.7 to 92.1"; a number and its sign stay on one line."""
    rate: Interval = headline(outcomes(run.episodes), level).all
    share = f"{100 * rate.estimate:.1f}\u00a0%"
    if rate.low is None or rate.high is None:
        return f"{share}, {no_interval_words([rate.method])}"
    return f"{share}, {100 * level:g}\u00a0% interval {100 * rate.low:.1f} to {100 * rate.high:.1f}"
