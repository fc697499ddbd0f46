"""Which LLMs a run would ask, and whether a cap on what they cost could be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError
from omnipilot.memory.models import LlmEndpoint


def endpoints(agent: AgentSpec) -> tuple[LlmEndpoint, ...]:
    """Every LLM that a part of an agent asks, the grounder's apart, in the order of the parts; nothing is called.

    Raises:
        ConfigError: an endpoint that cannot be.
    """
    found: list[LlmEndpoint] = []
    for field in fields(agent):
        if field.name != "grounder":
            found += _endpoints(getattr(agent, field.name))
    return tuple(found)


def check_cost(spec: RunSpec, waived: bool = False) -> None:
    """Refuse a cap on money that could not be kept.

    Args:
        waived: calls of unknown price count as free.

    Raises:
        ConfigError: there is a cap, and what a model costs is unknown; the message says how to give the price.
        MissingExtra: litellm is not installed, would be asked, and an endpoint has no price of its own.
    """
    from omnipilot.memory.models.prices import has_price

    if not spec.limits.cost or waived:
        return
    unknown = sorted({endpoint.model for endpoint in endpoints(spec.agent) if not has_price(endpoint)})
    if unknown:
        raise ConfigError(
            f"a cap of ${spec.limits.cost:g} cannot be kept, for the price of {', '.join(unknown)} is unknown; give it "
            "in dollars a million tokens (-o planner.price_in=… -o planner.price_out=…; 0 for a server of your own), "
            "or let such calls count as free with --waive-cost"
        )
    if _keyed(spec.agent.grounder.options):
        raise ConfigError(
            f"a cap of ${spec.limits.cost:g} cannot be kept, for the price of the grounder "
            f"{spec.agent.grounder.name!r} is unknown: its server wants a key; let its calls count as free with "
            "--waive-cost"
        )


def free(spec: RunSpec) -> bool:
    """Whether nothing that a run asks has a price: no LLM but those said to cost nothing, no server that wants a key.

    Raises:
        ConfigError: an endpoint that cannot be.
    """
    asked = endpoints(spec.agent)
    return not _keyed(spec.agent.grounder.options) and all(
        endpoint.price_in == 0 and endpoint.price_out == 0 for endpoint in asked
    )


def _endpoints(value: Any) -> Iterator[LlmEndpoint]:
    if isinstance(value, PartSpec):
        yield from _endpoints({**({"model": value.name} if "/" in value.name else {}), **value.options})
    elif isinstance(value, Mapping):
        if "/" in str(value.get("model", "")):
            names = {field.name for field in fields(LlmEndpoint)}
            yield LlmEndpoint(**{key: item for key, item in value.items() if key in names})
        for item in value.values():
            yield from _endpoints(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _endpoints(item)


def _keyed(options: Any) -> bool:
    if isinstance(options, Mapping):
        return bool(options.get("key_env")) or any(map(_keyed, options.values()))
    return isinstance(options, list | tuple) and any(map(_keyed, options))
