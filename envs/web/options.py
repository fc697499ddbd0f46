"""What a browser says about itself and what it lets pages do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.envs.schema.json_text import parse_json
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.regular_files import read_text

ColorScheme: TypeAlias = Literal["light", "dark", "no-preference"]
VideoKind: TypeAlias = Literal["none", "screencast", "display"]


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options of a browser context, under the names of Playwright's `new_context`; empty ones are Chromium's own.

    Attributes:
        user_agent: the browser's name as pages see it.
        locale: language and formats, such as "de-DE".
        timezone: of the IANA list, such as "Europe/Berlin".
        permissions: granted to every page without a question, such as ("geolocation", "clipboard-read").
        geolocation: latitude and longitude in degrees; granted as a permission as well.
        color_scheme: light, dark or no-preference, as style sheets see it.
        ignore_https_errors: whether pages with invalid certificates open.
        http_credentials: user name and password for servers that ask for them. credentials_origin: the only site that
            they are given to, such as "https://example.org"; "" for every site that asks.
        storage_state: a file of cookies and local storage, as Playwright's `context.storage_state(path=…)` writes it.
    """

    user_agent: str = ""
    locale: str = ""
    timezone: str = ""
    permissions: tuple[str, ...] = ()
    geolocation: tuple[float, float] | None = None
    color_scheme: ColorScheme = "light"
    ignore_https_errors: bool = False
    http_credentials: tuple[str, str] | None = None
    credentials_origin: str = ""
    storage_state: Path | None = None

    def __post_init__(self) -> None:
        if self.color_scheme not in get_args(ColorScheme):
            raise ConfigError(f"color_scheme must be light, dark or no-preference, not {self.color_scheme!r}")
        if self.geolocation is not None:
            latitude, longitude = self.geolocation
            if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
                raise ConfigError(
                    f"geolocation is a latitude -90..90 and a longitude -180..180, not {self.geolocation}"
                )
        if self.storage_state is not None:
            _check_state(self.storage_state)

    @classmethod
    def parse(
        cls,
        *,
        permissions: str | Sequence[str] = "",
        geolocation: str | Sequence[float] = "",
        http_credentials: str = "",
        storage_state: str | Path = "",
        **rest: Any,
    ) -> PageOptions:
        """From settings as they are written on a command line or in a TOML file.

        Args:
            permissions: names separated by commas, or a list.
            geolocation: "52.52,13.40", or a list of two numbers.
            http_credentials: "USER:PASSWORD", or "$NAME" of an environment variable that holds them, so that they are
                in no file and in no record of a run.

        Raises:
            ConfigError: one of them is invalid.
        """
        names = permissions.split(",") if isinstance(permissions, str) else permissions
        credentials = None
        if http_credentials:
            given = http_credentials
            if given.startswith("$"):
                given = os.environ.get(given[1:], "")
                if not given:
                    raise ConfigError(f"http_credentials names {http_credentials}, which is not set; export it")
            user, colon, password = given.partition(":")
            if not colon:
                raise ConfigError("http_credentials must be USER:PASSWORD, or $NAME of a variable that holds them")
            credentials = (user, password)
        return cls(
            permissions=tuple(name.strip() for name in names if name.strip()),
            geolocation=_place(geolocation) if geolocation else None,
            http_credentials=credentials,
            storage_state=Path(storage_state) if storage_state else None,
            **rest,
        )

    def of_context(self) -> dict[str, Any]:
        """The arguments of Playwright's `new_context` that they stand for."""
        given: dict[str, Any] = {
            "user_agent": self.user_agent or None,
            "locale": self.locale or None,
            "timezone_id": self.timezone or None,
            "color_scheme": None if self.color_scheme == "light" else self.color_scheme,
            "ignore_https_errors": self.ignore_https_errors or None,
        }
        permissions = set(self.permissions)
        if self.geolocation is not None:
            given["geolocation"] = dict(zip(("latitude", "longitude"), self.geolocation, strict=True))
            permissions.add("geolocation")
        if permissions:
            given["permissions"] = sorted(permissions)
        if self.http_credentials is not None:
            user, password = self.http_credentials
            origin = {"origin": self.credentials_origin} if self.credentials_origin else {}
            given["http_credentials"] = {"username": user, "password": password, **origin}
        if self.storage_state is not None:
            given["storage_state"] = self.storage_state
        return {name: value for name, value in given.items() if value is not None}


def _place(text: str | Sequence[float]) -> tuple[float, float]:
    parts = text.split(",") if isinstance(text, str) else text
    try:
        latitude, longitude = (float(part) for part in parts)
    except (TypeError, ValueError):
        raise ConfigError(f"geolocation must be LATITUDE,LONGITUDE, such as 52.52,13.40, not {text!r}") from None
    return latitude, longitude


def _check_state(file: Path) -> None:
    try:
        state = parse_json(read_text(file))
    except (OSError, ValueError) as error:
        raise ConfigError(f"storage_state {file} cannot be read: {error}") from None
    if not isinstance(state, dict) or "cookies" not in state:
        raise ConfigError(
            f"storage_state {file} holds no cookies; write one with Playwright's context.storage_state(path=…)"
        )
