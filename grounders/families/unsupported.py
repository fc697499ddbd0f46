"""Known model families that are not supported here, and why."""

from __future__ import annotations

from omnipilot.envs import ConfigError

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
    "holo3": (
        ("Hcompany/Holo3", "Hcompany/Holo3.1"),
        "nobody has published how it is asked; try --family holo2 and omnipilot calibrate",
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
    wanted = name.lower().rsplit("/", 1)[-1]
    for family, (models, why) in ELSEWHERE.items():
        if wanted == family or wanted in (id.lower().rsplit("/", 1)[-1] for id in models):
            raise ConfigError(f"{name!r} is known but not supported: {why}")
