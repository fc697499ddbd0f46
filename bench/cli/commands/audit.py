"""What `omnipilot audit` does: audits a suite and prints what was found, or plays a finding again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from omnipilot.bench.audit.audit import AuditPlan, audit_suite
from omnipilot.bench.audit.audit_tables import audit_tables
from omnipilot.bench.audit.replay import replay_finding
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError

FOUND, FAILED = 1, 2
"""Exit statuses of an audit that found something, and of one that could not audit a task and found nothing."""


@loading_suites_once()
def audit_command(suite: str | None, options: Sequence[str], out: Path, **plan: Any) -> None:
    """Audit a suite.

    Args:
        options: of the suite, each written suite.KEY=VALUE. plan: what `AuditPlan` takes besides the suite.

    Raises:
        ConfigError: no suite is named, or there is no such suite, task or option.
        typer.Exit: with the status that says what was found.
    """
    if suite is None:
        raise ConfigError("name the suite to audit, such as `omnipilot audit toy` (`omnipilot list suites` shows all)")
    if wrong := [one for one in options if not one.startswith("suite.")]:
        raise ConfigError(f"{wrong[0]!r} is no option of the suite; write suite.KEY=VALUE")
    part = part_of(set_options(RunSettings(suite=suite), options), "suite")
    found, failed = audit_suite(AuditPlan(part, **plan), out, lambda line: typer.echo(line, err=True))
    typer.echo("\n\n".join(table.text() for table in audit_tables(found, failed)))
    findings = sum(len(one.findings) for one in found)
    typer.echo(f"{len(found)} certificates in {out / 'certificates'}" + (f", {findings} findings" if findings else ""))
    if findings:
        typer.echo(f"play one again: omnipilot audit --replay {out / 'findings'}/FILE")
        raise typer.Exit(FOUND)
    if failed:
        raise typer.Exit(FAILED)


def replay_command(path: Path) -> None:
    """Play a finding again.

    Raises:
        ConfigError: as `replay_finding`.
        typer.Exit: with status 1 if it is still judged successful.
    """
    still = False
    for line in replay_finding(path):
        if isinstance(line, bool):
            still = line
        else:
            typer.echo(line)
    typer.echo("still judged successful" if still else "no longer judged successful")
    if still:
        raise typer.Exit(FOUND)
