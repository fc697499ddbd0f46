"""The command `memory`: the timeline of an episode, a film or a sound, and questions to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File, Many, Number, Text
from omnipilot.envs import ConfigError


def memory(
    run_: Annotated[
        Path, typer.Argument(metavar="RUN|FILE", help="Run directory; or a film (mp4, webm, mkv, gif, …) or a sound.")
    ],
    task: Annotated[Text, typer.Argument(metavar="[TASK]", help="Id of a task that was run; not for a FILE.")] = None,
    ask: Annotated[
        Text, typer.Option(metavar="QUESTION", help="Question to answer. Without it, print the timeline.")
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", help="With --ask: print at most N answers, the best first.")] = 5,
    every: Annotated[
        bool, typer.Option("--all", help="With --ask: print all that would be recalled for a decision, in its order.")
    ] = False,
    instance: Annotated[int, typer.Option(help="Instance of the task.")] = 0,
    trial: Annotated[int, typer.Option(help="Trial of the instance.")] = 0,
    memory: Annotated[
        str, typer.Option(metavar="NAME", help="Memory that is asked; see `list memories`.")
    ] = "episodic",
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="memory.KEY=VALUE", help="Option of the memory. Repeatable.")
    ] = None,
    envs: Annotated[str, typer.Option(metavar="LIST", help="Devices to recall from. Default: all.")] = "",
    modalities: Annotated[
        str, typer.Option(metavar="LIST", help="What may be recalled. Default: what the planner was granted.")
    ] = "",
    kinds: Annotated[str, typer.Option(metavar="LIST", help="Kinds of events to print. Default: all.")] = "",
    start: Annotated[Number, typer.Option("--from", metavar="SECONDS", help="Print events from then on.")] = None,
    end: Annotated[Number, typer.Option("--to", metavar="SECONDS", help="Print events until then.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[
        File, typer.Option(metavar="DIR", help="For a FILE: keep its key frames and clips there. Default: nowhere.")
    ] = None,
) -> None:
    """Ask the memory of a recorded episode, a film or a sound, or print its timeline."""
    if run_.is_file():
        from omnipilot.bench.cli.commands.film import FilmQuestion, film_command

        of_runs = {"TASK": task, "--all": every, "--instance": instance, "--trial": trial, "--envs": envs}
        of_runs |= {"--modalities": modalities, "--memory": memory != "episodic"}
        if given := [name for name, value in of_runs.items() if value]:
            raise ConfigError(f"{', '.join(given)}: for runs alone; {run_} is a file")
        film_command(run_, FilmQuestion(ask, most, kinds, start, end, option or [], out, json))
        return
    from omnipilot.bench.cli.commands.memory import (
        AskOptions,
        TimelineSpan,
        WhichEpisode,
        ask_command,
        timeline_command,
    )

    if task is None and not run_.exists():
        raise ConfigError(f"there is no run, film or sound {run_}")
    if task is None:
        raise ConfigError(
            f"name a task of the run {run_} (`omnipilot report` lists them), or a film or sound that exists"
        )
    if out is not None:
        raise ConfigError("--out is for a film or a sound; the clips of a run are in its folder")
    which, span = WhichEpisode(run_, task, instance, trial, envs, modalities), TimelineSpan(kinds, start, end)
    if ask is None:
        timeline_command(which, span, json)
    elif span != TimelineSpan():
        raise ConfigError("--kinds, --from and --to are for the timeline; leave --ask out, or these")
    else:
        ask_command(ask, which, AskOptions(memory, option or [], most, every), json)
