"""Nearest examples: the solved tasks of a suite's training split that are most like a task, for its planner to read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from omnipilot.bench.spec import ExamplesSpec, RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError
from omnipilot.memory import ModelUnavailable, Recalled, Usage
from omnipilot.memory.examples import ExampleIndex
from omnipilot.memory.models.embeddings import Embeddings, keep_vectors, name_model

LETTERS = "letters"
"""The ranking that needs no model."""
CHARACTERS = 800
"""Of one example at most, as long as all are as long as that; what one leaves is for the others."""


@dataclass(frozen=True, slots=True)
class NearestExamples:
    """The examples that a run may be shown.

    Attributes:
        given: which of them a task gets.
        index: of the training split, and of nothing else.
        suite: says what a task must not share with its examples.
        cost: of making the index, whenever that was; no episode counts it.
    """

    given: ExamplesSpec
    index: ExampleIndex
    suite: Suite
    cost: Usage = field(default_factory=Usage)

    def examples_for(self, task: str, instruction: str) -> tuple[Recalled, ...]:
        """The examples of a task, one a part, the nearest last: no wording of the task itself, and none of its screen
        unless the run wants those.

        Raises:
            ModelUnavailable, ConfigError: as of `Embeddings.embed`, where they are ranked by meaning.
        """
        count = self.given.count
        return self.index.find(instruction, count, self._barred(task), count * CHARACTERS)

    def note(self, tasks: Sequence[str]) -> str:
        """What is shown to these tasks, and what of the training split is near them for another reason, in words."""
        held = frozenset(name for one in self.index.examples for name in one.templates)
        screens = sum(self.suite.screen_of(task) in held for task in tasks)
        wordings = sum(not held.isdisjoint(self.suite.templates_of(task)) for task in tasks)
        left_out = "shown too" if self.given.same_screen else "left out"
        by = name_model(self.given.ranking)
        told = [
            f"examples: {self.given.count} nearest of {len(self.index.examples):,} of the training split, by {by}",
            f"{_share(screens, len(tasks))} have examples of their own screen, which are {left_out}",
        ]
        if wordings:
            told.append(
                f"{_share(wordings, len(tasks))} are in the training split in other words, which they are never shown"
            )
        if self.cost.calls:
            dollars = "unknown price" if self.cost.cost is None else f"${self.cost.cost:,.4f}"
            told.append(
                f"embedding them took {self.cost.tokens_in:,} tokens ({dollars}), which no episode counts, nor does it "
                "count those of its task"
            )
        return "; ".join(told)

    def _barred(self, task: str) -> set[str]:
        screen = self.suite.screen_of(task)
        return {*self.suite.templates_of(task), *([] if self.given.same_screen or not screen else [screen])}


def load_examples(given: ExamplesSpec, suite: Suite) -> NearestExamples:
    """The examples of a suite's training split.

    Raises:
        ConfigError: the suite has none to show, or forbids it; the examples, or what ranks them, are others than when
            the run began; or the embeddings cannot be had.
        MissingExtra: the embeddings need a package that is not installed.
    """
    examples = suite.examples()
    if not examples:
        raise ConfigError(f"the training split of suite {suite.name!r} has no example; leave out --examples")
    if given.ranking == LETTERS:
        index = ExampleIndex(examples, ways=("letters",))
    else:
        index = ExampleIndex(examples, _embeddings(given.ranking), ("meaning",))
    if given.digest and given.digest != index.digest:
        raise ConfigError(
            "the examples are others than when the run began; restore the training split and the embeddings, or choose "
            "another --out"
        )
    try:
        return NearestExamples(given, index, suite, index.prepare())
    except ModelUnavailable as error:
        raise ConfigError(f"--examples-ranking {given.ranking}: {error}; or rank by letters, without a model") from None


def with_examples(spec: RunSpec, suite: Suite, tasks: Sequence[str]) -> tuple[RunSpec, str]:
    """The specification with the hash of its examples, and what is shown in words; "" without any.

    Args:
        tasks: those of the run.

    Raises:
        ConfigError, MissingExtra: as in `load_examples`.
    """
    if spec.examples is None:
        return spec, ""
    found = load_examples(replace(spec.examples, digest=""), suite)
    return replace(spec, examples=replace(spec.examples, digest=found.index.digest)), found.note(tasks)


def _embeddings(text: str) -> Embeddings:
    """The embeddings that a ranking names. Vectors are kept in the user's cache, so that a training split is embedded
    once, and not by every worker of every run."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        return keep_vectors(text, home / "omnipilot" / "embeddings")
    except ConfigError as error:
        raise ConfigError(f"--examples-ranking {text}: not {LETTERS}, and {error}") from None


def _share(number: int, total: int) -> str:
    return f"{number:,} of {total:,} tasks ({number / total:.0%})" if total else "no task"
