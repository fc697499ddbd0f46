"""Families on Qwen3-VL and Qwen-Omni that answer a small JSON object, in thousandths."""

from __future__ import annotations

import json

from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, Layout
from omnipilot.grounders.families.qwen3 import BUDGET, QWEN3_SERVING
from omnipilot.grounders.families.qwen25_holo import HOLO_TEXT
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.grounders.families.syntax_json import Json
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import Region

XY_SCHEMA = {
    "type": "object",
    "properties": {axis: {"type": "integer", "minimum": 0, "maximum": 1000} for axis in ("x", "y")},
    "required": ["x", "y"],
    "additionalProperties": False,
}

HOLO2 = Family(
    name="holo2",
    models=("Hcompany/Holo2-8B", "Hcompany/Holo2-4B", "Hcompany/Holo2-30B-A3B"),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax('{"x": {x}, "y": {y}}', (Json(),)),
    layout=Layout((IMAGE, HOLO_TEXT.replace("{schema}", json.dumps(XY_SCHEMA)))),
    sampling=Sampling(extra_body={"chat_template_kwargs": {"thinking": False}}),
    schema=XY_SCHEMA,
    serving=QWEN3_SERVING,
    evidence="code",
    source="hai-cookbook (2ba8961)",
    note="the words around the schema are the authors'; the schema's own text is ours",
)

MAI_UI = Family(
    name="mai-ui",
    models=("Tongyi-MAI/MAI-UI-8B", "Tongyi-MAI/MAI-UI-2B", "Tongyi-MAI/MAI-UI-32B"),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax(
        '<grounding_think>It is there.</grounding_think>\n<answer>\n{"coordinate":[{x},{y}]}\n</answer>',
        (Json(),),
        Region(inside=("answer",), last=True),
    ),
    layout=Layout(
        ("{description}\n", IMAGE),
        system=TEMPLATE,
        needs="MAI_MOBILE_SYS_PROMPT_GROUNDING of src/prompt.py in the MAI-UI repository",
    ),
    sampling=Sampling(max_tokens=1024),
    serving=QWEN3_SERVING,
    evidence="logs",
    source="MAI-UI src/ (4dd07b9) and 3,981 logged answers",
    note="its code divides by 999, its evaluation by 1000; the logs agree with 1000",
)

QWEN_OMNI = Family(
    name="qwen-omni",
    models=("Qwen/Qwen3-Omni-30B-A3B-Instruct", "Qwen/Qwen2.5-Omni-7B", "Qwen/Qwen2.5-Omni-3B"),
    base="qwen-omni",
    backends=("vllm",),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax('{"point_2d": [{x}, {y}]}', (Json(),)),
    layout=Layout(
        (
            IMAGE,
            "Where on this screenshot is: {description}\nAnswer only with JSON: "
            '{"point_2d": [x, y]}, its middle, both from 0 to 1000: thousandths of the width and of the height.',
        ),
        ours=True,
    ),
    sampling=Sampling(max_tokens=128),
    serving=Serving("0.11.0", note="vLLM serves the thinker, which answers text"),
    evidence="unverified",
    source="spaces of Qwen3-VL, taken over",
    note="run omnipilot calibrate before trusting it",
)

FAMILIES = (HOLO2, MAI_UI, QWEN_OMNI)
