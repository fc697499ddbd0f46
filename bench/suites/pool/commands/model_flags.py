"""Flags of stages that may ask a model: which, where, and for how much."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from omnipilot.bench.suites.pool.tell.model_calls import StageModel

# Typer reads annotations at run time, and not all versions that we support read `str | None`.
_PANEL = "Model"
ModelName = Annotated[
    str,
    typer.Option(
        "--model", metavar="PROVIDER/NAME", help="Have a model do it. Default: rules.", rich_help_panel=_PANEL
    ),
]
ModelUrl = Annotated[str, typer.Option("--url", metavar="URL", help="Its server.", rich_help_panel=_PANEL)]
KeyEnv = Annotated[
    str,
    typer.Option("--key-env", metavar="NAME", help="Environment variable that holds its key.", rich_help_panel=_PANEL),
]
PriceIn = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--price-in", metavar="USD", help="Dollars a million tokens read.", rich_help_panel=_PANEL),
]
PriceOut = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--price-out", metavar="USD", help="Dollars a million tokens written.", rich_help_panel=_PANEL),
]
CassetteFolder = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--cassette",
        metavar="DIR",
        help="Record its calls in this folder; calls that are already in it are not made again.",
        rich_help_panel=_PANEL,
    ),
]
Replay = Annotated[
    bool,
    typer.Option("--replay", help="With --cassette: fail on a call that is not recorded.", rich_help_panel=_PANEL),
]
Budget = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option(metavar="USD", help="Most dollars that its calls of this command may cost.", rich_help_panel=_PANEL),
]


def stage_model(
    name: str,
    url: str,
    key_env: str,
    price_in: float | None,
    price_out: float | None,
    cassette: Path | None,
    replay: bool,
    budget: float | None,
) -> StageModel | None:
    """The model that the flags name; None where they name none.

    Raises:
        ConfigError: the flags do not fit together, or the endpoint cannot be.
    """
    from omnipilot.bench.suites.pool.tell.model_calls import StageModel
    from omnipilot.envs import ConfigError
    from omnipilot.memory.models import ModelOptions

    if replay and cassette is None:
        raise ConfigError("--replay requires --cassette DIR")
    if not name:
        if url or cassette or budget is not None:
            raise ConfigError("--url, --cassette and --budget are of a model: name it with --model PROVIDER/NAME")
        return None
    options = ModelOptions(
        name,
        url=url,
        key_env=key_env,
        price_in=price_in,
        price_out=price_out,
        cassette=str(cassette or ""),
        replay=replay,
    )
    return StageModel(options, budget)
