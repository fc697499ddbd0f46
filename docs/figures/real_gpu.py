"""`python docs/figures/real_gpu.py`: one grounder and one planner of 7B parameters end to end, on one GPU.

`make real-gpu` makes the environment and calls it: download, `omnipilot serve`, `calibrate`, `ground`, `run` and
`table`, in under an hour. `--dry-run` needs no GPU: it prints every command, and refuses one that the command line
would not take, a client that asks for another name than the server has, and a model that no family knows.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.envs import ConfigError
from omnipilot.grounders.served import Server
from omnipilot.grounders.served.command import launch

ROOT = Path(__file__).resolve().parents[2]
GROUNDER, PLANNER = "osunlp/UGround-V1-7B", "Qwen/Qwen2.5-VL-7B-Instruct"
GROUNDER_PORT, PLANNER_PORT = 8001, 8002
PARAMETERS = 8.3e9
"""Of each model, its vision tower included; two bytes each."""
SHARE = 0.45
"""Share of the GPU's memory that each of the two servers takes."""
GPU_GIGABYTES = 48
"""Memory of the GPU: two times the weights, and as much again for what servers keep of prompts, below `SHARE`."""
DISK_GIGABYTES = 50
"""Free disk: the weights of both models, and an environment with vLLM."""
CONTEXT, IMAGES = 32_768, 8
"""Tokens of a prompt and its answer, and most pictures in it: a planner is sent those of its last turns."""
PIXELS = '{"min_pixels":3136,"max_pixels":2007040}'
"""Of a planner's picture: 2,560 tokens of 28 x 28 pixels, more than a screen of `duet` has."""
TARGETS, EPISODES, TURNS = 200, 24, 12


@dataclass(frozen=True, slots=True)
class Step:
    """One command, and the most minutes it may take.

    Attributes:
        program: `omnipilot`, or another that is on the path of this environment.
        serves: whether it is a server, which runs until all is over.
    """

    program: str
    arguments: tuple[str, ...]
    minutes: float
    serves: bool = False

    @property
    def model(self) -> str:
        """Of a server: the model."""
        return self.arguments[1]

    @property
    def port(self) -> int:
        """Of a server: the port that it listens on."""
        return int(self.arguments[self.arguments.index("--port") + 1])

    def shell(self) -> str:
        """The command for a shell."""
        return shlex.join([self.program, *self.arguments])


def steps(out: Path, vllm: str) -> list[Step]:
    """All commands in order; their minutes are less than 60 together."""
    grounder_url, planner_url = (f"http://127.0.0.1:{port}/v1" for port in (GROUNDER_PORT, PLANNER_PORT))
    asked = ("-o", f"grounder.model={GROUNDER}", "-o", f"grounder.url={grounder_url}")
    planner = ("--planner", f"hosted_vllm/{PLANNER}", "--planner-url", planner_url, "--waive-cost")
    tasks = ("--suite", "duet", "--where", "level=AV-present", "--turns", str(TURNS), "--jobs", "4")
    seen = ("--modalities", "screenshot,elements,context")

    def serve(model: str, port: int, images: int, *extra: str) -> Step:
        given = ("--port", str(port), "--images", str(images), "--context", str(CONTEXT), "--vllm", vllm, "--no-probe")
        memory = ("--gpu-memory-utilization", str(SHARE))
        return Step("omnipilot", ("serve", model, *given, "--", *memory, *extra), 6, serves=True)

    def run(name: str, *given: str) -> Step:
        return Step("omnipilot", ("run", *tasks, *given, "--out", str(out / name)), 5)

    return [
        Step("hf", ("download", GROUNDER), 10),
        Step("hf", ("download", PLANNER), 10),
        serve(GROUNDER, GROUNDER_PORT, 1),
        serve(
            PLANNER,
            PLANNER_PORT,
            IMAGES,
            *("--enable-auto-tool-choice", "--tool-call-parser", "hermes"),
            *("--mm-processor-kwargs", PIXELS),
        ),
        Step(
            "omnipilot", ("calibrate", "vllm", "-o", f"model={GROUNDER}", "-o", f"url={grounder_url}"), 1
        ),
        Step(
            "omnipilot",
            (
                *("ground", "--grounder", "vllm", *asked, "--limit", str(TARGETS), "--concurrency", "8"),
                *("--out", str(out / "pointing")),
            ),
            4,
        ),
        run("elements", *planner, "--grounder", "elements", *seen),
        run("grounded", *planner, "--grounder", "vllm", *asked, "--modalities", "screenshot,context"),
        run("random", "--planner", "random", "--grounder", "elements", *seen),
        Step(
            "omnipilot",
            (
                "table",
                f"random={out / 'random'}",
                f"Qwen2.5-VL-7B, elements={out / 'elements'}",
                f"Qwen2.5-VL-7B, UGround-V1-7B={out / 'grounded'}",
                *("--columns", "solved,sr,cr,turns,tokens-in,tokens-out", "--reference", "random"),
                *("--format", "markdown"),
            ),
            1,
        ),
    ]  # fmt: skip


