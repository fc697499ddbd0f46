"""The command line. Everything heavier than argument parsing is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated

import typer

from omnipilot.bench.cli.ablate import ablate
from omnipilot.bench.cli.attribute import attribute
from omnipilot.bench.cli.audit import audit
from omnipilot.bench.cli.calibrate import calibrate_
from omnipilot.bench.cli.compare import compare
from omnipilot.bench.cli.desktop import desktop
from omnipilot.bench.cli.doctor import doctor
from omnipilot.bench.cli.env import env
from omnipilot.bench.cli.export import export
from omnipilot.bench.cli.figure import figure
from omnipilot.bench.cli.fork import fork
from omnipilot.bench.cli.grid import grid
from omnipilot.bench.cli.ground import ground
from omnipilot.bench.cli.list import list_
from omnipilot.bench.cli.macros import macros
from omnipilot.bench.cli.memory import memory
from omnipilot.bench.cli.merge import merge
from omnipilot.bench.cli.miniature import miniature
from omnipilot.bench.cli.pack import pack
from omnipilot.bench.cli.parsing.command_group import OWN, CommandGroup, SectionedCommand
from omnipilot.bench.cli.plan import plan
from omnipilot.bench.cli.play import play
from omnipilot.bench.cli.policy import policy
from omnipilot.bench.cli.prove import prove
from omnipilot.bench.cli.record import record
from omnipilot.bench.cli.report import report
from omnipilot.bench.cli.rerender import rerender
from omnipilot.bench.cli.run import run
from omnipilot.bench.cli.score import score
from omnipilot.bench.cli.serve import serve
from omnipilot.bench.cli.show import show
from omnipilot.bench.cli.show_prompt import show_prompt
from omnipilot.bench.cli.status import status
from omnipilot.bench.cli.stops import stops
from omnipilot.bench.cli.study import study
from omnipilot.bench.cli.sweep import sweep
from omnipilot.bench.cli.table import table
from omnipilot.bench.cli.verify import verify
from omnipilot.bench.cli.view import view
from omnipilot.envs import OmnipilotError

app = typer.Typer(
    name="omnipilot",
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 120},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"omnipilot {version('omnipilot')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Agents that operate phones, desktops and browsers, and a harness whose numbers can be trusted."""


OWN.command(cls=SectionedCommand)(run)
OWN.command()(merge)
OWN.command()(status)
OWN.command("list")(list_)
OWN.command("show-prompt")(show_prompt)
OWN.command()(report)
OWN.command()(view)
OWN.command()(figure)
OWN.command()(export)
OWN.command()(show)
OWN.command()(fork)
OWN.command()(attribute)
OWN.command()(play)
OWN.command()(record)
OWN.command()(verify)
OWN.command()(prove)
OWN.command()(pack)
OWN.command()(audit)
OWN.command()(rerender)
OWN.command()(memory)
OWN.add_typer(env, name="env")
OWN.add_typer(desktop, name="desktop")
OWN.add_typer(policy, name="policy")
OWN.command()(serve)
OWN.command("calibrate")(calibrate_)
OWN.command()(ground)
OWN.command()(score)
OWN.command()(miniature)
OWN.command()(compare)
OWN.command()(table)
OWN.command()(macros)
OWN.command()(stops)
OWN.command()(plan)
OWN.command(cls=SectionedCommand)(sweep)
OWN.command(cls=SectionedCommand)(grid)
OWN.command(cls=SectionedCommand)(ablate)
OWN.command(cls=SectionedCommand)(study)
OWN.command()(doctor)


def main() -> None:
    """Entry point. An error of ours, of the system or of a file is one line that names the cure, with exit status 2.

    A SIGTERM, and the end of the terminal, end a command as Ctrl-C does. No error shows a key. With
    $OMNIPILOT_TRACEBACK set, errors of the system show where they came from, too.
    """
    from omnipilot.bench.cli.commands.interrupts import sigterm_as_interrupt
    from omnipilot.bench.consoles import write_any_letter
    from omnipilot.bench.logs import start_logging
    from omnipilot.memory.secrets.scrub import scrub_error

    write_any_letter()
    try:
        start_logging()
        with sigterm_as_interrupt():
            app()
    except OmnipilotError as error:
        typer.echo(f"omnipilot: {scrub_error(str(error))}", err=True)
        sys.exit(2)
    except (OSError, MemoryError) as error:
        from omnipilot.envs.types.system_errors import explain

        if os.environ.get("OMNIPILOT_TRACEBACK"):
            typer.echo(scrub_error(traceback.format_exc()), err=True, nl=False)
        typer.echo(f"omnipilot: {scrub_error(explain(error))}", err=True)
        sys.exit(2)
    except Exception:
        # A bug: the usual traceback, with keys removed from what libraries say.
        typer.echo(scrub_error(traceback.format_exc()), err=True, nl=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
