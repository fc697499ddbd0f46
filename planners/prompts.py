"""Prompts: Markdown files beside the modules that read them, known by the hash of their text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources

from omnipilot.envs.errors import ConfigError
from omnipilot.envs.explain import nearest

ROOM = "omnipilot.planners"
"""Where prompts lie unless another package is named."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told before anything else."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hexadecimal: part of a run's identity."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def names(package: str = ROOM) -> tuple[str, ...]:
    """The prompts of a package, sorted: `prompt_<name>.md` beside its modules."""
    files = (file.name for file in resources.files(package).iterdir())
    return tuple(sorted(file[len("prompt_") : -len(".md")] for file in files if _is_prompt(file)))


def load(name: str, package: str = ROOM) -> Prompt:
    """The prompt of that name.

    Raises:
        ConfigError: the package has none; the message gives the nearest.
    """
    name = name.replace("-", "_")
    if name not in names(package):
        raise ConfigError(f"{package} has no prompt {name!r}; {nearest(name, names(package))}")
    text = resources.files(package).joinpath(f"prompt_{name}.md").read_text(encoding="utf-8")
    # Line ends of a checkout are no part of what a model is told.
    return Prompt(name, "\n".join(text.splitlines()).strip() + "\n")


def _is_prompt(file: str) -> bool:
    return file.startswith("prompt_") and file.endswith(".md")
