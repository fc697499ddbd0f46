"""Arrays in the format safetensors, read with numpy alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors_bytes import safetensors_bytes

from omnipilot.envs import ConfigError
from omnipilot.memory.models import check_safetensors, read_safetensors


@pytest.mark.parametrize("kind", ["F64", "F32", "F16", "BF16"])
@pytest.mark.parametrize("value", [np.nan, -np.inf, np.inf])
def test_numbers_of_every_type_are_checked(kind: str, value: float, tmp_path: Path) -> None:
    plain = np.array([0.0, 1.0, -2.5, 60_000.0], np.float32)
    for held, right in ((plain, True), (np.array([0.0, value, 1.0, 2.0], np.float32), False)):
        if kind == "BF16":
            body = (held.view(np.uint32) >> 16).astype("<u2").tobytes()
        else:
            body = held.astype({"F64": "<f8", "F32": "<f4", "F16": "<f2"}[kind]).tobytes()
        told = json.dumps({"x": {"dtype": kind, "shape": [4], "data_offsets": [0, len(body)]}}).encode()
        (tmp_path / "x.safetensors").write_bytes(len(told).to_bytes(8, "little") + told + body)
        if right:
            check_safetensors(tmp_path / "x.safetensors")
        else:
            with pytest.raises(ConfigError, match="NaN"):
                check_safetensors(tmp_path / "x.safetensors")


def test_arrays_are_read_as_they_were_written(tmp_path: Path) -> None:
    held = {
        "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
        "half": np.array([[1.5, -2.0]], np.float16),
        "none": np.zeros((0, 3), np.float32),
    }
    (tmp_path / "x.safetensors").write_bytes(safetensors_bytes(held))
    found = read_safetensors(tmp_path / "x.safetensors")
    assert found.keys() == held.keys()
    assert all(np.array_equal(found[name], held[name]) and found[name].shape == held[name].shape for name in held)
