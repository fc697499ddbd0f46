"""The measurement of a grounder in process, on a tiny model and the CPU."""

from __future__ import annotations

import importlib.util

import pytest
from gpu_limits import Limits, Load, from_sheet

LOAD = Load(
    **{"language": 6_500_000_000, "head": 545_000_000, "vision": 675_000_000, "layers": 28, "width": 3584},
    **{"cache": 2 * 28 * 512, "vision_layers": 32, "vision_width": 1280, "bytes_each": 2},
)
needs_torch = pytest.mark.skipif(
    not all(importlib.util.find_spec(module) for module in ("torch", "transformers")),
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)


@pytest.mark.parametrize(
    ("name", "bytes_s", "flops_s"),
    [
        ("NVIDIA H100 80GB HBM3", 3.35e12, 989e12),
        ("NVIDIA H100 PCIe", 2.0e12, 756e12),
        ("NVIDIA H200", 4.8e12, 989e12),
        ("NVIDIA A100-SXM4-80GB", 2.039e12, 312e12),
        ("NVIDIA A100-SXM4-40GB", 1.555e12, 312e12),
        ("NVIDIA L40S", 0.864e12, 362e12),
        ("NVIDIA L4", 0.3e12, 121e12),
    ],
)
def test_a_device_is_known_by_its_name(name: str, bytes_s: float, flops_s: float) -> None:
    assert from_sheet(name) == Limits(bytes_s, flops_s)


def test_an_unknown_device_is_not_taken_for_another() -> None:
    assert from_sheet("CPU") is None and from_sheet("NVIDIA GeForce RTX 4090") is None


def test_a_step_reads_the_weights_once_whatever_the_batch() -> None:
    one, two = LOAD.step_bytes(1, 1500), LOAD.step_bytes(2, 1500)
    assert one == 2 * (6_500_000_000 + 545_000_000 + 28_672 * 1500)
    assert two - one == 2 * 28_672 * 1500
    assert LOAD.step_flops(2, 1500) == 2 * LOAD.step_flops(1, 1500)


def test_a_prefill_counts_every_weight_twice_and_attention_by_pairs() -> None:
    bare = 2 * (675_000_000 * 4 + 6_500_000_000 * 3 + 545_000_000)
    assert LOAD.prefill_flops(4, 3) == bare + 4 * 32 * 1280 * 16 + 2 * 28 * 3584 * 9


def test_times_are_held_against_the_slower_of_the_two_limits() -> None:
    from gpu_grounder import against

    limits = Limits(3.35e12, 989e12)
    prefill, step = LOAD.prefill_flops(5336, 1500) / 989e12, LOAD.step_bytes(1, 1500) / 3.35e12
    at_best = against(LOAD, limits, (1, 5336, 1500, 12), (0.0, prefill, step))
    assert (at_best.compute, at_best.bandwidth, at_best.limit) == pytest.approx((1, 1, 1))
    assert at_best.whole == pytest.approx(prefill + 11 * step)
    slower = against(LOAD, limits, (1, 5336, 1500, 12), (prefill, 2 * prefill, 4 * step))
    assert (slower.compute, slower.bandwidth) == pytest.approx((0.5, 0.25)) and 0.25 < slower.limit < 0.5


@needs_torch
def test_a_tiny_model_is_measured_and_its_weights_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import gpu_grounder
    import transformers
    from gpu_limits import load_of

    shape = {
        "text_config": {
            **{"vocab_size": 64, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2},
            **{"num_attention_heads": 4, "num_key_value_heads": 2, "rope_theta": 1e6},
            "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]},
        },
        "vision_config": {"depth": 1, "embed_dim": 32, "hidden_size": 64, "num_heads": 2, "mlp_ratio": 2},
    }
    monkeypatch.setattr(gpu_grounder, "SEVEN_B", shape)
    options = "--batches 1,3 --screen 120x90 --tokens 4 --dtype float32 --device cpu --repeats 1"
    gpu_grounder.main(options.split())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("CPU, torch") and "limits (measured)" in lines[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert [row[0] for row in cells] == ["batch", "---:", "1", "3"]
    assert {len(row) for row in cells} == {len(gpu_grounder.HEADS)}
    assert all(float(row[1]) > 0 for row in cells[2:])
    config = transformers.Qwen2VLConfig(**shape)
    model = transformers.AutoModelForImageTextToText.from_config(config)
    load = load_of(model)
    whole = sum(weight.numel() for weight in model.parameters())
    assert load.language + load.head + load.vision + 64 * 64 == whole and load.head == 64 * 64
    assert (load.layers, load.width, load.cache, load.bytes_each) == (2, 64, 2 * 2 * 2 * 16, 4)
