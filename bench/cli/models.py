"""The commands about grounding models: serve one, check that it points right, measure it."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Many, Whole


def serve(
    model: Annotated[str, typer.Argument(help="Id of a grounding model, the last part of it, or its folder.")],
    extra: Annotated[Many, typer.Argument(help="After --: further arguments of `vllm serve`.")] = None,
    family: Annotated[str, typer.Option(help="Its family, where the id does not tell.")] = "",
    host: Annotated[str, typer.Option(help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Where it listens.")] = 8000,
    gpus: Annotated[int, typer.Option(help="GPUs that share one copy of the model.")] = 1,
    replicas: Annotated[int, typer.Option(help="Copies of the model.")] = 1,
    ray: Annotated[bool, typer.Option("--ray", help="The GPUs are those of a Ray cluster.")] = False,
    images: Annotated[Whole, typer.Option(help="Most images a prompt. Default: the family's.")] = None,
    audios: Annotated[int, typer.Option(help="Most sounds a prompt.")] = 0,
    videos: Annotated[int, typer.Option(help="Most videos a prompt.")] = 0,
    context: Annotated[int, typer.Option(help="Most tokens a prompt; 0 for what the family needs.")] = 0,
    served_name: Annotated[str, typer.Option(help="The name clients ask for. Default: the id.")] = "",
    key_env: Annotated[str, typer.Option(help="Variable with the key that clients must send.")] = "",
    vllm: Annotated[str, typer.Option(help="The program.")] = "vllm",
    wait: Annotated[float, typer.Option(help="Seconds it may take to start.")] = 1800.0,
    probe: Annotated[bool, typer.Option(help="Check that it points where it means to, once it answers.")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the command.")] = False,
) -> None:
    """Serve a grounding model with vLLM, as its family needs it, until Ctrl-C."""
    from omnipilot.bench.cli.commands.models import serve_command

    settings = {
        **{"host": host, "port": port, "gpus": gpus, "replicas": replicas, "ray": ray, "images": images},
        **{"audios": audios, "videos": videos, "context": context, "served_name": served_name},
        **{"key_env": key_env, "program": vllm, "extra": tuple(extra or ())},
    }
    serve_command(model, family, settings, wait, probe, dry_run)


def calibrate_(
    grounder: Annotated[str, typer.Argument(help="Grounder: `omnipilot list grounders`.")],
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Its option: KEY=VALUE. Repeatable.")
    ] = None,
) -> None:
    """Check with five known targets that a grounder points where it means to; exit status 1 where it does not."""
    from omnipilot.bench.cli.commands.models import calibrate_command

    calibrate_command(grounder, option or [])


def ground(
    grounder: Annotated[str, typer.Option(help="Grounder: `omnipilot list grounders`.")] = "elements",
    suite: Annotated[str, typer.Option(help="Screens with targets: `omnipilot list pointing`.")] = "pointing",
    data: opt.Data = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="PART.KEY=VALUE",
            help="Option of a part: grounder.KEY=VALUE or suite.KEY=VALUE. Repeatable.",
        ),
    ] = None,
    styles: Annotated[str, typer.Option(help="Instructions: basic (name, look, place), advanced (function).")] = (
        "basic,advanced"
    ),
    limit: Annotated[Whole, typer.Option(help="Most targets. Default: all.")] = None,
    concurrency: Annotated[int, typer.Option(help="Questions under way at once, for grounders behind a server.")] = 1,
    out: Annotated[File, typer.Option(help="Directory for answers and tables; an unfinished run is finished.")] = None,
    pictures: Annotated[int, typer.Option(help="Draw so many misses (with --out).")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be asked, if it can be.")] = False,
) -> None:
    """Measure how often a grounder points at what is meant, beside baselines."""
    from omnipilot.bench.cli.commands.ground import ground_command

    ground_command(suite, grounder, data, option or [], styles, limit, concurrency, out, pictures, dry_run)
