"""Asks a model for one JSON object, within a budget. What it answers is read as data and never run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import Any, TypeVar

from omnipilot.envs import ConfigError, Image
from omnipilot.memory import MalformedReply, Message, Usage
from omnipilot.memory.models import ModelOptions, Sampling

T = TypeVar("T")
MOST_TOKENS = 2000
"""Of an answer that is drawn with a temperature of its own."""
REPAIRS = 1
"""How often an answer that cannot be read is asked for again."""


class BudgetSpent(ConfigError):
    """The money for this stage is spent; what was made so far is kept."""


class StageModel:
    """A model that a stage asks.

    Args:
        options: which, and where. budget: dollars that its calls may cost; None for no limit.

    Attributes:
        name: provider and model. usage: what all calls have cost so far.

    Raises:
        ConfigError: the endpoint cannot be, or the variable that should hold its key is empty.
    """

    def __init__(self, options: ModelOptions, budget: float | None = None) -> None:
        self.name = options.model
        self.usage = Usage()
        self._options = options
        self._model = options.connect()
        self._budget = budget
        self._paying: list[StageModel] = [self]
        self._prompts: dict[str, None] = {}
        self._calls: list[str] = []

    def ask(
        self,
        prompt: str,
        question: str,
        schema: Mapping[str, Any],
        read: Callable[[Mapping[str, Any]], T],
        package: str,
    ) -> T:
        """What `read` makes of the model's answer.

        Args:
            prompt: name of the system prompt, see `prompt_text`. question: the user's message.
            schema: of the object that it is to answer with.
            read: makes something of the object; raises KeyError, TypeError or ValueError where it is none such.
            package: in which the prompt lies.

        Raises:
            MalformedReply: its answers cannot be read. BudgetSpent: the money is spent.
            ModelUnavailable: it does not answer.
            ConfigError: there is a budget, and the price of the model is not known.
        """
        return self.ask_parts(prompt_text(prompt, package), (question,), schema, read)

    def ask_parts(
        self,
        system: str,
        question: Sequence[str | Image],
        schema: Mapping[str, Any],
        read: Callable[[Mapping[str, Any]], T],
        temperature: float | None = None,
    ) -> T:
        """As `ask`, with the system prompt itself, and a question that may have pictures.

        Args:
            temperature: of the answers; None leaves it to the model's options.
        """
        self._prompts[hashlib.sha256(system.encode()).hexdigest()] = None
        messages = [Message("system", (system,)), Message("user", tuple(question))]
        sampling = None if temperature is None else Sampling(temperature, MOST_TOKENS)
        problem = ""
        for _ in range(REPAIRS + 1):
            self._check_budget()
            reply = self._model.complete(messages, schema=schema, sampling=sampling)
            self.usage += reply.usage
            if self._model.cassette is not None:
                self._calls.append(self._model.cassette.last_key)
            try:
                return read(_object_in(reply.text))
            except (KeyError, TypeError, ValueError) as error:
                problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                told = f"Your reply cannot be read: {problem}. Answer with the JSON object and nothing else."
                messages += [Message("assistant", (reply.text[:2000] or "(empty)",)), Message("user", (told,))]
        raise MalformedReply(f"{self.name} was asked {REPAIRS + 1} times and did not answer as asked: {problem}")

    def beside(self, name: str) -> StageModel:
        """Another model, asked as this one is: at the same server, recorded in the same folder, of the same budget.

        Args:
            name: provider and model.

        Raises:
            ConfigError: there is no such model, or the variable that should hold its key is empty.
        """
        other = StageModel(replace(self._options, model=name), self._budget)
        self._paying.append(other)
        other._paying = self._paying
        return other

    def provenance(self) -> dict[str, Any]:
        """What a line notes of the calls that it came of, those since this was last asked.

        Returns:
            `model`: its name; `prompts`: SHA-256 of the system prompts; `calls`: keys in the cassette, in order, none
            where nothing is recorded.
        """
        noted = {"model": self.name, "prompts": list(self._prompts), "calls": list(self._calls)}
        self._prompts.clear()
        self._calls.clear()
        return noted

    def describe_usage(self) -> str:
        """How often it was asked, and for how much, in a line for the user."""
        cost = "price unknown" if self.usage.cost is None else f"${self.usage.cost:.4f}"
        return f"{self.name}: {self.usage.calls} calls, {cost}"

    def _check_budget(self) -> None:
        if self._budget is None:
            return
        spent = 0.0
        for one in self._paying:
            if one.usage.cost is None:
                raise ConfigError(
                    f"a budget of ${self._budget:g} cannot be kept: the price of {one.name} is unknown; "
                    "give --price-in and --price-out in dollars a million tokens (0 for your own server)"
                )
            spent += one.usage.cost
        if any(one.usage.calls for one in self._paying) and spent >= self._budget:
            raise BudgetSpent(
                f"the budget of ${self._budget:g} is spent (${spent:.2f}); what was made is kept, and the "
                "same command with a larger --budget goes on"
            )


def prompt_text(name: str, package: str) -> str:
    """The system prompt in `prompt_NAME.md` of a package."""
    return resources.files(package).joinpath(f"prompt_{name}.md").read_text(encoding="utf-8").strip() + "\n"


def _object_in(text: str) -> Mapping[str, Any]:
    first, last = text.rfind("</think>") + 1, text.rfind("}")
    first = text.find("{", first)
    if first < 0 or last < first:
        raise ValueError("there is no JSON object in it")
    value = json.loads(text[first : last + 1], strict=False)
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value
