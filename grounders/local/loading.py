"""Loading a model, its tokenizer and its image processor from a folder or the hub onto a device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_installed, read_text, require
from omnipilot.memory.model_folder import read_model_file
from omnipilot.memory.safetensors_file import damaged_file_error, stored_arrays

EXTRA = "local"
DTYPES = ("auto", "float32", "float16", "bfloat16")
GRIDS = frozenset({"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe"})
"""Model types that split an image of any size into a grid of patches, so that it is seen at the size it is sent."""


@dataclass(frozen=True, slots=True)
class ModelSource:
    """Which model to load, and onto which device; equal sources share one model.

    Attributes:
        model: a folder, or a hub id.
        revision: branch, tag or commit on the hub; "" is its default branch.
        device: "auto", "cpu", "cuda", "cuda:1", "mps", …; "auto" is the first GPU if there is one.
        dtype: one of `DTYPES`; "auto" is float32 on a CPU, otherwise `preferred` or the checkpoint's own.
        trust: whether the checkpoint's own Python code may run.
        preferred: the precision its authors serve it with, if they say so.
    """

    model: str
    revision: str = ""
    device: str = "auto"
    dtype: str = "auto"
    trust: bool = False
    preferred: str = ""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready to answer.

    Attributes:
        model: of transformers, in evaluation mode on its device.
        tokenizer: pads on the left, so that every row of a batch ends where its answer starts.
        images: the image processor if `grid`, else the whole processor.
        grid: whether the model type is in `GRIDS`.
        device: the device it is on, such as "cuda:0".
        ends: tokens that end a turn.
    """

    model: Any
    tokenizer: Any
    images: Any
    grid: bool
    device: str
    ends: frozenset[int]


def present() -> None:
    """Check that torch and transformers are installed, without importing them.

    Raises:
        MissingExtra: one is not.
    """
    check_installed(EXTRA, "torch", "transformers")


def load(source: ModelSource) -> LoadedModel:
    """Load everything from disk or the hub, and move it to the device.

    Raises:
        ConfigError: unknown device, dtype or model; the model cannot run in process; or out of memory.
        MissingExtra: torch or transformers is not installed.
    """
    torch: Any = require("torch", EXTRA)
    hub: Any = require("transformers", EXTRA)
    device = choose_device(source.device, torch)
    if (folder := Path(source.model).expanduser()).is_dir():
        check_folder(folder)
    origin = {"trust_remote_code": source.trust, **({"revision": source.revision} if source.revision else {})}
    try:
        kind = hub.AutoConfig.from_pretrained(source.model, **origin).model_type
        tokenizer = hub.AutoTokenizer.from_pretrained(source.model, padding_side="left", **origin)
        if grid := kind in GRIDS:
            # The whole processor includes one for video, which needs torchvision.
            images = hub.AutoImageProcessor.from_pretrained(source.model, **origin)
        else:
            images = hub.AutoProcessor.from_pretrained(source.model, **origin)
            tokenizer = getattr(images, "tokenizer", tokenizer)
            tokenizer.padding_side = "left"
        model = hub.AutoModelForImageTextToText.from_pretrained(
            source.model, dtype=choose_dtype(source, device, torch), **origin
        )
        model = model.to(device).eval()
        check_finite(model, source.model)
    except ConfigError:
        raise
    except torch.OutOfMemoryError as error:
        raise ConfigError(
            f"{source.model}: not enough memory on {device}; use another device, dtype=float16, or a smaller model"
        ) from error
    except Exception as error:
        # What transformers raises on a broken folder depends on the model: KeyError, TypeError, errors of safetensors.
        raise ConfigError(f"cannot load {source.model!r} with transformers {hub.__version__}: {cure(error)}") from error
    if getattr(tokenizer, "chat_template", None) is None:
        tokenizer.chat_template = template(source, hub)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return LoadedModel(model, tokenizer, images, grid, device, frozenset(turn_ends(model, tokenizer)))


