"""The elements that a screen lists itself, without those that the task does not need."""

from __future__ import annotations

import time
from dataclasses import dataclass

from omnipilot.envs import Absent, ConfigError, Elements, Modality, Observation
from omnipilot.grounders.sources.base import ElementSource, FoundElements
from omnipilot.grounders.sources.detact.lexical import choose_by_words
from omnipilot.grounders.sources.detact.model_filter import choose_by_model, filter_prompt
from omnipilot.memory import Usage
from omnipilot.memory.models import ModelOptions
from omnipilot.memory.warm_up import warm_up


@dataclass(eq=False)
class ListedElements(ModelOptions, ElementSource):
    """Tells those elements of a screen's own list, its tree or the list of a data set, that the task speaks of.

    With it DetACT's filter is applied to elements that somebody else has found, such as OmniACT's own lists, as in the
    paper. No picture is needed.

    Attributes:
        model, url: and other options of its endpoint: the model that chooses, as the paper has GPT-4 choose; without a
            model, words in common decide.
        keep: most elements that are told, at least 1.

    Raises:
        ConfigError: an option has a value that it cannot have.
    """

    model: str = ""
    keep: int = 20

    def __post_init__(self) -> None:
        if self.keep < 1:
            raise ConfigError(f"listed: keep must be at least 1, not {self.keep}")
        self._client = self.connect() if self.model else None

    @property
    def needs(self) -> frozenset[Modality]:
        """The elements."""
        return frozenset((Modality.ELEMENTS,))

    @property
    def reads(self) -> frozenset[Modality]:
        """The elements."""
        return self.needs

    def identity(self) -> dict[str, str]:
        """The prompt of the filter, if a model chooses."""
        return {} if self._client is None else {"prompt": filter_prompt().digest}

    def warm_up(self) -> None:
        """Connect to the model."""
        warm_up(self._client)

    def find(self, seen: Observation, task: str = "") -> FoundElements:
        """The elements that the task needs; all of them without a task, none where there are none.

        Raises:
            ModelUnavailable: the model did not answer.
        """
        if isinstance(seen.elements, Absent):
            return FoundElements(Elements(()))
        items = seen.elements.items
        if not task or not items:
            return FoundElements(seen.elements)
        began, usage, chosen = time.perf_counter(), Usage(), None
        if self._client is not None:
            chosen, usage = choose_by_model(self._client, items, task, self.keep, seen.size)
        kept = tuple(chosen or choose_by_words(items, task, self.keep))
        return FoundElements(Elements(kept), {"filter": time.perf_counter() - began}, usage)