def check(step: Step) -> None:
    """Refuse a command that the command line would not take; what it does is not done.

    Raises:
        ConfigError: there is no such command or option, or no value like this; or no family knows a model.
    """
    if step.program != "omnipilot":
        return
    from typer.core import TyperGroup
    from typer.main import get_command

    from omnipilot.bench.cli.app import app

    group = get_command(app)
    assert isinstance(group, TyperGroup)
    name, *given = step.arguments
    context = group.make_context("omnipilot", [name], resilient_parsing=True)
    command = group.get_command(context, name)
    if command is None:
        raise ConfigError(f"omnipilot has no command {name!r}")
    try:
        command.make_context(name, list(given), parent=context)
    except Exception as error:
        raise ConfigError(f"{step.shell()}: {getattr(error, 'message', error)}") from error


def check_names(planned: Sequence[Step]) -> None:
    """Refuse clients that ask for a model under another name, or at another address, than its server has it.

    Raises:
        ConfigError: they do; or no family knows the model.
    """
    started = [launch(step.model, port=step.port) for step in planned if step.serves]
    served = {one.url: one.name for one in started}
    for step in planned:
        for url in {word.rpartition("url=")[2] for word in step.arguments if "://" in word}:
            if url not in served:
                raise ConfigError(f"{step.shell()}: nothing is served at {url}")
            if not any(word.endswith((f"={served[url]}", f"/{served[url]}")) for word in step.arguments):
                raise ConfigError(f"{step.shell()}: at {url} the model is called {served[url]}")


def lacking(out: Path) -> list[str]:
    """What this machine lacks, each with its number."""
    found = []
    asked = shutil.which("nvidia-smi")
    sizes = [0.0]
    if asked is not None:
        query = [asked, "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
        told = subprocess.run(query, capture_output=True, text=True, check=False).stdout.split()
        sizes = [float(word) / 1024 for word in told if word.isdigit()] or sizes
    # A card sold with 48 GB has 44 GiB for programs.
    if max(sizes) < GPU_GIGABYTES * 0.9:
        found.append(f"a GPU with {GPU_GIGABYTES} GB (here: {max(sizes):.0f} GB)")
    out.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(out).free / 1e9) < DISK_GIGABYTES:
        found.append(f"{DISK_GIGABYTES} GB of free disk (here: {free:.0f} GB)")
    return found


def needs() -> str:
    """What the models need, in words."""
    weights = PARAMETERS * 2 / 1e9
    return (
        f"two models of {weights:.0f} GB: a GPU with {GPU_GIGABYTES} GB, of which each server takes {SHARE:.0%}, and "
        f"{DISK_GIGABYTES} GB of disk"
    )


def play(planned: Sequence[Step]) -> None:
    """Run all commands; servers end with the last.

    Raises:
        ConfigError: one failed, or took longer than its minutes.
    """
    with ExitStack() as running:
        for step in planned:
            typer.echo(f"\n$ {step.shell()}")
            began = time.monotonic()
            if step.serves:
                server = Server([_program("omnipilot"), *step.arguments], f"http://127.0.0.1:{step.port}/v1")
                names = running.enter_context(server).wait(step.minutes * 60)
                typer.echo(f"{step.model} answers as {', '.join(names)}")
            else:
                try:
                    done = subprocess.run(
                        [_program(step.program), *step.arguments], check=False, timeout=step.minutes * 60
                    )
                except subprocess.TimeoutExpired:
                    raise ConfigError(f"{step.shell()}: took longer than {step.minutes:.0f} minutes") from None
                if done.returncode:
                    raise ConfigError(f"{step.shell()}: ended with {done.returncode}")
            typer.echo(f"({time.monotonic() - began:.0f} s)")


def _program(name: str) -> str:
    """A program of this environment, or of the path."""
    own = Path(sys.executable).with_name(name)
    return str(own) if own.exists() else name


def main(arguments: Sequence[str]) -> int:
    """Run or print all commands; 1 where something is refused, lacks or fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "real-gpu", help="folder of the runs")
    parser.add_argument("--vllm", default=_program("vllm"), help="the vLLM executable")
    parser.add_argument("--dry-run", action="store_true", help="print and check every command, and run none")
    given = parser.parse_args(arguments)
    planned = steps(given.out, given.vllm)
    try:
        for step in planned:
            check(step)
        check_names(planned)
        typer.echo(f"needs {needs()}; at most {sum(step.minutes for step in planned):.0f} minutes")
        if given.dry_run:
            for step in planned:
                typer.echo(f"$ {step.shell()}")
            return 0
        if lacks := lacking(given.out):
            raise ConfigError(f"this machine lacks {' and '.join(lacks)}")
        play(planned)
    except ConfigError as error:
        typer.echo(f"error: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