def check_folder(folder: Path) -> None:
    """Check the files of a model's folder that would be read without end, or are no JSON or no weights.

    Raises:
        ConfigError: one is broken; the message names it.
    """
    for path in sorted((*folder.glob("*.json"), *folder.glob("*.safetensors"))):
        if path.suffix == ".safetensors":
            stored_arrays(path)
        elif not isinstance(read_model_file(path, parse_json), dict) and path.name == "config.json":
            raise damaged_file_error(path, "it is no JSON object")


def check_finite(model: Any, name: str) -> None:
    """Check that no weight of a loaded model is infinite or none: it would answer, and always wrongly.

    Raises:
        ConfigError: one is.
    """
    for weight, values in model.named_parameters():
        # Types of one byte have no test for it.
        if values.is_floating_point() and values.element_size() > 1 and not bool(values.isfinite().all()):
            raise ConfigError(f"{name}: {weight} holds numbers that are infinite or none (NaN); fetch the model anew")


def choose_device(asked: str, torch: Any) -> str:
    """Resolve "auto" or a name to a device.

    Raises:
        ConfigError: the device is unknown or not available.
    """
    if asked == "auto":
        return "cuda:0" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=asked)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        here = ["auto", "cpu", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
        raise ConfigError(f"device {asked!r} is not available; choose from {', '.join(here)}") from error
    return asked


def precision(source: ModelSource) -> str:
    """The precision that `dtype="auto"` means on this machine, as an answer depends on it; "" if it is named.

    Raises:
        ConfigError: the device is unknown. MissingExtra: torch is not installed.
    """
    if source.dtype != "auto":
        return ""
    device = choose_device(source.device, require("torch", EXTRA))
    return "float32" if device == "cpu" else source.preferred or "the checkpoint's"


def choose_dtype(source: ModelSource, device: str, torch: Any) -> Any:
    """The dtype argument of `from_pretrained` for a source."""
    asked = source.dtype
    if asked == "auto":
        asked = "float32" if device == "cpu" else source.preferred or "auto"
    return asked if asked == "auto" else getattr(torch, asked)


def template(source: ModelSource, hub: Any) -> str:
    """The chat template, which older checkpoints keep in a separate file.

    Raises:
        ConfigError: there is none.
    """
    origin = {"revision": source.revision} if source.revision else {}
    path = hub.utils.cached_file(
        source.model, "chat_template.json", _raise_exceptions_for_missing_entries=False, **origin
    )
    if path is None:
        raise ConfigError(f"{source.model!r} has no chat template; add the file chat_template.jinja to its folder")
    try:
        return str(parse_json(read_text(path))["chat_template"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} holds no chat template ({error!r}); fetch the model anew") from None


def turn_ends(model: Any, tokenizer: Any) -> set[int]:
    """Tokens that end a turn, by the model's own generation settings and its tokenizer."""
    listed = getattr(model, "generation_config", None) and model.generation_config.eos_token_id
    found = listed if isinstance(listed, list) else [listed]
    return {token for token in (*found, tokenizer.eos_token_id) if token is not None}


def cure(error: Exception) -> str:
    """Why loading failed, in one line, and how to fix it."""
    plain = isinstance(error, OSError | ValueError | ImportError)
    said = " ".join((str(error) if plain else repr(error)).split())
    if "trust_remote_code" in said:
        return "it brings Python code of its own; serve it with vLLM, or see the option trust_remote_code"
    if "torchvision" in said.casefold():
        return f"its image processor needs torchvision (pip install torchvision); {said}"
    return said


def plain(text: str, tokenizer: Any) -> str:
    """Text without the model's control tokens, so that text from a page cannot act as one."""
    added: Mapping[str, int] = tokenizer.get_added_vocab()
    for token in sorted({*tokenizer.all_special_tokens, *added}, key=len, reverse=True):
        if len(token) > 1 and not token.isspace() and token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text
