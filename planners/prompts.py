"""Prompts: Markdown files beside the modules that read them, known by the hash of their text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import nearest

OURS = ("omnipilot.planners.chat", "omnipilot.planners.native")
"""Where prompts lie unless another package is named; no name is in both."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told before anything else."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hexadecimal: part of a run's identity."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def names(package: str = "") -> tuple[str, ...]:
    """The prompts of a package, or of ours, sorted: `prompt_<name>.md` beside its modules."""
    packages = (package,) if package else OURS
    files = (file.name for each in packages for file in resources.files(each).iterdir())
    return tuple(sorted(file[len("prompt_") : -len(".md")] for file in files if _is_prompt(file)))


def load(name: str, package: str = "") -> Prompt:
    """The prompt of that name, in a package or in ours.

    Raises:
        ConfigError: the package has none; the message gives the nearest.
    """
    name = name.replace("-", "_")
    if name not in names(package):
        raise ConfigError(f"{package or 'omnipilot.planners'} has no prompt {name!r}; {nearest(name, names(package))}")
    home = package or next(each for each in OURS if name in names(each))
    text = resources.files(home).joinpath(f"prompt_{name}.md").read_text(encoding="utf-8")
    # Line ends of a checkout are no part of what a model is told.
    return Prompt(name, "\n".join(text.splitlines()).strip() + "\n")


def _is_prompt(file: str) -> bool:
    return file.startswith("prompt_") and file.endswith(".md")
