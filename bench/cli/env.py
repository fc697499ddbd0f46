"""The commands `env serve`, `env check` and `env token`: worlds for programs on other machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File, Many, Text
from omnipilot.envs.types import documentation_page

env = typer.Typer(
    help="Worlds over HTTP: serve one to another machine, or check one that is served.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TokenFile = Annotated[File, typer.Option(metavar="FILE", help="File with the token, of mode 0600.")]


@env.command("serve")
def serve(
    world: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="A kind of device, as in `omnipilot list envs`, android:SERIAL, or a TOML file. Default: the embedded "
            "world, where it is installed.",
        ),
    ] = None,
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME", help="With a door: whose tasks can be opened. Default: that of the embedded world, for it."
        ),
    ] = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="world.KEY=VALUE",
            help="Option of the world, e.g. world.url=ADDRESS, or of the suite. Repeatable.",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but a loopback one can be reached by others.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 for a free one.")] = 8700,
    name: Annotated[
        Many, typer.Option(metavar="HOST", help="Further name by which clients address this machine. Repeatable.")
    ] = None,
    token_file: Annotated[
        File,
        typer.Option(
            metavar="FILE",
            help="File with the token that clients send, of mode 0600. Default: OMNIPILOT_REMOTE_TOKEN, or a new one.",
        ),
    ] = None,
    allow_judges: Annotated[
        bool, typer.Option("--allow-judges", help="Let judges read files, elements and state, and run commands.")
    ] = False,
    judges_token_file: Annotated[
        File,
        typer.Option(
            metavar="FILE", help="File with the judges' token. Default: OMNIPILOT_JUDGES_TOKEN, or a new one."
        ),
    ] = None,
    certificate: Annotated[File, typer.Option(metavar="FILE", help="Certificate (PEM), to serve HTTPS.")] = None,
    key: Annotated[File, typer.Option(metavar="FILE", help="Its key (PEM).")] = None,
    door: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help=f"Serve to other clients: mcp, mcp-http, or a plug-in's; see {documentation_page('doors')}.",
        ),
    ] = None,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="The same as --door mcp: tools for a coding agent, over standard input.")
    ] = False,
    score: Annotated[bool, typer.Option("--score", help="With a door: let clients ask how far a task is.")] = False,
    fork: Annotated[bool, typer.Option("--fork", help="With a door: let clients double worlds.")] = False,
    policy: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="What clients may do: ask, own-device, read-only, none, or a file. Default: ask, for "
            "devices of your own.",
        ),
    ] = None,
    approver: Annotated[
        Text, typer.Option(metavar="NAME", help="Who is asked: terminal, page, command:LINE, none, or a plug-in's.")
    ] = None,
) -> None:
    """Serve a world over HTTP, until Ctrl-C; or through a door, to clients of another kind."""
    from omnipilot.bench.cli.commands.env import DoorOptions, ServeOptions, door_command, serve_command

    how = ServeOptions(host, port, name or (), token_file, allow_judges, judges_token_file, certificate, key)
    if mcp and door not in (None, "mcp"):
        raise typer.BadParameter(f"--mcp means --door mcp, not {door}")
    if mcp or door:
        if allow_judges or certificate or key or name:
            raise typer.BadParameter("--allow-judges, --name, --certificate and --key are not for doors")
        door_command(world, option or [], how, DoorOptions(door or "mcp", suite, score, fork), policy, approver)
        return
    if suite or score or fork:
        raise typer.BadParameter("--suite, --score and --fork are for a door; add --mcp or --door NAME")
    serve_command(world, option or [], how, policy, approver)


@env.command("check")
def check(
    url: Annotated[str, typer.Argument(metavar="URL", help="Address of the server, such as http://127.0.0.1:8700.")],
    token_file: TokenFile = None,
    judges_token_file: Annotated[
        File, typer.Option(metavar="FILE", help="File with the judges' token, of mode 0600.")
    ] = None,
    authority: Annotated[
        File, typer.Option(metavar="FILE", help="Certificate (PEM) that an HTTPS server must have.")
    ] = None,
    out: Annotated[File, typer.Option(metavar="DIR", help="Folder for a screenshot of each device.")] = None,
) -> None:
    """Show what a server offers: devices, verbs, what can be seen and heard, how fast, and its clock."""
    from omnipilot.bench.cli.commands.env import check_command

    check_command(url, token_file, judges_token_file, authority, out)


@env.command("token")
def token(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="New file to write the token to, of mode 0600.")],
) -> None:
    """Make a token of 32 random bytes; copy its file to the machine that is to connect."""
    from omnipilot.bench.cli.commands.env import token_command

    token_command(file)
