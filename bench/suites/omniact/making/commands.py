"""The group `omnipilot make`: data in OmniACT's format, a stage a command, all over one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model
from omnipilot.envs import ConfigError

make = typer.Typer(
    help="Make data in OmniACT's format: screens with named boxes, tasks over names, checks, review, export.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of what is made.")]


@make.callback()
def _make() -> None:
    """A group of its own."""


@make.command()
def screens(
    folder: Folder,
    seeds: Annotated[int, typer.Option(metavar="N", help="Screens of the embedded desktop with so many contents.")] = 1,
    world: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What the devices of a world file show, instead.")
    ] = None,
    picture: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Picture files, whose boxes are drawn by hand, instead.")
    ] = None,
    part: Annotated[str, typer.Option(help="Of picture files: desktop or web.")] = "desktop",
) -> None:
    """Take screens, with a box for all that the tree of elements says can be used."""
    from omnipilot.bench.suites.omniact.making.records import MakingFolder
    from omnipilot.bench.suites.omniact.making.screens import embedded_screens, picture_screens, world_screens

    if part not in ("desktop", "web"):
        raise ConfigError(f"--part is desktop or web, not {part!r}")
    here = MakingFolder(folder)
    if picture:
        taken = picture_screens(here, picture, part)
    else:
        taken = embedded_screens(here, range(seeds)) if world is None else world_screens(here, world)
    made = list(taken)
    before = here.screens() if (folder / "screens.json").is_file() else {}
    here.write_screens((before | {one.id: one for one in made}).values())
    typer.echo(f"{len(made)} screens with {sum(len(one.boxes) for one in made)} named boxes in {folder}")


@make.command()
def boxes(folder: Folder, port: Annotated[int, typer.Option(help="Of the page; 0 for a free one.")] = 0) -> None:
    """Draw boxes by hand, on a page that this machine alone can open."""
    from omnipilot.bench.suites.omniact.making.drawing_page import DrawingPage
    from omnipilot.bench.suites.omniact.making.records import MakingFolder

    with DrawingPage(MakingFolder(folder), port) as page:
        typer.echo(f"draw at {page.url}; Ctrl-C ends it, and all is written already")
        page.wait()


@make.command()
@with_model
def tasks(
    folder: Folder,
    most: Annotated[int, typer.Option(metavar="N", help="Most tasks of a screen.")] = 12,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
    reword: Annotated[
        bool, typer.Option("--reword", help="With --model: it writes the wordings of the tasks made by rule, no tasks.")
    ] = False,
    checker: Annotated[
        str,
        typer.Option(metavar="PROVIDER/NAME", help="With --model: another model that checks, at the same server."),
    ] = "",
    *,
    helper: StageModel | None,
) -> None:
    """Write tasks over the boxes, in three wordings each: by rule, or by a model whose tasks are checked and played.

    Tasks of people are added to tasks.json by hand.
    """
    from omnipilot.bench.suites.omniact.making.model_tasks import TaskWriter, reword_tasks, write_by_model
    from omnipilot.bench.suites.omniact.making.records import MakingFolder
    from omnipilot.bench.suites.omniact.making.writing import write_tasks

    here = MakingFolder(folder)
    if helper is None:
        if reword or checker:
            raise ConfigError("--reword and --checker are of a model that writes: name it with --model PROVIDER/NAME")
        written = [task for screen in here.screens().values() for task in write_tasks(screen, most, seed)]
        others = [task for task in here.tasks() if task.by != "rules"] if here.has_tasks else []
        here.write_tasks([*others, *written])
        typer.echo(f"{len(written)} tasks in {folder}")
        return
    second = helper.beside(checker) if checker else helper
    writer = TaskWriter(here, helper, second)
    try:
        for line in reword_tasks(writer) if reword else write_by_model(writer, most):
            typer.echo(line)
    finally:
        for model in dict.fromkeys((helper, second)):
            typer.echo(model.describe_usage())


@make.command()
def check(
    folder: Folder,
    play: Annotated[bool, typer.Option(help="Play each on the live embedded desktop, too.")] = True,
) -> None:
    """Put coordinates in the place of names, and check every script; what has a problem is taken out."""
    from omnipilot.bench.suites.omniact.making.checking import check_tasks
    from omnipilot.bench.suites.omniact.making.records import MakingFolder

    found = check_tasks(MakingFolder(folder), play)
    for line in found.lines():
        typer.echo(line)


@make.command()
def review(
    folder: Folder,
    task: Annotated[
        list[str] | None, typer.Argument(metavar="TASK…", help="Ids; all that nobody reviewed if left out.")
    ] = None,
    state: Annotated[str, typer.Option(help="accepted, or 'taken out'.")] = "",
    why: Annotated[str, typer.Option(help="Why they are taken out.")] = "",
) -> None:
    """Say which tasks are good; without --state, show those that nobody has reviewed."""
    from omnipilot.bench.suites.omniact.making.mapping import map_names
    from omnipilot.bench.suites.omniact.making.records import MakingFolder

    here = MakingFolder(folder)
    chosen = task or [one.id for one in here.tasks() if one.state == "made"]
    if state:
        here.review(chosen, state, why)
        typer.echo(f"{len(chosen)} tasks: {state}")
        return
    screens_by_id = here.screens()
    for one in here.tasks():
        if one.id in chosen:
            typer.echo(f"{one.id} ({one.state}, {screens_by_id[one.screen].picture})")
            for words in one.wordings:
                typer.echo(f"  {words}")
            for line, mapped in zip(one.script, map_names(one, screens_by_id[one.screen]), strict=True):
                typer.echo(f"    {line}  ->  {mapped}")


@make.command()
def export(
    folder: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the data.")],
    seed: Annotated[int, typer.Option(help="Of the split.")] = 0,
    by: Annotated[str, typer.Option(help="screen: all tasks of a screen in one split; or task.")] = "screen",
    unreviewed: Annotated[bool, typer.Option("--unreviewed", help="Tasks that nobody has reviewed, too.")] = False,
    detact: Annotated[
        bool, typer.Option("--detact", help="With what DetACT reads on each screen: texts, icons and colours.")
    ] = False,
    pack: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="With --detact: pictures of icons, named by what they do. Default: those of the embedded world.",
        ),
    ] = "",
) -> None:
    """Write train.json, val.json and test.json, 7:1:2, with all files that they name."""
    from omnipilot.bench.suites.omniact.making.detact_lists import detact_reader
    from omnipilot.bench.suites.omniact.making.exporting import export_data
    from omnipilot.bench.suites.omniact.making.records import MakingFolder

    if pack and not detact:
        raise ConfigError("--pack holds icons that DetACT looks for; give --detact, too")
    reader = detact_reader(pack) if detact else None
    counts = export_data(MakingFolder(folder), out, seed, by, unreviewed, reader)
    typer.echo(", ".join(f"{split} {number}" for split, number in counts.items()) + f" entries in {out}")
    typer.echo(f"  omnipilot run --suite omniact --data {out} --planner oracle")


@make.command()
def finetune(
    data: Annotated[str, typer.Argument(metavar="DATA", help="Data in OmniACT's format; its training split is used.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the samples, the recipe and the adapter.")],
    model: Annotated[str, typer.Option(metavar="ID", help="A text model.")] = "meta-llama/Llama-2-13b-hf",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write samples and recipe; train nothing.")] = False,
) -> None:
    """Fine-tune a text model with QLoRA, as the paper's baselines: from a list of elements and a task to a script."""
    from omnipilot.bench.suites.omniact.making.finetuning import prepare, train

    recipe = prepare(data, out, model)
    for line in recipe.lines():
        typer.echo(line)
    if not dry_run:
        train(recipe.command)
