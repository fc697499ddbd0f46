"""Models that users ask for: what points with them, what acts with them, and the page says why where nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.envs import ConfigError
from omnipilot.grounders.families import find as find_pointing
from omnipilot.planners.native.families.table import find as find_acting

PAGE = (Path(__file__).resolve().parents[2] / "docs/families.md").read_text(encoding="utf-8")

MODELS = (
    ("Hcompany/Holo1-7B", "holo1", "holo1"),
    ("Hcompany/Holo1.5-7B", "holo1.5", "not read"),
    ("Hcompany/Holo3-35B-A3B", "holo3", "not read"),
    ("Hcompany/Holo-3.1-4B", "holo3", "not read"),
    ("microsoft/Fara1.5-9B", "fara-1.5", "fara-1.5"),
    ("meituan/EvoCUA-32B-20260105", "evocua", "evocua"),
    ("moonshotai/Kimi-K2.5", "not supported", "kimi-k2.5"),
    ("moonshotai/Kimi-K3", "not supported", "not read"),
    ("mPLUG/GUI-Owl-1.5-8B-Think", "gui-owl-1.5-thinking", "qwen3-vl"),
    ("zai-org/AutoGLM-Phone-9B", "not supported", "autoglm"),
    ("stepfun-ai/GELab-Zero-4B-preview", "not supported", "gelab-zero"),
    ("stepfun-ai/Step-GUI-8B", "not supported", "not read"),
    ("ServiceNow/GroundNext-7B-V0", "groundnext", ""),
    ("XinBB/SE-GUI-7B", "se-gui", ""),
    ("InfiX-ai/InfiGUI-G1-7B", "infigui-g1", ""),
    ("InfiX-ai/InfiGUI-R1-3B", "infigui-r1", ""),
    ("inclusionAI/GUI-G2-7B", "gui-g2", ""),
    ("LZXzju/Qwen2.5-VL-3B-UI-R1", "ui-r1", ""),
    ("ritzzai/GUI-R1", "gui-r1", ""),
    ("KDEGroup/UI-AGILE", "ui-agile", ""),
    ("zonghanHZH/ZonUI-3B", "zonui", ""),
    ("microsoft/Phi-Ground", "not supported", ""),
    ("gemini/gemini-3.5-flash", "gemini", "gemini-3.5"),
    ("gemini/gemini-3-flash-preview", "gemini", "gemini"),
    ("gemini/gemini-3.1-pro-preview", "gemini", "gemini"),
    ("anthropic/claude-opus-4-6", "claude", "claude"),
    ("anthropic/claude-sonnet-4-6", "claude", "claude"),
    ("anthropic/claude-haiku-4-5", "claude", "claude"),
    ("openai/gpt-5", "openai", "openai"),
    ("openai/gpt-5.5", "openai", "openai"),
    ("Qwen/Qwen3.5-4B", "qwen3.5", "qwen3.5"),
    ("Qwen/Qwen3.5-122B-A10B", "qwen3.5", "qwen3.5"),
    ("Qwen/Qwen3.6-27B", "qwen3.5", "qwen3.5"),
    ("Qwen/Qwen3.6-35B-A3B", "qwen3.5", "qwen3.5"),
    ("doubao-seed-1-8", "ui-tars-2", "ui-tars-2"),
)
"""Ids, the family that points, and the family that acts: a name, "" for none, or how the refusal begins its reason."""


@pytest.mark.parametrize(("model", "points", "acts"), MODELS)
def test_a_model_has_a_family_or_a_reason(model: str, points: str, acts: str) -> None:
    assert points or acts
    for find, family in ((find_pointing, points), (find_acting, acts)):
        if family in ("not read", "not supported"):
            with pytest.raises(ConfigError, match=family) as refused:
                find(model)
            reason = str(refused.value).split(": ", 1)[1]
            assert reason in PAGE
        elif family:
            assert find(model).name == family
            assert f"| `{family}` |" in PAGE
