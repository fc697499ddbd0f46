"""What `omnipilot demo` does: run baselines side by side, on the worlds that this machine can run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import typer

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.agents.assembly import PLANNERS
from omnipilot.bench.cli import report_command
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run import preset_spec
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError, MissingExtra
from omnipilot.envs.types import ALL_MODALITIES, check_installed, install_line

TASKS = (
    "send-message",
    "add-alarm",
    "dismiss-alarm",
    "write-document",
    "mail-code-to-message",
    "message-address-to-document",
    "tones-to-message",
    "ball-to-message",
)
SPOKEN = ("spoken-code-to-log", "code-into-call", "number-by-voicemail")
"""Tasks in which somebody says what has to be known."""
PAGES = ("click-button", "click-link", "click-tab", "enter-text", "focus-text")
HONEST = "mini-pixels"
"""The preset in which no part knows the truth."""
_TOLD = PartSpec("gold", {"what": "transcript"})


def demo_command(out: Path, jobs: int, whisper: str = "") -> None:
    """Oracle, rules, mini and noop on tasks of `duet`, rules and noop on `miniwob` pages; print what came out in one
    line, then the table; the page has the rest. `mini`, a language model, is told by a reader what sounds; and in a row
    of its own, it sees and hears by itself.

    A second start runs only what is missing.

    Args:
        whisper: folder of a model by which `mini` hears the tasks `SPOKEN`, beside a row that is told the truth; "" for
            neither.
    """
    lacking = _no_text()
    rules = PartSpec("rules", {"ocr": False}) if lacking else PartSpec("rules")
    players = (PartSpec("oracle"), rules, PartSpec("mini"), PartSpec("noop"))
    specs = [_spec("duet", player, TASKS, instances=3) for player in players]
    honest, missing = _honest()
    if honest is not None:
        specs.append(honest)
    else:
        typer.echo(f"without {HONEST}, mini on pixels and sound alone: {missing}", err=True)
    if lacking:
        typer.echo(f"planner rules without text in films, where it fails then: {lacking}", err=True)
    if whisper and (silent := _no_speech()):
        typer.echo(f"without Whisper: {silent}", err=True)
    elif whisper:
        heard = PartSpec("whisper", {"model": whisper, "language": "en"})
        specs += [_spec("duet", PartSpec("mini"), SPOKEN, 3, readers) for readers in (heard, _TOLD)]
    if missing := _no_browser():
        typer.echo(f"without miniwob: {missing}", err=True)
    else:
        specs += [_spec("miniwob", PartSpec(name), PAGES, instances=2) for name in ("rules", "noop")]
    folders = [out / f"{spec.suite.name}-{_name(spec)}-{spec.identity[:6]}" for spec in specs]
    for number, (spec, folder) in enumerate(zip(specs, folders, strict=True), 1):
        how = " on pixels and sound alone" if spec.agent.honest else ""
        typer.echo(f"[{number}/{len(specs)}] {spec.suite.name}: planner {spec.agent.planner.name}{how}", err=True)
        result = run(spec, folder, RunExecution(jobs, on_progress=Progress(sys.stderr)))
        if result.interrupted:
            typer.echo(f"interrupted; run the same command again to resume: {out} keeps what is finished", err=True)
            raise typer.Exit(130)
    report_command(folders, out / "report.html", "paper", intervals=False, brief=True)


def _spec(
    suite: str, planner: PartSpec, tasks: tuple[str, ...] = (), instances: int = 1, readers: PartSpec | None = None
) -> RunSpec:
    agent = AgentSpec(planner=planner, readers=readers or (_TOLD if planner.name == "mini" else None))
    return RunSpec(agent, PartSpec(suite), load_suite(PartSpec(suite)).version, tasks, instances)


def _name(spec: RunSpec) -> str:
    return HONEST if spec.agent.honest else spec.agent.planner.name


def _honest() -> tuple[RunSpec | None, str]:
    """The run of `mini` on pixels and sound alone; None where a part of it is not there, and then what is missing."""
    try:
        spec = preset_spec(HONEST, tasks=list(TASKS), instances=3)
        build(spec.agent)
    except ConfigError as error:
        return None, str(error)
    return replace(spec, suite_version=load_suite(spec.suite).version), ""


def _no_text() -> str:
    """Why text in films cannot be read here, with the cure; "" if it can."""
    try:
        PLANNERS.make(PartSpec("rules")).check_packages(ALL_MODALITIES)
    except MissingExtra as error:
        return f"{error.module} is not installed; run: {install_line(error.extra)}"
    return ""


def _no_speech() -> str:
    """Why speech cannot be put into words here, with the cure; "" if it can."""
    try:
        check_installed("speech", "faster_whisper")
    except MissingExtra as error:
        return str(error)
    return ""


def _no_browser() -> str:
    """Why web pages cannot be run here, with the cure; "" if they can."""
    import importlib.util

    from omnipilot.envs.web import find_chromium

    for package in ("playwright", "miniwob"):
        if importlib.util.find_spec(package) is None:
            return f"{package} is not installed; run: {install_line('web')}"
    try:
        find_chromium()
    except ConfigError as error:
        return str(error)
    return ""
