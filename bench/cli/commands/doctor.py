"""`omnipilot doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from omnipilot.bench.cli.commands.list import KINDS
from omnipilot.bench.finding import Finding
from omnipilot.envs.installed_plugins import Declared, Installed, error_words, installed_plugins, load_declared
from omnipilot.envs.types import install_line

if TYPE_CHECKING:
    from omnipilot.envs.desktop import Program


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package.

    Attributes:
        brings: what omnipilot can do with it.
        packages: that it installs, by the names of their distributions.
        remark: what to know before installing it; "" for nothing.
    """

    name: str
    brings: str
    packages: tuple[str, ...]
    remark: str = ""

    @property
    def line(self) -> str:
        """The command that installs it."""
        return install_line(self.name)


MODULES = {"opencv-python-headless": "cv2"}
"""Modules that several distributions bring: any of them will do."""
EXTRAS = (
    Extra("web", "web pages in a Chromium; the suite miniwob", ("playwright", "miniwob")),
    Extra("video", "video files: films of recorded benchmarks, clips for models", ("av",)),
    Extra("ocr", "text on pictures and in films: grounder ocr, marks from text, rules", ("rapidocr", "onnxruntime")),
    Extra("marks", "marks on widgets that are found on the picture alone", ("opencv-python-headless",)),
    Extra("llm", "language models, hosted or on your own server", ("litellm", "urllib3")),
    Extra("hub", "benchmarks as parquet files or from the Hugging Face hub", ("datasets", "huggingface-hub")),
    Extra("desktop", "Linux desktops under X11", ("av", "jeepney", "mss", "python-xlib")),
    Extra("android", "Android phones and emulators over adb", ("adbutils", "av")),
    Extra("remote", "environments on other machines", ("msgpack", "starlette", "uvicorn")),
    Extra("parquet", "results as parquet files: `omnipilot export --to parquet`", ("pyarrow",)),
    Extra("figures", "figures of tables, for paper and screens: SVG, PDF, PNG", ("matplotlib",)),
    Extra("frames", "results as data frames: `to_frame()` in Python", ("pandas",)),
    Extra("speech", "speech into words by Whisper in this process: readers, memory", ("faster-whisper",)),
    Extra("graphs", "task graphs of a pool as networkx graphs, and back", ("networkx",)),
    Extra("gym", "tasks as Gymnasium environments: `import omnipilot.gym`", ("gymnasium",)),
    Extra("mcp", "worlds as tools of coding agents: `omnipilot env serve --mcp`", ("mcp", "uvicorn")),
    Extra("inspect", "suites as tasks of Inspect: `inspect eval omnipilot/duet`", ("inspect-ai",), "215 MB"),
    Extra(
        "openenv",
        "tasks as an environment of OpenEnv: `omnipilot env serve --door openenv`",
        ("openenv", "uvicorn"),
        "in an environment of its own: it wants version 1 of mcp",
    ),
    Extra(
        "trl",
        "tasks as environments that TRL trains in",
        ("trl", "transformers", "torch", "datasets"),
        "brings torch: gigabytes; a CPU will do",
    ),
    Extra(
        "browsergym",
        "the suite browsergym, and agents in AgentLab's loop",
        ("browsergym-miniwob", "miniwob"),
        "in an environment of its own: it wants Playwright 1.44",
    ),
    Extra("cube", "benchmarks that follow cube-standard, and ours as one", ("cube-standard",), "Python 3.12 or later"),
    Extra(
        "pyautogui",
        "desktops of Windows and macOS",
        ("mss", "pyautogui"),
        "on Linux in an environment of its own: it brings a namesake of python-xlib",
    ),
    Extra(
        "embed",
        "recall by meaning, with a model of embeddings in this process",
        ("sentence-transformers",),
        "brings torch: gigabytes; a CPU will do",
    ),
    Extra("local", "models in this process: the grounder local", ("torch", "transformers"), "gigabytes; wants a GPU"),
    Extra(
        "train",
        "training small models: `omnipilot train`",
        ("torch", "safetensors", "transformers"),
        "gigabytes; two cores will do",
    ),
    Extra("ray", "workers in a Ray cluster", ("ray",), "in an environment of its own: 200 MB"),
    Extra("easyocr", "marks from text that EasyOCR reads, as in CRAB", ("easyocr",), "brings torch: gigabytes"),
    Extra("detect", "marks from OmniParser's detector", ("ultralytics", "huggingface-hub"), "brings torch: gigabytes"),
    Extra(
        "serve",
        "vLLM, for `omnipilot serve`",
        ("vllm",),
        "gigabytes; wants a GPU, and an environment of its own, because vLLM pins its own torch",
    ),
)
ALL = (
    "web",
    "video",
    "ocr",
    "marks",
    "llm",
    "hub",
    "desktop",
    "android",
    "remote",
    "parquet",
    "figures",
    "frames",
    "speech",
    "graphs",
    "gym",
    "mcp",
)
"""What `omnipilot[all]` installs: every extra but those for a GPU, and pyautogui."""


