"""The checkpoint of a training: weights, the moments of their optimisers, and how far it has come, in one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory.models import check_safetensors
from omnipilot.memory.store import write_atomically


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a training is stopped and gone on from; the file is there as a whole or not at all.

    An array is called `weight.NAME`, or `MOMENT.NAME`, such as `exp_avg.NAME`.

    Attributes:
        weights: by name. optimizers: each of some of the weights.
    """

    path: Path
    weights: Mapping[str, Tensor]
    optimizers: Sequence[torch.optim.Optimizer]

    def save(self, about: Mapping[str, Any]) -> None:
        """Write weights and moments as they are.

        Args:
            about: what else is needed to go on, as plain values.
        """
        arrays: dict[str, Tensor] = {}
        for name, weight in self.weights.items():
            arrays[f"weight.{name}"] = weight.detach().clone()
            for optimizer in self.optimizers:
                for key, value in optimizer.state.get(weight, {}).items():
                    arrays[f"{key}.{name}"] = value.detach().clone()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, save(arrays, {"about": json.dumps(about)}))
        self._beside.unlink(missing_ok=True)

    def resume(self, take: Callable[[dict[str, Any]], object]) -> bool:
        """Put weights and moments back to where they were saved; whether there was anything to go on from.

        Args:
            take: is given what was saved as `about`; it may refuse it.

        Raises:
            ConfigError: the file is broken, or of another network; or what it says is refused.
        """
        if not self.path.exists():
            return False
        try:
            check_safetensors(self.path)
            with safe_open(self.path, "pt") as file:
                told = (file.metadata() or {}).get("about") or read_text(self._beside)
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no mapping)
            take(parse_json(told))
            self._put_back(arrays)
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, ConfigError) as error:
            # A tensor of another size is torch's RuntimeError.
            raise ConfigError(
                f"{self.path} cannot be gone on from ({error}); remove it to begin anew, or choose another --out"
            ) from None
        return True

    @property
    def _beside(self) -> Path:
        """Where trainings used to write what is now said in the file."""
        return self.path.with_suffix(".json")

    def _put_back(self, arrays: Mapping[str, Tensor]) -> None:
        kept: dict[str, dict[str, Tensor]] = {name: {} for name in self.weights}
        for stored, array in arrays.items():
            key, _, name = stored.partition(".")
            kept[name][key] = array
        for name, weight in self.weights.items():
            with torch.no_grad():
                weight.copy_(kept[name].pop("weight"))
            for optimizer in self.optimizers:
                if kept[name] and any(weight is one for group in optimizer.param_groups for one in group["params"]):
                    optimizer.state[weight] = kept[name]
