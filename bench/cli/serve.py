"""The command `serve`: a grounding model behind a server."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many, Whole


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
    from omnipilot.bench.cli.commands.serve import serve_command

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
