"""The files of a pointing run's directory, and its specification."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.envs.types import read_text

SPEC, ANSWERS = "pointing.json", "answers.jsonl"


def read_spec(folder: Path) -> Mapping[str, Any]:
    """The specification of the pointing run in a directory.

    Raises:
        ConfigError: it is damaged.
    """
    file = folder / SPEC
    try:
        spec = parse_json(read_text(file))
        if not isinstance(spec, dict):
            raise ValueError("it is not an object")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file} cannot be read ({error!r}); run it again with another --out") from None
    return spec
