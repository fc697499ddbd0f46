"""Prompts: Markdown files beside the modules that read them, known by the hash of their text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """Hexadecimal SHA-256 of the text; part of a run's identity."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@cache
def read_prompt(package: str, name: str) -> Prompt:
    """The prompt in `prompt_<name>.md` of a package.

    Raises:
        FileNotFoundError: there is none.
    """
    text = resources.files(package).joinpath(f"prompt_{name}.md").read_text(encoding="utf-8")
    # The prompt must not depend on the line endings of a checkout.
    return Prompt(name, "\n".join(text.splitlines()).strip() + "\n")
