"""Converts the episodes of any run to attempts of MMBench-GUI levels 3 and 4, so that every run has SR and EQA."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from omnipilot.bench.journal.events import EpisodeStarted
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Episode, slots, survey_of
from omnipilot.bench.scoring.eqa import Attempt
from omnipilot.bench.stats.clusters import connected_groups
from omnipilot.bench.suites.mmbench_gui.level3.data import Results, void
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

SPEC = "spec.json"
"""What every run directory has."""


def read_run(folder: Path) -> Results:
    """The attempts of a run directory, by trial. A step is a turn, that is, one decision of the agent.

    A task's instances are tasks of their own, and one cluster, as tasks are that share a template. Its platform is its
    tag `platform`, else the names of the environments that its judges are about.

    Raises:
        ConfigError: no episode is finished.
    """
    spec = load_run(folder).spec
    found = survey_of(folder)
    if not found.episodes:
        raise ConfigError(f"no episode of {folder} is finished; start the run again to finish it")
    started = {event.task: event for event in read(folder) if isinstance(event, EpisodeStarted)}
    groups = group_tasks({event.task: values_of(event.tags, "template") for event in started.values()})
    platforms = {task: _platform(event) for task, event in started.items()}
    done = {episode.key: episode for episode in found.episodes}
    several = spec.instances > 1
    trials: list[list[Attempt]] = [[] for _ in range(spec.trials)]
    clusters: dict[str, str] = {}
    missing: list[str] = []
    for slot in slots(spec, found.tasks):
        name = f"{slot.task}#{slot.instance:03}" if several else slot.task
        clusters[name] = groups.get(slot.task, slot.task)
        episode = done.get(slot.key)
        if episode is None:
            missing.append(slot.key)
            trials[slot.trial].append(void(name, platforms.get(slot.task, "")))
        else:
            trials[slot.trial].append(_attempt(name, episode, platforms))
    limits = [turns for event in started.values() if (turns := event.limits.get("turns")) is not None]
    limit = min(limits, default=None)
    notes = [f"steps: turns, the decisions of the agent; the run allowed {_words(limits)} a task"]
    if spec.trials > 1:
        notes.append(f"figures are means over {spec.trials} trials, each scored on its own")
    noun = "tasks"
    if len(set(groups.values())) < len(groups):
        noun = "groups of tasks that share templates"
    return Results(tuple(map(tuple, trials)), clusters, limit, tuple(missing), (), tuple(notes), noun)


def find_runs(folder: Path) -> list[Path]:
    """The folder itself if it is a run directory, else those directly in it that are; none where it holds none."""
    if (folder / SPEC).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{SPEC}")) if folder.is_dir() else []


def read_runs(folders: Sequence[Path]) -> Results:
    """The attempts of one run, or of several together, such as one for each platform.

    Raises:
        ConfigError: no episode is finished, a task of a platform is in two runs, or they have unlike numbers of trials.
    """
    runs = [read_run(folder) for folder in folders]
    if len(runs) == 1:
        return runs[0]
    if len({len(one.trials) for one in runs}) > 1:
        told = ", ".join(f"{path.name} {len(one.trials)}" for path, one in zip(folders, runs, strict=True))
        raise ConfigError(f"runs that are scored together need the same number of trials; they have {told}")
    seen: dict[tuple[str, str], str] = {}
    for path, one in zip(folders, runs, strict=True):
        for attempt in one.trials[0]:
            other = seen.setdefault((attempt.task, attempt.platform), path.name)
            if other != path.name:
                raise ConfigError(f"{attempt.task} is in {other} and in {path.name}: score one of them")
    trials = zip(*(one.trials for one in runs), strict=True)
    limits = [one.limit for one in runs if one.limit is not None]
    notes = tuple(
        f"{path.name}: {note}" for path, one in zip(folders, runs, strict=True) for note in dict.fromkeys(one.notes)
    )
    nouns = {one.noun for one in runs}
    return Results(
        tuple(tuple(attempt for own in each for attempt in own) for each in trials),
        {task: group for one in runs for task, group in one.clusters.items()},
        min(limits, default=None),
        tuple(name for one in runs for name in one.missing),
        notes=notes,
        noun=nouns.pop() if len(nouns) == 1 else "groups of tasks that share templates",
    )


def group_tasks(templates: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The group of each task, named after its first: tasks that share a template, directly or through other tasks."""
    tasks = list(templates)
    groups = connected_groups([set(names) for names in templates.values()])
    return {tasks[i]: min(tasks[j] for j in group) for group in groups for i in group}


def _attempt(name: str, episode: Episode, platforms: Mapping[str, str]) -> Attempt:
    return Attempt(name, episode.success, episode.turns, platforms[episode.task], episode.void)


def _platform(event: EpisodeStarted) -> str:
    envs = sorted({node["env"] for node in event.nodes if node["env"]})
    return str(event.tags.get("platform") or "+".join(envs))


def _words(limits: list[int]) -> str:
    if not limits:
        return "any number"
    least, most = min(limits), max(limits)
    return str(least) if least == most else f"{least} to {most}"
