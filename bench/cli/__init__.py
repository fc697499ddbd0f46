"""The command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.cli.commands.interrupts import sigterm_as_interrupt as sigterm_as_interrupt
    from omnipilot.bench.cli.commands.report import report_command as report_command
    from omnipilot.bench.cli.model_flags import with_model as with_model

__all__, __getattr__, __dir__ = lazy_exports(__name__)
