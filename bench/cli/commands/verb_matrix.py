"""What `omnipilot list verbs --matrix` prints: what stands for each verb on each platform."""

from __future__ import annotations

import typer

from omnipilot.agents.verbs import verb_matrix
from omnipilot.bench.report.results.formats import check_format, format_tables
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

COLUMNS = ("verb", "phone", "desktop", "browser")


def print_matrix(what: str, matrix: bool, format: str) -> None:
    """Print the table verb by platform.

    Args:
        what: the kind of thing that is listed. matrix: whether the table is asked for. format: one of `FORMATS`.

    Raises:
        ConfigError: something else than verbs is listed, or there is no such format.
    """
    if what != "verbs" or not matrix:
        raise ConfigError(f"--matrix and --format are for `list verbs --matrix`, not for `list {what}`")
    check_format(format)
    table = Table(COLUMNS, tuple(verb_matrix()), labels=len(COLUMNS))
    typer.echo(format_tables([table], format))
