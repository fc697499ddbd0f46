"""Help in sections, for commands with many options; quicker than that of rich, which is not loaded."""

from __future__ import annotations

from typing import Any

import typer.core

from omnipilot.bench.settings import SECTIONS

OTHERS = "Options"


class SectionedCommand(typer.core.TyperCommand):
    """A command whose help lists its options under the headings that they name as their `rich_help_panel`."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each section, those without one last."""
        told: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{name: [] for name in SECTIONS}, OTHERS: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            usual = "Arguments" if parameter.param_type_name == "argument" else OTHERS
            told[getattr(parameter, "rich_help_panel", None) or usual].append(record)
        for name, records in told.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
