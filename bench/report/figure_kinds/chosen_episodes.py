"""Which episodes a figure of one task is about."""

from __future__ import annotations

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.report.figure_kinds.kind import FigureRequest
from omnipilot.bench.report.paper.sources import TableSource, find_sources
from omnipilot.envs import ConfigError


def episodes_of_task(request: FigureRequest) -> list[tuple[TableSource, list[Episode]]]:
    """The episodes of the task that is asked for, of each run that has some.

    Raises:
        ConfigError: as `find_sources`; no task is named, or no run has an episode of it.
    """
    sources = [one for one in find_sources(request.runs) if one.run is not None]
    known = list(dict.fromkeys(episode.task for one in sources if one.run for episode in one.run.episodes))
    if not request.task:
        raise ConfigError(
            f"name the task with --task; these runs have {', '.join(known[:8])}{', …' * (len(known) > 8)}"
        )
    if request.task not in known:
        raise ConfigError(describe_unknown("task of these runs", request.task, known))
    found = [
        (
            one,
            [
                episode
                for episode in one.run.episodes
                if episode.task == request.task
                and request.instance in (None, episode.instance)
                and request.trial in (None, episode.trial)
            ],
        )
        for one in sources
        if one.run is not None
    ]
    found = [(one, episodes) for one, episodes in found if episodes]
    if not found:
        raise ConfigError(f"no run has such an instance or trial of {request.task}; leave out --instance and --trial")
    return found
