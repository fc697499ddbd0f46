"""Vision-language models of two layers with weights, made from their configurations: folders that transformers loads.

Weights are random, or built so that the model says one text whatever it is shown: every layer is silenced, and the
head answers each token with the one that follows it in the text. The forward pass is the real one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

import tiny_qwen

Kind = Literal["qwen2_vl", "qwen2_5_vl", "qwen3_vl"]
END = tiny_qwen.ID["<|im_end|>"]
OPENING = "\n"
"""What every prompt ends with: the line that opens the assistant's turn."""


def write(folder: Path, kind: Kind, says: str = "", opening: str = OPENING, spread: float = 0.3) -> Path:
    """Write a model; `says` is what it answers to a prompt that ends with `opening`, "" leaves it random.

    Raises:
        ValueError: the text needs a character to be followed by two different ones.
    """
    import torch
    import transformers

    tiny_qwen.write(folder)
    settings = config(kind)
    torch.manual_seed(4)
    made = transformers.AutoConfig.for_model(**settings)
    model = transformers.AutoModelForImageTextToText.from_config(made).float()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.normal_(0.0, spread if "visual" not in name else 0.1)
        if says:
            teach(model, [*tokens(opening[-1:]), *tokens(says), END])
    model.save_pretrained(folder)
    if kind == "qwen3_vl":
        picture = json.loads((folder / "preprocessor_config.json").read_text())
        (folder / "preprocessor_config.json").write_text(json.dumps({**picture, "patch_size": 16}))
    return folder


def tokens(text: str) -> list[int]:
    """One token a byte and one a special token, as the tiny tokenizer has them."""
    special = "|".join(map(re.escape, tiny_qwen.SPECIAL))
    pieces = re.findall(f"{special}|.", text, re.DOTALL)
    return [
        token
        for piece in pieces
        for token in ([tiny_qwen.ID[piece]] if piece in tiny_qwen.ID else list(piece.encode()))
    ]


def teach(model: Any, sequence: list[int]) -> None:
    """Make the model write a sequence: of each token only the last one read decides the next."""
    import torch

    follows = dict(zip(sequence, sequence[1:], strict=False))
    if any(follows[one] != other for one, other in zip(sequence, sequence[1:], strict=False)):
        raise ValueError("a token is followed by two different ones")
    for name, weight in model.named_parameters():
        if "visual" not in name and name.endswith(("o_proj.weight", "down_proj.weight")):
            weight.zero_()
    known = model.get_input_embeddings().weight
    known.copy_(torch.nn.functional.normalize(torch.randn_like(known), dim=1))
    head = model.get_output_embeddings().weight
    head.zero_()
    for one, other in follows.items():
        head[other] += known[one]


def config(kind: Kind) -> dict[str, Any]:
    """As `tiny_qwen.config`, for three generations of the architecture."""
    settings = tiny_qwen.config()
    kept = {key: value for key, value in settings.items() if key.endswith("_token_id")}
    text, vision = dict(settings["text_config"]), dict(settings["vision_config"])
    text |= {"model_type": f"{kind}_text"}
    vision |= {"model_type": kind}
    if kind == "qwen2_vl":
        vision = {"depth": 2, "embed_dim": 128, "hidden_size": 256, "num_heads": 2, "patch_size": 14}
    if kind == "qwen3_vl":
        text |= {"head_dim": 64, "rope_scaling": {"rope_type": "default", "mrope_section": [12, 10, 10]}}
        vision |= {"patch_size": 16, "deepstack_visual_indexes": [0], "num_position_embeddings": 256}
        vision = {name: value for name, value in vision.items() if name not in ("window_size", "fullatt_block_indexes")}
    return {"model_type": kind, "text_config": text, "vision_config": vision, **kept, "tie_word_embeddings": False}
