"""The command `show-prompt`: what a planner's model is told before a task."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many, Text


def show_prompt(
    planner: Annotated[str, typer.Argument(help="Planner, or an LLM as PROVIDER/MODEL.")] = "function-calling",
    agent: Annotated[str, typer.Option(help="Agent system; the prompt of each of its roles is printed.")] = "single",
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="Suite whose devices the prompt describes. Default: the first of `omnipilot list suites`.",
        ),
    ] = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Option of a part. Repeatable.")
    ] = None,
) -> None:
    """Print the prompt that a planner's model gets before a task: system prompt, tools, and hash."""
    from omnipilot.bench.cli.commands.show_prompt import show_prompt_command

    show_prompt_command(planner, agent, suite, option or [])
