"""The option `--data` of every command that takes a suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Optional

import typer

Data = Annotated[
    Optional[str],  # noqa: UP045 (typer reads annotations at run time)
    typer.Option("--data", help="Folder of the suite's data, or hf://OWNER/NAME; the same as -o suite.data=…"),
]


def with_data(options: Sequence[str] | None, data: str | None) -> list[str]:
    """The options of parts, and where the suite's data lies."""
    return [*(options or ()), *([] if data is None else [f"suite.data={json.dumps(data)}"])]
