"""Known model families that are not supported here, and why."""

from __future__ import annotations

from omnipilot.envs import ConfigError
from omnipilot.memory.models.model_names import base_model_name

ELSEWHERE: dict[str, tuple[tuple[str, ...], str]] = {
    "gui-actor": (
        tuple(
            f"microsoft/GUI-Actor-{kind}" for kind in ("2B-Qwen2-VL", "7B-Qwen2-VL", "3B-Qwen2.5-VL", "7B-Qwen2.5-VL")
        ),
        "it points by the attention of a head of its own over image patches and answers no text, which needs its "
        "authors' model class; choose a family that answers text (omnipilot list grounders)",
    ),
    "uground-llava": (
        ("osunlp/UGround",),
        "the first UGround answers in pixels of an image 1344 wide, unlike UGround-V1; take osunlp/UGround-V1-7B",
    ),
    "phi-ground": (
        ("microsoft/Phi-Ground", "microsoft/Phi-Ground-Any"),
        "it is shown the screenshot in the corner of a white canvas of a size of its own (1008x672, Phi-Ground "
        "README.md, 3956408), which no backend here paints",
    ),
    "omniparser": (
        ("microsoft/OmniParser-v2.0", "microsoft/OmniParser"),
        "it marks elements and does not point: see the section on marks in docs/grounders.md",
    ),
}
"""Known but unsupported families: their models, and the reason."""


def refuse_elsewhere(name: str) -> None:
    """Refuse a known but unsupported model or family, with the reason.

    Raises:
        ConfigError: it is in `ELSEWHERE`.
    """
    said = {form.lower().rsplit("/", 1)[-1] for form in (name, base_model_name(name))}
    for family, (models, why) in ELSEWHERE.items():
        if said & {family, *(id.lower().rsplit("/", 1)[-1] for id in models)}:
            raise ConfigError(f"{name!r} is known but not supported: {why}")
