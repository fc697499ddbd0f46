"""Converting conversations to the input tensors of a model in process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from omnipilot.envs import ConfigError, Image
from omnipilot.envs.types import require
from omnipilot.grounders.local.loading import EXTRA, LoadedModel
from omnipilot.memory import Message


def chat_prompt(loaded: LoadedModel, messages: Sequence[Message], settings: Mapping[str, Any]) -> str:
    """The text of a conversation in the model's own chat template, up to the start of its answer.

    A final assistant message is the beginning of the answer: its turn is left open.

    Args:
        settings: variables of the template, such as `enable_thinking`.
    """
    prefilled = messages[-1].role == "assistant"
    chat = [{"role": message.role, "content": _content(message)} for message in messages]
    writer = loaded.images if getattr(loaded.images, "chat_template", None) else loaded.tokenizer
    return str(
        writer.apply_chat_template(
            chat,
            tokenize=False,
            add_generation_prompt=not prefilled,
            continue_final_message=prefilled,
            **settings,
        )
    )


def tensors(
    loaded: LoadedModel, conversations: Sequence[Sequence[Message]], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """A left-padded batch on the model's device; images keep their size if the model supports it.

    Raises:
        ConfigError: the images do not fit the model, or its template has no place for them.
    """
    prompts = [chat_prompt(loaded, messages, settings) for messages in conversations]
    pictures = [
        [part for message in messages for part in message.parts if isinstance(part, Image)]
        for messages in conversations
    ]
    if loaded.grid:
        batch = _grid(loaded, prompts, pictures)
    else:
        shown = [[_pil(picture) for picture in own] for own in pictures]
        batch = dict(loaded.images(text=prompts, images=shown, padding=True, return_tensors="pt"))
    return {name: _moved(value, loaded) for name, value in batch.items()}


def _grid(loaded: LoadedModel, prompts: list[str], pictures: list[list[Image]]) -> dict[str, Any]:
    """Inputs with one placeholder per merged patch, as the processors of the Qwen-VL models write them."""
    torch: Any = require("torch", EXTRA)
    processor, config = loaded.images, loaded.model.config
    unit = processor.patch_size * processor.merge_size
    flat = list(chain.from_iterable(pictures))
    for picture in flat:
        if picture.size.width % unit or picture.size.height % unit:
            raise ConfigError(
                f"this model needs sides in multiples of {unit} pixels, but its family sends {picture.size}: "
                "set the model's own family (--family)"
            )
    counts = iter([picture.size.pixels // unit**2 for picture in flat])
    token = loaded.tokenizer.convert_ids_to_tokens(config.image_token_id)
    texts = [fill_placeholders(text, token, len(own), counts) for text, own in zip(prompts, pictures, strict=True)]
    batch = dict(loaded.tokenizer(texts, padding=True, add_special_tokens=False, return_tensors="pt"))
    batch["mm_token_type_ids"] = (batch["input_ids"] == config.image_token_id).long()
    if flat:
        seen, grids = zip(*(image_patches(picture, processor, loaded.device) for picture in flat), strict=True)
        batch |= {"pixel_values": torch.cat(seen), "image_grid_thw": torch.tensor(grids)}
    return batch


def fill_placeholders(text: str, token: str, pictures: int, counts: Any) -> str:
    """A prompt with as many placeholders for each image as it has merged patches.

    Args:
        text: a prompt with one placeholder for each image. token: the placeholder, such as "<|image_pad|>".
        pictures: number of images. counts: an iterator over the merged patches of each image, in order.

    Raises:
        ConfigError: the prompt has another number of placeholders.
    """
    pieces = text.split(token)
    if len(pieces) != pictures + 1:
        raise ConfigError(f"the model's chat template has {len(pieces) - 1} placeholders for {pictures} images")
    return pieces[0] + "".join(token * next(counts) + piece for piece in pieces[1:])


def _moved(value: Any, loaded: LoadedModel) -> Any:
    """The value on the model's device, with floating-point numbers in its precision."""
    if not hasattr(value, "is_floating_point"):
        return value
    return value.to(loaded.device, loaded.model.dtype) if value.is_floating_point() else value.to(loaded.device)


def _content(message: Message) -> str | list[dict[str, str]]:
    if len(message.parts) == 1 and isinstance(message.parts[0], str):
        # Many models' templates accept only plain text in system and assistant messages.
        return message.parts[0]
    return [_block(part) for part in message.parts]


def _block(part: Any) -> dict[str, str]:
    if isinstance(part, Image):
        return {"type": "image"}
    if isinstance(part, str):
        return {"type": "text", "text": part}
    raise ConfigError(f"a model in process takes text and images, not {type(part).__name__}; use a server for it")


def _pil(image: Image) -> Any:
    from PIL import Image as pil

    return pil.fromarray(image.array())


def image_patches(image: Image, processor: Any, device: str) -> tuple[Any, list[int]]:
    """The output of the model's image processor, without resizing, for an image whose sides are whole patches.

    Pixels are transferred as bytes and converted to floats on the device; transformers' processor works on the
    host and transfers four times as much.

    Args:
        processor: of transformers; provides sizes and means.

    Returns:
        float32 of shape (patches, channels x frames x side x side), an image counting as `temporal_patch_size` equal
        frames, with the patches to be merged adjacent; and (frames, rows, columns) of the patches.

    Source: `patchify` of Qwen2VLImageProcessor in transformers.
    """
    torch: Any = require("torch", EXTRA)
    side, merge, frames = processor.patch_size, processor.merge_size, processor.temporal_patch_size
    mean, deviation = (
        torch.tensor(values, device=device)[:, None, None] / processor.rescale_factor
        for values in (processor.image_mean, processor.image_std)
    )
    pixels = torch.from_numpy(image.array().copy()).to(device).permute(2, 0, 1)
    numbers = (pixels - mean) / deviation
    rows, columns = image.size.height // side, image.size.width // side
    cut = numbers.reshape(3, rows // merge, merge, side, columns // merge, merge, side).permute(1, 4, 2, 5, 0, 3, 6)
    twice = cut.unsqueeze(5).expand(*cut.shape[:5], frames, side, side)
    return twice.reshape(rows * columns, -1), [1, rows, columns]
