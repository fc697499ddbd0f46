"""Models in process, and training, in the environment where torch and transformers are: `make models` makes it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".venv-vllm" / "bin" / "python"
FILES = (
    "bench/training/ears/test_learner.py",
    "bench/training/eyes/test_network.py",
    "bench/training/reinforce/test_objective.py",
    "bench/training/reinforce/test_reinforcement.py",
    "bench/training/reinforce/test_sampling.py",
    "bench/training/study/test_parts.py",
    "bench/training/test_checkpoint.py",
    "bench/training/test_run.py",
    "grounders/local/test_grounder.py",
    "grounders/local/test_loading.py",
    "grounders/marks/detectors/test_models.py",
    "memory/mini/test_network.py",
    "memory/models/test_local_embeddings.py",
    "memory/transcription/test_whisper.py",
    "perf/test_gpu_grounder.py",
)


@pytest.mark.slow
@pytest.mark.needs("torch")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("file", FILES)
def test_real_models_in_process(file: str, tmp_path: Path) -> None:
    (tmp_path / "omnipilot").symlink_to(ROOT)
    done = subprocess.run(
        [PYTHON, "-m", "pytest", f"tests/{file}", "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "HF_HOME": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=1100,
    )
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    assert done.returncode == 0 and re.search(r"\d+ passed", last), done.stdout[-6000:] + done.stderr[-2000:]
    assert "skipped" not in last, done.stdout[-3000:]
