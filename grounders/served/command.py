"""Builds the `vllm serve` command of a model family: media limits, pixel budget, context length, number of GPUs."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import dataclass

from omnipilot.envs import ConfigError
from omnipilot.envs.types import SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.table import find, model_id, weights_of
from omnipilot.memory.models.evidence import ASKED

WORDS = 2048
"""Tokens of the context that are kept for a prompt's words and the answer."""
AUDIO, VIDEO = 2048, 8192
"""Tokens for each sound and each video that a prompt may hold, where the model takes them."""
CONTEXT = 32768
"""The context is never asked to be longer than this by itself: every Qwen-VL base has as much."""


@dataclass(frozen=True, slots=True)
class Launch:
    """Settings of a server to start.

    Attributes:
        model: id or folder of the model. family: how it is asked.
        host, port: where it listens.
        gpus: GPUs that share one copy of the model. replicas: copies, each on so many GPUs.
        ray: GPUs are those of a Ray cluster, not only of this machine.
        images, audios, videos: most of them in one prompt; None for what the family's questions hold.
        context: tokens a prompt with its answer may have; 0 for what the pixel budget needs, or what the model has
            where its family has no such budget.
        served_name: the name by which clients ask for it; "" for its id.
        key_env: environment variable with the key that clients must send; "" for none.
        program: the command `vllm`, or the path to it.
        extra: further arguments, as they are; they come before ours of the same name.

    Raises:
        ConfigError: vLLM does not serve the family (the message says what does), or a number makes no sense.
    """

    model: str
    family: Family
    host: str = "127.0.0.1"
    port: int = 8000
    gpus: int = 1
    replicas: int = 1
    ray: bool = False
    images: int | None = None
    audios: int = 0
    videos: int = 0
    context: int = 0
    served_name: str = ""
    key_env: str = ""
    program: str = "vllm"
    extra: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not {"vllm", "completions"} & set(self.family.backends):
            raise ConfigError(f"vLLM does not serve the family {self.family.name}; {_instead(self.family)}")
        if min(self.gpus, self.replicas) < 1 or not 0 < self.port < 65536:
            raise ConfigError("gpus and replicas are 1 or more, a port is 1..65535")
        if min(self.images or 0, self.audios, self.videos, self.context) < 0:
            raise ConfigError("images, audios, videos and context are 0 or more")

    @property
    def url(self) -> str:
        """Base URL for clients on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"http://{host}:{self.port}/v1"

    @property
    def name(self) -> str:
        """The model name for clients."""
        return self.served_name or self.model

    def argv(self) -> list[str]:
        """The command as a list of arguments."""
        given = {_flag(word) for word in self.extra if word.startswith("-")}
        ours = [words for words in self._options() if _flag(words[0]) not in given]
        return [self.program, "serve", self.model, *(word for words in ours for word in words), *self.extra]

    def shell(self) -> str:
        """The command for a shell, one option per line."""
        options = _paired(tuple(self.argv()[3:]))
        key = f'VLLM_API_KEY="${self.key_env}" ' if self.key_env else ""
        lines = [
            key + shlex.join([self.program, "serve", self.model]),
            *("  " + shlex.join(words) for words in options),
        ]
        return " \\\n".join(lines)

    def remarks(self) -> list[str]:
        """Notes for the person who starts it."""
        family, told = self.family, []
        if family.serving.min_vllm:
            told.append(f"{family.name} needs vLLM {family.serving.min_vllm} or later")
        if family.serving.note:
            told.append(family.serving.note)
        told.append(f"how {family.name} is asked and read: {family.proof}; {ASKED}")
        if family.evidence == "unverified":
            told.append(f"nobody has verified how {family.name} is asked; trust it once `omnipilot calibrate` passes")
        return told

    def _options(self) -> list[tuple[str, ...]]:
        images = self.family.serving.images if self.images is None else self.images
        limits = {"image": images, "audio": self.audios, "video": self.videos}
        options: dict[str, tuple[str, ...]] = {
            "--host": (self.host,),
            "--port": (str(self.port),),
            "--limit-mm-per-prompt": (_json(limits),),
        }
        resize = self.family.resize
        if isinstance(resize, SmartResize):
            budget = {"min_pixels": resize.min_pixels, "max_pixels": resize.max_pixels}
            options["--mm-processor-kwargs"] = (_json(budget),)
        if context := self.context or self._context(images):
            options["--max-model-len"] = (str(context),)
        for flag, *values in _paired(self.family.serving.args):
            options[flag] = tuple(values)
        if self.gpus > 1:
            options["--tensor-parallel-size"] = (str(self.gpus),)
            options["--mm-encoder-tp-mode"] = ("data",)
        if self.replicas > 1:
            options["--data-parallel-size"] = (str(self.replicas),)
        if self.ray:
            options["--distributed-executor-backend"] = ("ray",)
            if self.replicas > 1:
                options["--data-parallel-backend"] = ("ray",)
        if self.served_name:
            options["--served-model-name"] = (self.served_name,)
        return [(flag, *values) for flag, values in options.items()]

    def _context(self, images: int) -> int:
        """Tokens that the largest images, and the words, come to; 0 where the family has no pixel budget."""
        resize = self.family.resize
        if not isinstance(resize, SmartResize):
            return 0
        seen = images * math.ceil(resize.max_pixels / resize.factor**2) + self.audios * AUDIO + self.videos * VIDEO
        whole = seen + WORDS + self.family.sampling.max_tokens
        return min(math.ceil(whole / 1024) * 1024, CONTEXT)


def launch(model: str, family: str = "", **settings: object) -> Launch:
    """The launch of a model by its id, the last part of it, or a folder with `family` named; see `Launch`.

    Raises:
        ConfigError: no family is known for it, or as `Launch` does.
    """
    folder = weights_of(model)
    if folder != model_id(model) and not settings.get("served_name"):
        settings["served_name"] = model_id(model)
    return Launch(folder, find(model, family), **settings)  # type: ignore[arg-type]


def _instead(family: Family) -> str:
    ways = []
    if "transformers" in family.backends:
        ways.append(f"run it in process: --grounder local -o grounder.model={family.models[0]}")
    if "api" in family.backends:
        ways.append(
            f"ask it where its provider serves it: --grounder vllm -o grounder.model={family.models[0]} "
            "-o grounder.url=https://… -o grounder.key_env=NAME"
        )
    return " or ".join(ways) or "it has no way to be asked here yet"


def _paired(args: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Arguments grouped as each flag with its values."""
    found: list[tuple[str, ...]] = []
    for word in args:
        if word.startswith("-") or not found:
            found.append((word,))
        else:
            found[-1] = (*found[-1], word)
    return found


_SHORT = {"-tp": "--tensor-parallel-size", "-dp": "--data-parallel-size", "-dpb": "--data-parallel-backend"}


def _flag(word: str) -> str:
    """The long name of a flag; vLLM takes `--max_model_len` and `--max-model-len=4096` too."""
    name = word.partition("=")[0].replace("_", "-")
    return _SHORT.get(name, name)


def _json(data: dict[str, int]) -> str:
    return json.dumps(data, separators=(",", ":"))
