"""The group `omnipilot questions`: questions and targets in MMBench-GUI's formats, made and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model
from omnipilot.envs import ConfigError

questions = typer.Typer(
    help="Make and check questions about screens, and pointing targets, in MMBench-GUI's formats.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@questions.callback()
def _questions() -> None:
    """A group of its own."""


Checkers = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--checker",
        metavar="PROVIDER/NAME",
        help="With --model: a model that checks what it wrote, at the same server; several check in turn. "
        "Default: the one that wrote it.",
    ),
]


@questions.command()
@with_model
def make(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the data.")],
    contents: Annotated[int, typer.Option(metavar="N", help="Contents of each of the 14 embedded screens.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the contents and the options.")] = 0,
    picture: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Option(metavar="FILE", help="With --model: about these pictures, instead."),
    ] = None,
    platform: Annotated[str, typer.Option(help="Of the pictures: os_linux, os_web, …")] = "os_linux",
    application: Annotated[str, typer.Option("--app", help="That the pictures show; no question names it.")] = "",
    checker: Checkers = None,
    *,
    helper: StageModel | None,
) -> None:
    """Write questions of level 1, three for each screen: by rule, or by a model whose questions others check."""
    from omnipilot.bench.suites.mmbench_gui.level1.data import PLATFORMS
    from omnipilot.bench.suites.mmbench_gui.level1.model_questions import QuestionWriter, write_by_model
    from omnipilot.bench.suites.mmbench_gui.level1.sample import draw_screens, write

    if contents < 1 or seed < 0:
        raise ConfigError("--contents is 1 or more, --seed 0 or more")
    if platform not in PLATFORMS:
        raise ConfigError(f"--platform is one of {', '.join(PLATFORMS)}, not {platform!r}")
    if helper is None and (picture or checker):
        raise ConfigError("--picture and --checker are of a model that writes: name it with --model PROVIDER/NAME")
    out.mkdir(parents=True, exist_ok=True)
    if helper is None:
        write(out, seed, contents)
    else:
        checkers = _checkers(helper, checker)
        if picture:
            shown = [(platform, application, *_picture(file)) for file in picture]
        else:
            shown = [(where, app, one.png, one.size) for where, app, one in draw_screens(seed, contents)]
        try:
            for line in write_by_model(out, shown, QuestionWriter(helper, checkers), seed):
                typer.echo(line)
        finally:
            _say_usage([helper, *checkers])
        if not (out / "L1_annotations.json").is_file():
            raise ConfigError("no screen has questions; above stands why")
    _say_checked(out)
    typer.echo(f"  omnipilot run --suite mmbench-l1 --data {out} --planner oracle")


@questions.command()
@with_model
def check(
    data: Annotated[str, typer.Argument(metavar="DIR", help="Questions of level 1.")],
    *,
    helper: StageModel | None,
) -> None:
    """Check questions of level 1: options, letters, lengths, and what guessers reach blindly; a model is one, too."""
    _say_checked(Path(data), helper)
    if helper is not None:
        typer.echo(helper.describe_usage())


@questions.command()
@with_model
def targets(
    seed: Annotated[int, typer.Option(help="Of the screens.")] = 0,
    screens: Annotated[int, typer.Option(metavar="N", help="Of the embedded world, in its order; 0 for all.")] = 20,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="DIR", help="Write those that hold as data of level 2 into this folder."),
    ] = None,
    each: Annotated[int, typer.Option(metavar="N", min=1, help="With --out: most targets of a screen.")] = 4,
    checker: Annotated[
        str,
        typer.Option(metavar="PROVIDER/NAME", help="With --model: another model that checks, at the same server."),
    ] = "",
    *,
    helper: StageModel | None,
) -> None:
    """Check that the basic wording of each target of our own finds this element alone in the true tree.

    With --out, targets are written, too; with --model, a model words them, and a second call says what each fits.
    """
    from omnipilot.bench.suites.mmbench_gui.level2.model_targets import TargetWriter, write_targets
    from omnipilot.bench.suites.mmbench_gui.level2.target_checks import check_targets
    from omnipilot.bench.suites.pointing.suite import PointingSuite

    if helper is not None and out is None:
        raise ConfigError("--model words targets that are written: name a folder with --out DIR")
    if helper is None and checker:
        raise ConfigError("--checker is of a model that writes: name it with --model PROVIDER/NAME")
    shots = PointingSuite(seed, web=False).shots()
    if out is None:
        for line in check_targets(shots, screens).lines():
            typer.echo(line)
        return
    second = helper.beside(checker) if helper and checker else helper
    writer = TargetWriter(helper, second) if helper and second else None
    try:
        for line in write_targets(out, shots, screens, each, writer):
            typer.echo(line)
    finally:
        _say_usage([model for model in (helper, second) if model])
    typer.echo(f"  omnipilot ground --suite mmbench-l2 --data {out} --grounder elements")


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


def _checkers(writer: StageModel, names: list[str] | None) -> list[StageModel]:
    return [writer.beside(name) for name in names] if names else [writer]


def _say_usage(models: list[StageModel]) -> None:
    for model in dict.fromkeys(models):
        typer.echo(model.describe_usage())


def _picture(file: Path) -> tuple[bytes, tuple[int, int]]:
    """A picture as PNG, with its size in pixels.

    Raises:
        ConfigError: the file is no picture.
    """
    from omnipilot.envs import Image

    try:
        image = Image.encoded(file.read_bytes())
        return image.png(), (image.size.width, image.size.height)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file} is no picture: {error}") from None


def _say_checked(data: Path, model: StageModel | None = None) -> None:
    from omnipilot.bench.suites.mmbench_gui.level1.data import load
    from omnipilot.bench.suites.mmbench_gui.level1.model_questions import blind_guesser
    from omnipilot.bench.suites.mmbench_gui.level1.question_checks import check_questions

    found = load(str(data)).loaded
    for bad in found.bad:
        typer.echo(f"cannot be used: {bad}")
    guessers = {model.name: blind_guesser(model)} if model else {}
    for line in check_questions(found.items, guessers).lines():
        typer.echo(line)
