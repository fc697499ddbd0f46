"""The commands of a document, gone through without running an episode: whether they are understood, and all is there.

What can be done dry is done dry (`--dry-run`), what is quick is done, and of the rest the names are looked up. A
command that could not be run as it stands is a `BadCommand`.
"""

from __future__ import annotations

import functools
import re
import shlex
import tomllib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import typer
from shared_folders import ROOT
from typer.testing import CliRunner

from omnipilot.agents.build import GROUNDERS
from omnipilot.bench.benchmarks import MINIATURES
from omnipilot.bench.cli import app
from omnipilot.bench.command_benchmarks import rules_of
from omnipilot.bench.command_models import grounder_part
from omnipilot.bench.metrics.crab import Variant
from omnipilot.envs.errors import OmnipilotError

DRY = ("run", "sweep", "ablate", "ground", "serve")
QUICK = ("list", "show-prompt", "doctor", "plan")
READ = ("config", "data", "runs", "a", "b", "predictions", "pilot")
"""Arguments and options that name what has to be there."""
UsageError: type[Any] = typer.BadParameter.__mro__[1]
"""Click's own, or that of the Click which newer versions of Typer bring along."""
FOREIGN = "/data/"
"""Where documents say that a user's own data lies; here it is the miniature of that benchmark."""


class BadCommand(AssertionError):
    """A command of a document that cannot be run as it stands."""


def blocks(text: str, *kinds: str) -> list[str]:
    """What stands in the fenced blocks of these kinds."""
    return [block for kind, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL) if kind in kinds]


def commands(text: str) -> list[str]:
    """The commands of a document, in its order, without prompts and comments."""
    joined = "".join(blocks(text, "sh", "console")).replace("\\\n", " ")
    lines = (re.sub(r"(^|\s)#.*", "", line).strip().removeprefix("$ ") for line in joined.splitlines())
    return [line for line in lines if line]


def inline(text: str) -> list[str]:
    """Command lines in running text, which may be incomplete."""
    return re.findall(r"`(omnipilot [a-z][^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


class Page:
    """The commands of one document, one after the other, in the working directory.

    Args:
        miniature: gives the folder of a benchmark's miniature.

    Attributes:
        made: what the commands so far would have written.
    """

    def __init__(self, miniature: Callable[[str], Path]) -> None:
        self.made: set[Path] = set()
        self._miniature = miniature

    def check(self, line: str) -> None:
        """Go through one command.

        Raises:
            BadCommand: it is not understood, or names what is not there.
        """
        program, *words = shlex.split(line)
        try:
            if program == "omnipilot":
                self._omnipilot(words)
            else:
                check_other(program, words)
        except (UsageError, OmnipilotError, BadCommand) as error:
            said = error.format_message() if isinstance(error, UsageError) else str(error)
            raise BadCommand(f"{line}\n{said}") from error

    def _omnipilot(self, words: Sequence[str]) -> None:
        words = [self._ours(word) for word in words]
        given = parsed(words)
        for key in READ:
            self._there(given.get(key))
        if isinstance(out := given.get("out"), Path):
            self.made.add(out)
        name = words[0]
        if name in DRY:
            invoke([name, *([] if given["dry_run"] else ["--dry-run"]), *words[1:]])
        elif name in QUICK and not given.get("pilot"):
            invoke(words)
        elif name == "score":
            rules_of(given["benchmark"], given["variant"], given["option"] or [])
        elif name == "miniature":
            for benchmark in given["names"] or MINIATURES.names():
                MINIATURES.load(benchmark)
                given["out"].mkdir(exist_ok=True)
                (given["out"] / benchmark).symlink_to(self._miniature(benchmark), target_is_directory=True)
        elif name == "calibrate":
            part = grounder_part(given["grounder"], given["option"] or [])
            GROUNDERS.make(part.name, part.options)
        elif name == "report" and given["variant"] not in get_args(Variant):
            raise BadCommand(f"no variant {given['variant']!r}")

    def _ours(self, word: str) -> str:
        """What stands for the reader's own is replaced by something that is there."""
        if word.startswith(FOREIGN):
            return str(self._miniature(word.removeprefix(FOREIGN).lower()))
        return "grounder.model=uground-v1-7b" if word == "grounder.model=MODEL" else word

    def _there(self, value: Any) -> None:
        for one in value if isinstance(value, list | tuple) else [value]:
            # `miniature` has a flag of the name that an argument of `score` has.
            if isinstance(one, str | Path) and not Path(one).exists() and Path(one) not in self.made:
                raise BadCommand(f"{one} is not there, and no command before it writes it")


def parsed(words: Sequence[str]) -> dict[str, Any]:
    """The arguments of one of our commands, by their names.

    Raises:
        BadCommand: no such command. UsageError: it takes no such option, or not that value.
    """
    command = one_of_ours(words[0])
    return dict(command.make_context(words[0], list(words[1:])).params)


def one_of_ours(name: str) -> Any:
    """One of our commands, as Click has it."""
    if name not in our_commands():
        raise BadCommand(f"there is no command {name!r}; there are {', '.join(our_commands())}")
    return our_commands()[name]


@functools.cache
def our_commands() -> dict[str, Any]:
    """All of them, by name."""
    found: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return found


def invoke(words: Sequence[str]) -> None:
    """Run one of our commands in this process."""
    done = CliRunner().invoke(app, list(words))
    if done.exit_code:
        if isinstance(done.exception, Exception) and not isinstance(done.exception, OmnipilotError):
            raise done.exception
        raise BadCommand(f"{done.output}\n{done.exception}")


def check_options(line: str) -> None:
    """Of a command in running text, see that it is one, and takes the options that are named.

    Raises:
        BadCommand: it is none, or takes none of that name.
    """
    _, name, *words = line.split()
    options = {option for one in one_of_ours(name).params for option in (*one.opts, *one.secondary_opts)}
    for word in words:
        if word.startswith("-") and word.partition("=")[0] not in options:
            raise BadCommand(f"{line}\n{name} takes no {word}")


def check_other(program: str, words: Sequence[str]) -> None:
    """Look up what a command names that is none of ours.

    Raises:
        BadCommand: it names a target of make, an extra of ours or a module that is not there, or is none that is known.
    """
    if program == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        unknown = [word for word in words if "=" not in word and word not in targets]
    elif program == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = [extra for word in words for found in re.findall(r"\[(.*)\]", word) for extra in found.split(",")]
        unknown = [extra for extra in extras if extra not in project["optional-dependencies"]]
        unknown += words[:1] if words[:1] != ["install"] else []
    elif program == "export":
        unknown = [word for word in words if not re.fullmatch(r"[A-Z_]+=\S+", word)]
    elif program == "python" and words[:1] == ["-m"]:
        unknown = [] if words[1].startswith("omnipilot.") and find_spec(words[1]) else list(words[1:2])
    else:
        unknown = [program]
    if unknown:
        raise BadCommand(f"{program}: there is no {', '.join(unknown)}")
