"""What an endpoint allows all its clients together, and how that is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.settings import url_secret

FORM = "write [URL=]rpm:N+tpm:N+in-flight:N, for example http://127.0.0.1:8000/v1=rpm:60+in-flight:8"
_NAMES = {"rpm": "rpm", "tpm": "tpm", "in-flight": "in_flight"}


@dataclass(frozen=True, slots=True)
class EndpointLimits:
    """Limits of one endpoint; None for no limit.

    Attributes:
        rpm: requests a minute. tpm: tokens a minute, read and written. in_flight: requests at the same time.

    Raises:
        ConfigError: one is below 1.
    """

    rpm: int | None = None
    tpm: int | None = None
    in_flight: int | None = None

    def __post_init__(self) -> None:
        if any(limit is not None and limit < 1 for limit in (self.rpm, self.tpm, self.in_flight)):
            raise ConfigError("rpm, tpm and in-flight of an endpoint are 1 or more; leave one out for no limit")


@dataclass(frozen=True, slots=True)
class LimitTable:
    """Limits by what they are for: the base URL of a server, a provider such as "openai", or "" for all others."""

    rows: tuple[tuple[str, EndpointLimits], ...] = ()

    def find(self, base: str, provider: str) -> EndpointLimits:
        """The limits of an endpoint: those of its URL, else of its provider, else of all.

        Args:
            base: its base URL. provider: of its model.
        """
        rows = {normal_place(place): limits for place, limits in self.rows}
        for place in (normal_place(base), normal_place(provider), ""):
            if place in rows:
                return rows[place]
        return EndpointLimits()

    @property
    def places(self) -> tuple[str, ...]:
        """The URLs and providers that have limits of their own."""
        return tuple(place for place, _ in self.rows if place)


def normal_place(place: str) -> str:
    """The one way in which the URL of a server or the name of a provider is written.

    Scheme, host and provider are in small letters, and no slash ends a URL.
    """
    place = place.strip().rstrip("/")
    if "://" not in place:
        return place.lower()
    try:
        scheme, host, *rest = urlsplit(place)
    except ValueError:
        return place
    return urlunsplit((scheme, host.lower(), *rest))


def parse_limits(written: Sequence[str]) -> LimitTable:
    """Limits as settings write them: "URL=rpm:60+tpm:90000+in-flight:8", a provider in place of the URL, or neither.

    Raises:
        ConfigError: one is written otherwise, two are for one place, or a URL holds a secret.
    """
    rows: dict[str, EndpointLimits] = {}
    for text in written:
        place, _, values = text.strip().rpartition("=")
        if secret := url_secret(place):
            raise ConfigError(f"the URL of an endpoint's limit has {secret}; write it without")
        place = normal_place(place)
        if place in rows:
            raise ConfigError(f"two limits of {place or 'all endpoints'}; join them by +")
        rows[place] = _read(values)
    return LimitTable(tuple(rows.items()))


def _read(values: str) -> EndpointLimits:
    found: dict[str, int] = {}
    for value in values.split("+"):
        name, _, number = value.strip().partition(":")
        if name not in _NAMES or not number.isdecimal() or _NAMES[name] in found:
            raise ConfigError(f"{values!r} is no limit of an endpoint; {FORM}")
        found[_NAMES[name]] = int(number)
    return EndpointLimits(**found)
