"""The recipe of OmniACT's fine-tuned baselines: QLoRA on a text model, from a screen's list and a task to its script.

Rank, scaling and steps are the paper's (§6); it names no learning rate, batch or length, so those are ours. Training is
TRL's command, which needs a GPU; it was written here, and not run.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact.data import GET, ScriptTask, load
from omnipilot.bench.suites.omniact.suite import elements
from omnipilot.bench.suites.omniact.unpack import unpack
from omnipilot.envs import ConfigError, Elements
from omnipilot.envs.types import check_installed
from omnipilot.memory import estimate_tokens

PAPER: Mapping[str, Any] = {"lora_r": 64, "lora_alpha": 16, "max_steps": 300, "load_in_4bit": True, "use_peft": True}
"""What §6 says of QLoRA: rank 64, scaling 16, 300 steps."""
OURS: Mapping[str, Any] = {
    "lora_dropout": 0.05,
    "learning_rate": 2e-4,
    "per_device_train_batch_size": 4,
    "gradient_accumulation_steps": 4,
    "max_length": 2048,
    "lr_scheduler_type": "constant",
    "bf16": True,
}
"""What it does not say; the values of QLoRA's own paper for models of this size, except the length."""
MOST_TOKENS = 1500
"""Of the list of elements, by an estimate; what comes last is left out."""


@dataclass(frozen=True, slots=True)
class FineTuning:
    """What a fine-tuning would be.

    Attributes:
        model: id or folder of the text model. rows: training samples. shortened: how many lists were cut.
        unlisted: how many have no list of elements.
        command: that trains it, as arguments.
    """

    model: str
    rows: int
    shortened: int
    unlisted: int
    command: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """It in lines for a terminal."""
        yield f"{self.rows} samples for {self.model}; {self.shortened} with a list of elements that was cut"
        if self.unlisted:
            yield (
                f"{self.unlisted} say nothing of what is on the screen: their data has no lists of elements "
                "(omnipilot make export --detact writes them)"
            )
        yield "from the paper (§6): " + ", ".join(f"{name} {value}" for name, value in PAPER.items())
        yield "ours, as the paper names none: " + ", ".join(f"{name} {value}" for name, value in OURS.items())
        yield shlex.join(self.command)
        yield "it needs a GPU and the packages trl, peft and bitsandbytes; it was written here, and not run"


def prepare(data: str, out: Path, model: str) -> FineTuning:
    """Write the samples of the training split to `samples/train.jsonl`, and the recipe to `recipe.json`.

    A sample has a `prompt`, the list of elements that the data's own files name and the task, and a `completion`, the
    recorded script.

    Raises:
        ConfigError: there is no training split, or none of its tasks can be used.
    """
    tasks = load(unpack(Source.open(data, GET)), "train").items
    if not tasks:
        raise ConfigError(f"{data}: its training split holds no task that can be used. {GET}")
    samples = out / "samples"
    samples.mkdir(parents=True, exist_ok=True)
    shortened = unlisted = 0
    with (samples / "train.jsonl").open("w", encoding="utf-8") as file:
        for task in tasks:
            prompt, cut = prompt_of(task)
            shortened += cut
            unlisted += not isinstance(elements(task), Elements)
            file.write(json.dumps({"prompt": prompt, "completion": task.script}, ensure_ascii=False) + "\n")
    command = (
        "trl",
        "sft",
        "--model_name_or_path",
        model,
        "--dataset_name",
        str(samples),
        "--output_dir",
        str(out / "adapter"),
        *(word for name, value in {**PAPER, **OURS}.items() for word in (f"--{name}", str(value).lower())),
    )
    recipe = {"model": model, "samples": len(tasks), "paper": PAPER, "ours": OURS, "command": command}
    (out / "recipe.json").write_text(json.dumps(recipe, indent=1) + "\n", encoding="utf-8")
    return FineTuning(model, len(tasks), shortened, unlisted, command)


def prompt_of(task: ScriptTask) -> tuple[str, bool]:
    """What the model is given for a task, and whether its list of elements was cut."""
    listed = elements(task)
    lines: list[str] = []
    left, cut = MOST_TOKENS, False
    for one in listed.items if isinstance(listed, Elements) else ():
        x, y = (round(value) for value in one.box.center.to_pixels(task.size))
        line = f"{one.role} {json.dumps(one.name, ensure_ascii=False)} at {x},{y}"
        left -= estimate_tokens(line)
        if left < 0:
            cut = True
            break
        lines.append(line)
    size = f"{task.size.width}x{task.size.height}"
    head = ["Elements of the screen of " + size + " pixels:", *lines] if lines else [f"A screen of {size} pixels."]
    return "\n".join([*head, f"Task: {task.instruction}", "Script:", ""]), cut


def train(command: Sequence[str]) -> None:
    """Run the training.

    Raises:
        ConfigError: there is no GPU, or the training failed.
        MissingExtra: TRL is not installed.
    """
    if shutil.which("nvidia-smi") is None:
        raise ConfigError("QLoRA needs a GPU, and this machine has none; --dry-run writes the samples and the command")
    check_installed("trl", "trl", "peft", "bitsandbytes")
    if status := subprocess.run(command, check=False).returncode:
        raise ConfigError(f"the training ended with status {status}: {shlex.join(command)}")
