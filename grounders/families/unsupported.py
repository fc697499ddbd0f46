"""Known model families that are not supported here, and why."""

from __future__ import annotations

from omnipilot.envs import ConfigError
from omnipilot.envs.types import documentation_page
from omnipilot.memory.models.model_names import same_model

ACTS = (
    "it decides and points in one reply, and its authors show no question for a place alone; choose it as the planner "
    "(native)"
)
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
    "kimi-k2.5": (("moonshotai/Kimi-K2.5",), ACTS),
    "kimi-k3": (
        ("moonshotai/Kimi-K3",),
        "no code that points with it was found; its predecessor, moonshotai/Kimi-K2.5, is a planner (native)",
    ),
    "autoglm": (("zai-org/AutoGLM-Phone-9B", "zai-org/AutoGLM-Phone-9B-Multilingual"), ACTS),
    "gelab-zero": (("stepfun-ai/GELab-Zero-4B-preview",), ACTS),
    "step-gui": (
        ("stepfun-ai/Step-GUI-8B",),
        "no code that points with it was found; its authors' open model, stepfun-ai/GELab-Zero-4B-preview, is a "
        "planner (native)",
    ),
    "omniparser": (
        ("microsoft/OmniParser-v2.0", "microsoft/OmniParser"),
        f"it marks elements and does not point: see the section on marks in {documentation_page('grounders')}",
    ),
}
"""Known but unsupported families: their models, and the reason."""


def refuse_elsewhere(name: str) -> None:
    """Refuse a known but unsupported model or family, with the reason.

    Raises:
        ConfigError: it is in `ELSEWHERE`.
    """
    for family, (models, why) in ELSEWHERE.items():
        if any(same_model(name, known) for known in (family, *models)):
            raise ConfigError(f"{name!r} is known but not supported: {why}")