SYSTEM = (
    ("Xvfb", "xvfb", "private desktops: the X server"),
    ("dbus-daemon", "dbus", "private desktops: the session bus"),
    ("pulseaudio", "pulseaudio", "private desktops: the sound server"),
    ("parec", "pulseaudio-utils", "hearing a desktop"),
    ("xfwm4", "xfwm4", "private desktops: the window manager, unless another one is named"),
    ("/usr/libexec/at-spi-bus-launcher", "at-spi2-core", "the elements of programs"),
    ("adb", "adb", "Android phones and emulators"),
)
"""What devices need of the system: the program, its Debian package, what for."""


def examine() -> dict[str, list[Finding]]:
    """Look for everything that omnipilot can use; the findings by heading."""
    from omnipilot.envs.desktop import PROGRAMS

    python = "" if sys.version_info >= (3, 11) else "install Python 3.11 or later"
    return {
        "Always needed": [
            Finding("python", platform.python_version(), "", python, required=True),
            Finding("omnipilot", metadata.version("omnipilot"), ""),
            *map(_package, core()),
        ],
        f"Extras (omnipilot[all] is {', '.join(ALL)}: all but those for a GPU and pyautogui)": [
            _extra(extra) for extra in EXTRAS
        ],
        "Programs": [_chromium(), _vllm()],
        "Private desktops and phones (a checkout's make system-desktop installs all of it on Debian, as root)": [
            *(_system(*one) for one in SYSTEM),
            _sandbox(),
        ],
        "Programs that desktops are known to run well: as many as wanted (omnipilot desktop up --programs)": [
            _known(program) for program in PROGRAMS.values()
        ],
        "Benchmarks and plug-ins": plugin_findings(),
    }


def examine_suite(suite: str, options: Sequence[str], data: str | None, world: str | None) -> dict[str, list[Finding]]:
    """What the world of a suite has and lacks; the findings by heading.

    Raises:
        ConfigError: no such suite or option, or its world cannot be started.
    """
    from omnipilot.bench.cli.commands.list import load_chosen_suite

    loaded = load_chosen_suite(suite, options, data, world)
    found = list(loaded.findings()) or [Finding("nothing", "is missing", "")]
    return {f"Suite {suite}: {len(loaded.tasks())} tasks": found}


def plugin_findings() -> list[Finding]:
    """Plug-ins of other packages, rows of plug-ins, what of them is broken, and names that are declared twice."""
    plugins = installed_plugins()
    found: list[Finding] = []
    for one in plugins.working:
        if not one.ours:
            found.append(Finding(one.plugin.name, f"{one.package} {_version(one.package)}", one.plugin.about))
        if one.plugin.doctor:
            found += _rows_of(one)
    found += [Finding(one.name, "cannot be loaded", "", one.message) for one in plugins.broken]
    found += [Finding("a name", "is declared twice", "", told) for told in plugins.clashes()]
    for registry in {id(one): one for one in KINDS.values()}.values():
        for name, package in registry.hidden():
            told = f"{registry.kind} {name!r} is omnipilot's; that of {package} is not used: it needs another name"
            found.append(Finding("a name", "is declared twice", "", told))
    return found


