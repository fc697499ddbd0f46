"""Prompts by their names, of our packages or of others."""

from __future__ import annotations

from importlib import resources

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.memory.prompts import Prompt as Prompt
from omnipilot.memory.prompts import read_prompt

OURS = ("omnipilot.planners.chat", "omnipilot.planners.native")
"""Packages searched for prompts by default; no name occurs in both."""


def names(package: str = "") -> tuple[str, ...]:
    """Sorted names of the prompts (`prompt_<name>.md`) of a package, or of ours."""
    packages = (package,) if package else OURS
    files = (file.name for each in packages for file in resources.files(each).iterdir())
    return tuple(sorted(file[len("prompt_") : -len(".md")] for file in files if _is_prompt(file)))


def load(name: str, package: str = "") -> Prompt:
    """Load a prompt from a package, or from ours.

    Raises:
        ConfigError: the package has no such prompt; the message names the nearest.
    """
    name = name.replace("-", "_")
    if name not in names(package):
        raise ConfigError(f"{package or 'omnipilot.planners'} has no prompt {name!r}; {nearest(name, names(package))}")
    home = package or next(each for each in OURS if name in names(each))
    return read_prompt(home, name)


def _is_prompt(file: str) -> bool:
    return file.startswith("prompt_") and file.endswith(".md")
