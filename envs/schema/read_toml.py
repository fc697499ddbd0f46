"""TOML files that others wrote: settings of runs, worlds of devices."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from omnipilot.envs.schema.json_text import is_deep
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.regular_files import read_text

MOST_BYTES = 8 * 2**20
"""Bytes of a file, at most."""


def read_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file.

    Raises:
        ConfigError: it cannot be read, or is not TOML; the message names the line.
    """
    try:
        table = tomllib.loads(read_text(path, MOST_BYTES))
        if is_deep(table):
            raise RecursionError
        return table
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except RecursionError:
        raise ConfigError(f"{path} is not valid TOML: it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not valid TOML: byte {error.start} is no UTF-8; save the file in this encoding"
        ) from None
    except ValueError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None
