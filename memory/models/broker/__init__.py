"""The broker of endpoints: one limit for all that ask a server, in however many processes they are."""

from omnipilot.memory.models.broker.broker import Ask, Broker, EndpointStanding
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable, parse_limits
from omnipilot.memory.models.broker.local import LocalPermits
from omnipilot.memory.models.broker.permits import (
    EndpointId,
    Outcome,
    Permits,
    endpoint_id,
    share_permits,
    waited_seconds,
)

__all__ = [
    "Ask",
    "Broker",
    "EndpointId",
    "EndpointLimits",
    "EndpointStanding",
    "LimitTable",
    "LocalPermits",
    "Outcome",
    "Permits",
    "endpoint_id",
    "parse_limits",
    "share_permits",
    "waited_seconds",
]
