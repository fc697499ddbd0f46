"""The group `omnipilot questions`: questions and targets in MMBench-GUI's formats, made and checked by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.envs import ConfigError

questions = typer.Typer(
    help="Make and check questions about screens, and pointing targets, in MMBench-GUI's formats.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@questions.callback()
def _questions() -> None:
    """A group of its own."""


@questions.command()
def make(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the data.")],
    contents: Annotated[int, typer.Option(metavar="N", help="Contents of each of the 14 embedded screens.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the contents and the options.")] = 0,
) -> None:
    """Write questions of level 1 by rule, three for each screen of the embedded world, and check them."""
    from omnipilot.bench.suites.mmbench_gui.level1.sample import write

    if contents < 1 or seed < 0:
        raise ConfigError("--contents is 1 or more, --seed 0 or more")
    out.mkdir(parents=True, exist_ok=True)
    write(out, seed, contents)
    _say_checked(out)
    typer.echo(f"  omnipilot run --suite mmbench-l1 --data {out} --planner oracle")


@questions.command()
def check(data: Annotated[str, typer.Argument(metavar="DIR", help="Questions of level 1.")]) -> None:
    """Check questions of level 1 without a model: options, letters, lengths, and what a guesser reaches blindly."""
    _say_checked(Path(data))


@questions.command()
def targets(
    seed: Annotated[int, typer.Option(help="Of the screens.")] = 0,
    screens: Annotated[int, typer.Option(metavar="N", help="Of the embedded world, in its order; 0 for all.")] = 20,
) -> None:
    """Check that the basic wording of each target of our own finds this element alone in the true tree."""
    from omnipilot.bench.suites.mmbench_gui.level2.target_checks import check_targets
    from omnipilot.bench.suites.pointing.suite import PointingSuite

    for line in check_targets(PointingSuite(seed, web=False).shots(), screens).lines():
        typer.echo(line)


@questions.command()
def hard(
    answers: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of `omnipilot ground --suite pointing`.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the batch.")],
    count: Annotated[int, typer.Option(metavar="N", help="Instructions to draw.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the new screens and the draw; another one than the run's.")] = 1,
) -> None:
    """Draw the next batch where a grounder fails, and list what it hit instead, on the same screens."""
    from omnipilot.bench.suites.mmbench_gui.level2.hard_batch import write_batch

    typer.echo(write_batch(answers, out, count, seed))


def _say_checked(data: Path) -> None:
    from omnipilot.bench.suites.mmbench_gui.level1.data import load
    from omnipilot.bench.suites.mmbench_gui.level1.question_checks import check_questions

    found = load(str(data)).loaded
    for bad in found.bad:
        typer.echo(f"cannot be used: {bad}")
    for line in check_questions(found.items).lines():
        typer.echo(line)