def _rows_of(one: Installed) -> list[Finding]:
    """The rows of a plug-in; a single one that says so where it has none to give."""
    try:
        rows = list(
            load_declared("rows of doctor", Declared(one.plugin.name, one.plugin.doctor, one.package, one.ours))()
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # foreign code may raise anything
        return [Finding(one.plugin.name, "its rows cannot be shown", "", error_words(error))]
    return [row for row in rows if isinstance(row, Finding)]


def core() -> list[str]:
    """The packages that omnipilot always installs."""
    lines = [line for line in metadata.requires("omnipilot") or () if "extra ==" not in line]
    return sorted(found.group() for line in lines if (found := re.match(r"[\w.-]+", line)))


def _version(package: str) -> str:
    """The version of a distribution; "" if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        module = MODULES.get(package)
        return "from another package" if module and importlib.util.find_spec(module) else ""


def _package(name: str) -> Finding:
    version = _version(name)
    return Finding(name, version or "missing", "", "" if version else f"pip install {name}", required=True)


def _extra(extra: Extra) -> Finding:
    versions = {package: _version(package) for package in extra.packages}
    if not any(versions.values()):
        found = "not installed"
    else:
        found = ", ".join(f"{package} {version or 'missing'}" for package, version in versions.items())
    remark = f"  ({extra.remark})" if extra.remark else ""
    return Finding(extra.name, found, extra.brings, "" if all(versions.values()) else f"{extra.line}{remark}")


def _chromium() -> Finding:
    from omnipilot.envs import ConfigError
    from omnipilot.envs.web import find_chromium
    from omnipilot.envs.web.chromium import VARIABLE

    use = "web pages; the suite miniwob"
    try:
        return Finding("chromium", str(find_chromium()), use)
    except ConfigError as error:
        # Private desktops look where the system keeps programs, whatever PATH holds.
        if "no Chromium found" in str(error) and (elsewhere := _path("chromium")):
            found = f"{elsewhere}, but not on PATH"
            return Finding("chromium", found, use, f"set {VARIABLE}={elsewhere}")
        return Finding("chromium", "not found", use, str(error))


def _vllm() -> Finding:
    use = "`omnipilot serve`"
    if path := shutil.which("vllm"):
        return Finding("vllm", path, use)
    cure = "the extra serve brings it; or name that of another environment with --vllm"
    return Finding("vllm", "not on PATH", use, cure)


def _system(program: str, package: str, use: str) -> Finding:
    path = _path(program) or shutil.which(program)
    return Finding(package, path or "not found", use, "" if path else f"apt install {package}")


def _path(program: str) -> str | None:
    """Where private desktops find a program."""
    from omnipilot.envs.desktop.programs import PATH

    return shutil.which(program, path=PATH)


def _sandbox() -> Finding:
    from omnipilot.envs.desktop.private.sandbox import why_no_bubblewrap

    use = "shutting private desktops off from this machine; without it, they are only ended as a whole"
    why = why_no_bubblewrap() if sys.platform == "linux" else "Linux only"
    if not why:
        return Finding("bubblewrap", f"{shutil.which('bwrap')}, and it works", use)
    return Finding("bubblewrap", "cannot be used", use, why)


def _known(program: Program) -> Finding:
    path = _path(program.command[0])
    return Finding(program.name, path or "not found", "", "" if path else f"apt install {program.packages}")


def render(findings: dict[str, list[Finding]]) -> str:
    """For a terminal: a line for each finding, what it is for and how to get it below."""
    width = max(len(finding.name) for group in findings.values() for finding in group)
    lines: list[str] = []
    for heading, group in findings.items():
        if not group:
            continue
        lines += ["", heading] if lines else [heading]
        for finding in group:
            mark = "✓" if finding.ok else "✗" if finding.required else "○"
            lines.append(f"  {mark} {finding.name.ljust(width)}  {finding.found}")
            below = [finding.needed_for] * bool(finding.needed_for) + [f"→ {finding.cure}"] * (not finding.ok)
            lines += [f"    {' ' * width}  {text}" for text in below]
    return "\n".join([*lines, "", "✓ is there   ○ is not, and only needed for what it says   ✗ is missing"])
