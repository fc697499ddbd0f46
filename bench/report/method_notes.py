"""Notes below tables: how intervals and p-values were obtained, or why there are none, and which runs are bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from omnipilot.agents import AgentSpec
from omnipilot.agents.assembly.build import does_without, gold_parts
from omnipilot.agents.assembly.honesty import SAID
from omnipilot.bench.journal.events import PersonActed
from omnipilot.bench.journal.provenance import version_changes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.run.labels import axis_words

NONE = "none"
"""What a method, or a test, is called where there is none."""


MANY = 3
"""Bounds in a table from which on their parts are named together."""
SHOWN = 5
"""Episodes with which a person interfered that are named; of more, the number is told."""
SUCCESS = (
    "SR: share of episodes solved; a void one (a device or a model was lost) counts as zero and stays in the "
    "denominator"
)
DETECTABLE = (
    "detectable: the smallest true difference that one such comparison, not corrected, would show in {:g} % of cases"
)
BOUND = "a bound by parts that know the solution or the true screen, not the result of an agent"

BY_HAND = "played by hand, not by an agent"


def many(count: int, noun: str) -> str:
    """A number of things: "1 pair", "2 pairs"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def intervals_note(level: float, short: bool = False) -> str:
    """What the brackets of a table mean."""
    told = f"[…]: {100 * level:g} % confidence intervals"
    return told if short else f"{told}, for tasks of this kind and not only for those that were run"


