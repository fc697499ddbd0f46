"""The command `phone serve`: the embedded phone as an ADB device."""

from __future__ import annotations

from typing import Annotated

import typer

phone = typer.Typer(
    help="The embedded phone as an Android device, for adb and everything that works through adb.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@phone.callback()
def _phone() -> None:
    """A group of its own, even with a single command."""


@phone.command()
def serve(
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 for a free one.")] = 0,
    instance: Annotated[int, typer.Option(metavar="K", help="Instance of the content, or of the task.")] = 0,
    task: Annotated[
        str, typer.Option(metavar="TASK", help="Task of duet to set up and to judge; one that needs the phone alone.")
    ] = "",
    count: Annotated[int, typer.Option(metavar="N", help="Number of phones, each on a port of its own.")] = 1,
    large: Annotated[bool, typer.Option("--large", help="A screen of 1080x2400 pixels instead of 412x916.")] = False,
    rotation: Annotated[int, typer.Option(metavar="0..3", help="Quarter turns in which the phone lies.")] = 0,
    emulator: Annotated[
        bool,
        typer.Option(
            "--emulator",
            help="Listen on an odd port of 5555..5585, where every adb server of this machine finds it by itself as "
            "emulator-PORT.",
        ),
    ] = False,
) -> None:
    """Serve the embedded phone as an ADB device until Ctrl-C. Prints the line that connects adb to it."""
    from omnipilot.bench.suites.duet.commands.serve_phone import PhoneOptions, serve_command

    serve_command(PhoneOptions(port, instance, task, count, large, rotation, emulator))
