"""What tokens cost. A price that is not known is None, never 0."""

from __future__ import annotations

from collections.abc import Iterable

from omnipilot.envs import ConfigError
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.litellm.library import price_of


def has_price(endpoint: LlmEndpoint) -> bool:
    """Whether the endpoint has a price: its own, or one that litellm knows.

    Raises:
        MissingExtra: it has none of its own, and litellm is not installed.
    """
    return endpoint.price_in is not None or price_of(endpoint.model, 0, 0) is not None


def cost(endpoint: LlmEndpoint, tokens_in: int, tokens_out: int) -> float | None:
    """Dollars for so many tokens read and written; None where the price is unknown.

    Raises:
        MissingExtra: the endpoint has no price of its own, and litellm is not installed.
    """
    if endpoint.price_in is not None and endpoint.price_out is not None:
        return (endpoint.price_in * tokens_in + endpoint.price_out * tokens_out) / 1e6
    return price_of(endpoint.model, tokens_in, tokens_out)


def check_cap(endpoints: Iterable[LlmEndpoint], cap: float | None, waived: bool = False) -> None:
    """Refuse a cap on money that could not be kept.

    Args:
        endpoints: all that the run may call.
        cap: dollars; None for no cap.
        waived: what a call of unknown price costs is not to count.

    Raises:
        ConfigError: there is a cap, and the price of an endpoint is unknown.
    """
    if cap is None or waived:
        return
    unknown = sorted({endpoint.model for endpoint in endpoints if not has_price(endpoint)})
    if unknown:
        raise ConfigError(
            f"a cap of ${cap:g} cannot be kept: the price of {', '.join(unknown)} is unknown; give price_in and "
            "price_out (dollars a million tokens; 0 for a server of your own), or waive the cost"
        )
