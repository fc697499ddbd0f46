"""Families on Qwen2.5-VL that answer in code: OpenCUA and ScaleCUA."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types.resize import AsIs, Smart
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, Layout
from omnipilot.grounders.families.qwen2 import AGUVIS_SYSTEM
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.grounders.families.syntax_calls import XY, Positional, Tag
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import Region

CODE = Region(after=("## Code",))

OPENCUA = Family(
    name="opencua",
    models=("xlangai/OpenCUA-7B", "xlangai/OpenCUA-32B", "xlangai/OpenCUA-72B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=Smart(),
    syntax=Syntax("```python\npyautogui.click(x={x}, y={y})\n```", (XY(), Positional()), CODE),
    layout=Layout((IMAGE, "{description}"), system=AGUVIS_SYSTEM),
    sampling=Sampling(max_tokens=256),
    serving=Serving("0.12.0", ("--trust-remote-code",), "needs vLLM with native support (PR #29068)"),
    evidence="code",
    source="OpenCUA model/README.md (1d70f20)",
    note="not a stock Qwen2.5-VL: one-dimensional RoPE, Kimi's tokenizer and template",
)

OPENCUA_SHARES = replace(
    OPENCUA,
    name="opencua-norm1",
    models=("xlangai/OpenCUA-Qwen2-7B", "xlangai/OpenCUA-A3B"),
    base="qwen2vl, kimivl",
    space="norm1",
    resize=AsIs(),
    syntax=replace(OPENCUA.syntax, digits=3),
    source="OpenCUA#22, OpenCUA#46 and model/README.md (1d70f20)",
    note="answers in shares of the sides, unlike its siblings",
)

SCALECUA = Family(
    name="scalecua",
    models=("OpenGVLab/ScaleCUA-7B", "OpenGVLab/ScaleCUA-3B", "OpenGVLab/ScaleCUA-32B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=Smart(28, 3136, 2_007_040),
    syntax=Syntax("<action>\nclick(x={x}, y={y})\n</action>", (Tag(), XY(), Positional()), Region(inside=("action",))),
    layout=Layout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="sys_prompt_grounding of config/prompt_template/ours_web.json in the ScaleCUA repository",
    ),
    sampling=Sampling(max_tokens=512),
    serving=Serving("0.8.5"),
    evidence="code",
    source="ScaleCUA evaluation/WebArenaLiteV2 (5d92fee)",
    note="its own file says max_pixels 2,109,744, but the key is misspelled: 2,007,040 is what it was measured with",
)

FAMILIES = (OPENCUA, OPENCUA_SHARES, SCALECUA)
