"""litellm's list of models: prices, and what each takes.

It is a JSON file of the package litellm, and is read from the disk without importing litellm, which takes seconds.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from omnipilot.envs.schema import parse_json

_LIST = "model_prices_and_context_window_backup.json"


@functools.cache
def price_list() -> Mapping[str, Mapping[str, Any]]:
    """Every model with a price, by its name in litellm's list; empty if litellm is not installed."""
    # On the disk, whatever is said of it among the modules that are imported.
    spec = PathFinder.find_spec("litellm")
    for folder in () if spec is None else spec.submodule_search_locations or ():
        file = Path(folder) / _LIST
        if file.is_file():
            listed: dict[str, Mapping[str, Any]] = parse_json(file.read_bytes())
            return listed
    return {}
