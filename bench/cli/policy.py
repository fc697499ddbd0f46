"""The commands `policy`: what an agent may do, as presets say it, and whether a file says it rightly."""

from __future__ import annotations

from typing import Annotated

import typer

policy = typer.Typer(help="Print a policy, or check one: what an agent may do.", no_args_is_help=True)


@policy.command("show")
def show_policy(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="ask, own-device, read-only, or a file.")],
) -> None:
    """Print a policy as TOML, to start one of your own from."""
    from omnipilot.agents.guard import policy_text

    typer.echo(policy_text(name), nl=False)


@policy.command("check")
def check_policy(
    name: Annotated[str, typer.Argument(metavar="FILE", help="A file of TOML, or a preset.")],
) -> None:
    """Check a policy, and print its hash and its rules."""
    from omnipilot.agents.guard import parse_policy, policy_digest, policy_text

    text = policy_text(name)
    found = parse_policy(text, name)
    typer.echo(f"{name} {policy_digest(text)}")
    for rule in found.rules:
        typer.echo(f"{rule.do:5}  {rule.name}")
    typer.echo(f"{found.default:5}  all else")