def bound_notes(parts: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """A note on runs whose parts know the solution or the true screen; none if there is no such run.

    Args:
        parts: the name of each run, and what `omnipilot.agents.assembly.build.gold_parts` says of its agent.
    """
    runs = [(name, tuple(found)) for name, found in parts]
    told = [(name, found) for name, found in runs if found]
    if not told:
        return []
    if len(told) < MANY:
        each = [f"{name} ({', '.join(found)})" for name, found in told]
        return [f"{BOUND}: {'; '.join(each)}"]
    every = ", ".join(dict.fromkeys(one for _, found in told for one in found))
    names = "every run of this table" if len(told) == len(runs) else ", ".join(name for name, _ in told)
    return [f"{BOUND}: {names} ({every})"]


def honest_notes(agents: Iterable[tuple[str, AgentSpec]]) -> list[str]:
    """A note on runs whose agents were held to having no part that knows the truth, or to reading pixels and sound
    alone; none if there is no such run.

    Args:
        agents: each with the name that the table gives its run.
    """
    told: dict[str, list[str]] = {}
    for name, agent in agents:
        if agent.honest:
            told.setdefault(SAID[agent.honest], []).append(name)
    return [f"{', '.join(names)}: {words}" for words, names in told.items()]


def by_hand_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """A note on runs that a person played, or what stood for one, and who; none if there is no such run.

    Args:
        runs: each with the name that the table gives it.
    """
    planners = [(name, run.spec.agent.planner) for name, run in runs]
    told = [f"{name} (player {part.options.get('player')})" for name, part in planners if part.name == "person"]
    return [f"{BY_HAND}: {', '.join(told)}"] if told else []


def experience_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """Notes on runs whose agents were given what was done in earlier runs, or solved tasks of a training split; none if
    there is no such run.

    Args:
        runs: each with the name that the table gives it.
    """
    runs = list(runs)
    told = [
        f"{name} (demonstrations)" if run.spec.experience.demonstrations else name
        for name, run in runs
        if run.spec.experience is not None
    ]
    notes = [f"given examples from earlier runs: {', '.join(told)}"] if told else []
    shown = [
        f"{name} ({axis_words('examples', run.spec)} by {axis_words('examples_ranking', run.spec)})"
        for name, run in runs
        if run.spec.examples is not None
    ]
    return notes + ([f"shown the nearest examples of the training split: {', '.join(shown)}"] if shown else [])


def taken_out_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """A note on tasks that people took out of a suite, which therefore are in no figure of a run, with the reasons.

    Args:
        runs: each with the name that the table gives it. What was taken out of all alike is told once.
    """
    found = [(name, run.spec.taken_out or {}) for name, run in runs]
    words = [(name, "; ".join(f"{task} ({why})" for task, why in out.items())) for name, out in found]
    if len({what for _, what in words}) == 1:
        words = [("", words[0][1])]
    return [f"{name}{': ' * bool(name)}not among the tasks: {what}" for name, what in words if what]


def without_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """Notes on runs whose parts were told to do without something, in the order of the runs.

    Args:
        runs: each with the name that the table gives it.
    """
    return [f"{name}: {words}" for name, run in runs for words in does_without(run.spec.agent)]


def version_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """Notes on runs that were continued with other versions of something than they were begun with.

    Args:
        runs: each with the name that the table gives it.
    """
    told = []
    for name, run in runs:
        changed: dict[str, list[str]] = {}
        for before, after in pairwise(run.made_with):
            for what, pair in version_changes(before, after).items():
                seen = changed.setdefault(what, [pair[0]])
                seen.append(pair[1])
        words = "; ".join(f"{what} {', then '.join(one or 'none' for one in seen)}" for what, seen in changed.items())
        told += [f"{name}: its episodes were not all made with the same versions: {words}"] if words else []
    return told


def person_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """A line for each run with which a person interfered while it went on: how, and to which episodes.

    Args:
        runs: each with the name that the table gives it.
    """
    return [f"{name}: {words}" for name, run in runs if (words := interference(run.acts))]


def interference(acts: Iterable[PersonActed]) -> str:
    """What persons did to a run while it went on, in a sentence; "" for nothing."""
    done = [act for act in acts if not act.refused]
    told = []
    if pauses := sum(act.action == "pause" for act in done):
        told.append("paused it" if pauses == 1 else f"paused it {pauses} times")
    if cancelled := [act.key for act in done if act.action == "cancel"]:
        told.append(
            f"cancelled {_episodes(cancelled)}, which {'is' if len(cancelled) == 1 else 'are'} void unless played again"
        )
    if requeued := [act.key for act in done if act.action == "requeue"]:
        told.append(f"had {_episodes(requeued)} played again after a void end")
    for act in done:
        if act.action == "raise":
            where = f"of {act.key}" if act.key else "of the run"
            limit = "turn limit" if act.limit == "turns" else f"limit on {act.limit}"
            told.append(f"raised the {limit} {where} from {act.before or 0:g} to {act.after or 0:g}")
    return f"a person interfered while it went on: {'; '.join(told)}" if told else ""


def _episodes(keys: Sequence[str]) -> str:
    """Such as "2 episodes (a#0.0, b#0.0)"."""
    shown = list(dict.fromkeys(keys))
    return f"{many(len(keys), 'episode')} ({', '.join(shown[:SHOWN])}{', …' * (len(shown) > SHOWN)})"


def harness_notes(runs: Iterable[tuple[str, Run]]) -> list[str]:
    """What the figures of runs hang on besides the agent, where their suite names the programs that play or judge it,
    since the same model has other figures in another harness: a line for all of which the same is told.

    Args:
        runs: each with the name that the table gives it.
    """
    told: dict[str, list[str]] = {}
    for name, run in runs:
        made = run.made_with[-1] if run.made_with else {}
        if not made.get("programs"):
            continue
        limits = sorted({one.turn_limit for one in run.episodes if one.turn_limit is not None})
        turns = f"at most {'–'.join(map(str, dict.fromkeys((limits[0], limits[-1]))))} turns" if limits else ""
        screens = dict.fromkeys(screen for one in run.episodes for screen in one.screens)
        voids = sum(one.void for one in run.episodes)
        counted = f"of {many(len(run.episodes), 'episode')} of {many(len({one.task for one in run.episodes}), 'task')}"
        parts = (
            f"omnipilot {made.get('omnipilot', '')}".strip(),
            ", ".join(f"{program} {version}" for program, version in made["programs"].items()),
            f"suite {run.spec.suite.name} {run.spec.suite_version}".strip(),
            turns,
            ", ".join(screens),
            counted + (f", {voids} void and counted as zero" if voids else ""),
        )
        told.setdefault("; ".join(part for part in parts if part), []).append(name)
    return [f"{', '.join(names)}: measured with {how}" for how, names in told.items()]


def bound_notes_of(runs: Iterable[Run]) -> list[str]:
    """Notes on the runs of a table whose parts know the solution or the true screen, or were held to knowing neither,
    or that were given examples."""
    shown = list(runs)
    bounds = bound_notes((run.name, gold_parts(run.spec.agent)) for run in shown)
    named = [(run.name, run) for run in shown]
    honest = honest_notes((run.name, run.spec.agent) for run in shown)
    return [
        *bounds,
        *honest,
        *by_hand_notes(named),
        *experience_notes(named),
        *without_notes(named),
        *person_notes(named),
    ]


def interval_words(what: str, methods: Sequence[str]) -> str:
    """ "SR by Wilson, or …"; "SR: no interval, because …" if no method gives one."""
    found = [method for method in dict.fromkeys(methods) if not method.startswith(NONE)]
    lacking = [method for method in dict.fromkeys(methods) if method.startswith(NONE)]
    if not found:
        name = "" if what.startswith("interval") else f"{what}: "
        return name + no_interval_words(lacking)
    rest = f"; none where {', or '.join(dict.fromkeys(map(_why, lacking)))}" if lacking else ""
    return f"{what} by {', or '.join(found)}{rest}"


def no_interval_words(methods: Sequence[str]) -> str:
    """Why there is no interval, such as "no interval, because there is only one task".

    Args:
        methods: what intervals that have no ends name as their method; none where nothing is finished.
    """
    return f"no interval, because {', or '.join(dict.fromkeys(map(_why, methods))) or 'nothing is finished'}"


def p_words_of(tests: Sequence[str]) -> str:
    """ "p by …"; "no p" where there is no test."""
    found = [test for test in dict.fromkeys(tests) if test != NONE]
    return f"p by {', or '.join(found)}" if found else "no p"


def every_trial_note(trials: int) -> list[str]:
    """What "pass^k" means where instances have several trials; none for single ones."""
    return [f"pass^k: an instance counts if all k = {trials} of its trials are solved"] * (trials > 1)


def corrected_note(tests: int, noun: str) -> str:
    """What "p Holm" means in a table with `tests` comparisons, at least two, of as many `noun`s."""
    return f"p Holm: corrected for the {many(tests, noun)} that are compared together"


def _why(method: str) -> str:
    """Why there is no interval, from the name of the method."""
    return method.removeprefix(NONE).removeprefix(", as ") or "there is too little data"
