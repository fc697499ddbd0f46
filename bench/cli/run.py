"""The command `run`: an agent on a suite."""

from __future__ import annotations

from omnipilot.bench.cli import options as opt


@opt.with_settings("run")
def run(
    flags: opt.Flags,
    option: opt.PartOption = None,
    config: opt.Config = None,
    rerun_void: opt.RerunVoid = False,
    dry_run: opt.DryRun = False,
) -> None:
    """Run an agent on a suite, or resume an interrupted run."""
    from omnipilot.bench.cli.commands.run import run_command

    run_command(config, flags.settings, option or [], rerun_void, dry_run)
