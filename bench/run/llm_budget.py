"""Which LLMs a run would call, and whether a limit on their cost can be enforced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.part_names import is_model
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError
from omnipilot.memory.models import LlmEndpoint


def endpoints(agent: AgentSpec, user: PartSpec | None = None) -> tuple[LlmEndpoint, ...]:
    """Every LLM that a part of an agent other than the grounder calls, in the order of the parts; nothing is called.

    Args:
        user: who answers the agent's questions; its model comes last.

    Raises:
        ConfigError: an endpoint that cannot be.
    """
    found: list[LlmEndpoint] = []
    for field in fields(agent):
        if field.name != "grounder":
            found += _endpoints(getattr(agent, field.name))
    found += _endpoints(user)
    return tuple(found)


def check_cost(spec: RunSpec, waived: bool = False, budget: float | None = None) -> None:
    """Refuse a cost limit that cannot be enforced.

    Args:
        waived: whether calls of unknown price count as free. budget: of the whole run; None for no limit.

    Raises:
        ConfigError: there is a limit, and the price of a model is unknown; the message says how to give it.
        MissingExtra: litellm, which knows the prices, is not installed, and an endpoint has none of its own.
    """
    from omnipilot.memory.models.prices import has_price

    if not (spec.limits.cost or budget) or waived:
        return
    what = f"a cost limit of ${spec.limits.cost:g}" if spec.limits.cost else f"a budget of ${budget:g}"
    # An episode's limit is the agent's; a budget pays for its user, too.
    asked = endpoints(spec.agent, spec.user if budget else None)
    unknown = sorted({endpoint.model for endpoint in asked if not has_price(endpoint)})
    if unknown:
        raise ConfigError(
            f"{what} cannot be enforced: the price of {', '.join(unknown)} is unknown; "
            "give it in USD per million tokens (-o planner.price_in=… -o planner.price_out=…; 0 for your own server), "
            "or count such calls as free with --waive-cost"
        )
    if _keyed(spec.agent.grounder):
        raise ConfigError(
            f"{what} cannot be enforced: the price of the grounder "
            f"{spec.agent.grounder.name!r} is unknown, and its server requires a key; count its calls as free with "
            "--waive-cost"
        )


def free(spec: RunSpec) -> bool:
    """Whether no model of a run has a price: only LLMs with price 0, and no server that requires a key.

    Raises:
        ConfigError: an endpoint that cannot be.
    """
    asked = endpoints(spec.agent, spec.user)
    return not _keyed(spec.agent.grounder) and all(
        endpoint.price_in == 0 and endpoint.price_out == 0 for endpoint in asked
    )


def _endpoints(value: Any) -> Iterator[LlmEndpoint]:
    """The endpoints that options name, in tables and inner parts too."""
    if isinstance(value, PartSpec):
        for part in value.walk():
            yield from _endpoints(part.options)
    elif isinstance(value, Mapping):
        if is_model(str(value.get("model", ""))):
            names = {field.name for field in fields(LlmEndpoint)}
            yield LlmEndpoint(**{key: item for key, item in value.items() if key in names})
        for item in value.values():
            yield from _endpoints(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _endpoints(item)


def _keyed(options: Any) -> bool:
    if isinstance(options, PartSpec):
        return any(_keyed(part.options) for part in options.walk())
    if isinstance(options, Mapping):
        return bool(options.get("key_env")) or any(map(_keyed, options.values()))
    return isinstance(options, list | tuple) and any(map(_keyed, options))
