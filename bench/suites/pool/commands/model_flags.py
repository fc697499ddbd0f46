"""Flags of stages that may ask a model: which, where, and for how much; and how many processes work."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Optional, get_type_hints

import typer

from omnipilot.bench.suites.pool.tell.model_calls import StageModel
from omnipilot.envs import ConfigError

Jobs = Annotated[
    int,
    typer.Option(
        min=0, help="Worker processes, for what needs no model; 0 takes all cores where there are many graphs."
    ),
]
MANY = 2_000_000
"""Bytes of a file of graphs from which on worker processes are worth their start."""
MANY_GRAPHS = 100
"""Graphs to be played from which on they are."""


def jobs_for(jobs: int, graphs: Path | int) -> int:
    """How many worker processes a stage takes.

    Args:
        jobs: how many are asked for; 0 for what suits.
        graphs: the file of those that it works on, or how many it plays.
    """
    import os

    if jobs:
        return jobs
    if isinstance(graphs, int):
        many = graphs >= MANY_GRAPHS
    else:
        many = graphs.exists() and graphs.stat().st_size >= MANY
    return len(os.sched_getaffinity(0)) if many and hasattr(os, "sched_getaffinity") else 1


def _option(help: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel="Model")


# Typer reads annotations at run time, and not all versions that we support read `str | None`.
def stage_model(
    model: Annotated[str, _option("Have a model do it. Default: rules.", metavar="PROVIDER/NAME")] = "",
    url: Annotated[str, _option("Its server.", metavar="URL")] = "",
    key_env: Annotated[str, _option("Environment variable that holds its key.", metavar="NAME")] = "",
    price_in: Annotated[Optional[float], _option("Dollars a million tokens read.", metavar="USD")] = None,  # noqa: UP045
    price_out: Annotated[Optional[float], _option("Dollars a million tokens written.", metavar="USD")] = None,  # noqa: UP045
    cassette: Annotated[
        Optional[Path],  # noqa: UP045
        _option("Record its calls in this folder; calls that are already in it are not made again.", metavar="DIR"),
    ] = None,
    replay: Annotated[bool, _option("With --cassette: fail on a call that is not recorded.", "--replay")] = False,
    budget: Annotated[
        Optional[float],  # noqa: UP045
        _option("Most dollars that its calls of this command may cost.", metavar="USD"),
    ] = None,
) -> StageModel | None:
    """The model that the flags name; None where they name none.

    Raises:
        ConfigError: the flags do not fit together, or the endpoint cannot be.
    """
    from omnipilot.memory.models import ModelOptions

    if replay and cassette is None:
        raise ConfigError("--replay requires --cassette DIR")
    if not model:
        if url or cassette or budget is not None:
            raise ConfigError("--url, --cassette and --budget are of a model: name it with --model PROVIDER/NAME")
        return None
    options = ModelOptions(
        model,
        url=url,
        key_env=key_env,
        price_in=price_in,
        price_out=price_out,
        cassette=str(cassette or ""),
        replay=replay,
    )
    return StageModel(options, budget)


def with_model(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the flags of `stage_model`, after its own options.

    The function gets the model that they name, or None, as its parameter `helper`.
    """
    hints = get_type_hints(function, include_extras=True)
    flags = _parameters(stage_model, get_type_hints(stage_model, include_extras=True))

    @functools.wraps(function)
    def call(*args: Any, **values: Any) -> None:
        given = {flag.name: values.pop(flag.name) for flag in flags if flag.name in values}
        function(*args, helper=stage_model(**given), **values)

    own = [one for one in _parameters(function, hints) if one.name != "helper"]
    parameters = [*own, *(flag.replace(kind=flag.KEYWORD_ONLY) for flag in flags)]
    call.__dict__["__signature__"] = inspect.Signature(parameters)
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _parameters(function: Callable[..., Any], hints: dict[str, Any]) -> list[inspect.Parameter]:
    return [one.replace(annotation=hints[name]) for name, one in inspect.signature(function).parameters.items()]
