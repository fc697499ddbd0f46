"""The commands `serve`, `calibrate` and `ground`: run a grounding model, check where it points, evaluate it."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Many, Text, Whole


def serve(
    model: Annotated[
        str,
        typer.Argument(
            help="Hugging Face id of a grounding model, its last part, or a folder; or a model that a plug-in brings."
        ),
    ],
    extra: Annotated[Many, typer.Argument(help="Further arguments of `vllm serve`, after --.")] = None,
    family: Annotated[str, typer.Option(help="Model family, if the id does not tell.")] = "",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    gpus: Annotated[int, typer.Option(help="GPUs per copy of the model.")] = 1,
    replicas: Annotated[int, typer.Option(help="Number of copies of the model.")] = 1,
    ray: Annotated[bool, typer.Option("--ray", help="Use the GPUs of a Ray cluster.")] = False,
    images: Annotated[
        Whole, typer.Option(metavar="N", help="Maximum images per prompt. Default: the family's.")
    ] = None,
    audios: Annotated[int, typer.Option(help="Maximum audio clips per prompt.")] = 0,
    videos: Annotated[int, typer.Option(help="Maximum videos per prompt.")] = 0,
    context: Annotated[int, typer.Option(help="Context length in tokens; 0 for what the family needs.")] = 0,
    served_name: Annotated[str, typer.Option(help="Model name for clients. Default: the id.")] = "",
    key_env: Annotated[str, typer.Option(help="Environment variable with the key that clients must send.")] = "",
    vllm: Annotated[str, typer.Option(help="The vLLM executable.")] = "vllm",
    wait: Annotated[float, typer.Option(help="Maximum seconds to wait for the server to start.")] = 1800.0,
    probe: Annotated[bool, typer.Option(help="Check where the model points, once the server is up.")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the command.")] = False,
) -> None:
    """Serve a model with vLLM and the settings it needs, until Ctrl-C."""
    from omnipilot.bench.cli.commands.models import serve_command

    settings = {
        "host": host,
        "port": port,
        "gpus": gpus,
        "replicas": replicas,
        "ray": ray,
        "images": images,
        "audios": audios,
        "videos": videos,
        "context": context,
        "served_name": served_name,
        "key_env": key_env,
        "program": vllm,
        "extra": tuple(extra or ()),
    }
    serve_command(model, family, settings, wait, probe, dry_run)


def calibrate_(
    grounder: Annotated[str, typer.Argument(help="Grounder; see `omnipilot list grounders`.")],
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="PART.KEY=VALUE", help="Option of the grounder, as KEY=VALUE. Repeatable."
        ),
    ] = None,
) -> None:
    """Check with five known targets that a grounder points where it should; exit status 1 if it does not."""
    from omnipilot.bench.cli.commands.models import calibrate_command

    calibrate_command(grounder, option or [])


def ground(
    grounder: Annotated[str, typer.Option(help="Grounder; see `omnipilot list grounders`.")] = "elements",
    suite: Annotated[
        Text, typer.Option(metavar="NAME", help="Pointing suite. Default: the first of `omnipilot list pointing`.")
    ] = None,
    data: opt.Data = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="PART.KEY=VALUE",
            help="Option of the grounder or suite, e.g. grounder.model=ID. Repeatable.",
        ),
    ] = None,
    styles: Annotated[
        str, typer.Option(help="Styles of instructions: basic (name, appearance, place), advanced (function).")
    ] = ("basic,advanced"),
    limit: Annotated[Whole, typer.Option(metavar="N", help="Maximum number of targets. Default: all.")] = None,
    concurrency: Annotated[int, typer.Option(help="Parallel requests, for grounders behind a server.")] = 1,
    out: Annotated[
        File,
        typer.Option(metavar="DIR", help="Folder for answers and tables; an unfinished evaluation in it is resumed."),
    ] = None,
    pictures: Annotated[int, typer.Option(help="Number of misses to draw (with --out).")] = 0,
    messages: Annotated[
        Text,
        typer.Option(
            metavar="WHICH",
            help="With --out: keep what models are sent and what they answer, for `omnipilot show`: all or none. "
            "Default: all.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would be asked.")] = False,
) -> None:
    """Evaluate a grounder: how often it points at the described target, next to baselines."""
    from omnipilot.bench.cli.commands.ground import GroundOptions, ground_command

    how = GroundOptions(styles, limit, concurrency, out, pictures, dry_run, messages)
    ground_command(suite, grounder, data, option or [], how)
