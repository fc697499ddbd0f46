"""The commands `desktop up`, `view`, `list` and `down`: private desktops that run as programs of their own."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli.options import File, Many, Text

desktop = typer.Typer(
    help="Private desktops: an X server, sound, a window manager and programs, shut off in a sandbox.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(metavar="[NAME]", help="Desktop; may be left out if only one runs.")]


@desktop.command()
def up(
    name: Annotated[Text, typer.Argument(metavar="[NAME]", help="Its name. Default: desktop-1, desktop-2, …")] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the screen, in pixels.")] = "1280x800",
    programs: Annotated[str, typer.Option(metavar="LIST", help="Programs to start, such as mousepad,galculator.")] = "",
    home: Annotated[File, typer.Option(metavar="DIR", help="Folder whose content its home starts with.")] = None,
    window_manager: Annotated[
        str, typer.Option(metavar="NAME", help="xfwm4, jwm, openbox, matchbox-window-manager, or none.")
    ] = "xfwm4",
    sound: Annotated[bool, typer.Option(help="Whether it has a sound server.")] = True,
    network: Annotated[
        str,
        typer.Option(
            metavar="none|host|PORTS",
            help="What programs reach: nothing; all of this machine's network and loopback; or some of its ports, "
            "such as 8080,8443.",
        ),
    ] = "none",
    set_: Annotated[
        Many,
        typer.Option("--set", metavar="NAME=VALUE", help="Variable of its programs, e.g. GDK_SCALE=2."),
    ] = None,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Return once it is up, and leave it running.")] = False,
) -> None:
    """Start a private desktop, and end it with Ctrl-C; several run side by side."""
    from omnipilot.bench.cli.commands.desktop import DesktopOptions, up_command

    up_command(name or "", DesktopOptions(size, programs, home, window_manager, sound, network, set_ or ()), detach)


@desktop.command()
def view(
    name: Name = "",
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 for a free one.")] = 0,
    control: Annotated[bool, typer.Option("--control", help="Let the page use mouse and keyboard.")] = False,
    own: Annotated[bool, typer.Option("--own", help="Show the desktop that you are sitting at.")] = False,
) -> None:
    """Serve a page that shows a private desktop, with its sound, until Ctrl-C. Prints the page's address."""
    from omnipilot.bench.cli.commands.desktop import view_command

    view_command(name, port, control, own)


@desktop.command("list")
def list_() -> None:
    """List the private desktops that run."""
    from omnipilot.bench.cli.commands.desktop import list_command

    list_command()


@desktop.command()
def down(name: Name = "", every: Annotated[bool, typer.Option("--all", help="End all that run.")] = False) -> None:
    """End a private desktop, and remove all that is left of it."""
    from omnipilot.bench.cli.commands.desktop import down_command

    down_command(name, every)
