"""Families based on MiniCPM-V: they slice the screenshot themselves and answer in thousandths."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import AsIs
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.internvl import TRUSTED
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen2 import KEEP_TOKENS
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.resize import Longest
from omnipilot.grounders.families.syntax import Json, Syntax, Tag
from omnipilot.memory.models import Sampling

MINICPM = Family(
    name="minicpm-v",
    models=(
        "openbmb/MiniCPM-V-4_5",
        "openbmb/MiniCPM-V-4",
        "openbmb/MiniCPM-V-2_6",
        "openbmb/MiniCPM-o-4_5",
        "openbmb/MiniCPM-o-2_6",
        "openbmb/MiniCPM-V-4_6",
    ),
    base="minicpmv",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax("<box>{x} {y} {x} {y}</box>", (Tag(),)),
    layout=PromptLayout(
        (
            IMAGE,
            "Where on this screenshot is: {description}\nAnswer only with its bounding box in the format "
            "<box>x1 y1 x2 y2</box>, from 0 to 1000.",
        ),
        ours=True,
    ),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=replace(TRUSTED, note="MiniCPM-V 4.6 wants vllm 0.22"),
    evidence="third-party",
    source="ScreenSpot-Pro (bd8bbbb), whose own question names the edges in the wrong order",
    note="corners are separated by spaces",
)

AGENT_CPM = Family(
    name="agentcpm-gui",
    models=("openbmb/AgentCPM-GUI",),
    base="minicpmv",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=Longest(1120),
    syntax=Syntax(
        '{"thought":"It is there.","POINT":[{x},{y}]}',
        (Json(),),
        rule=ReadingRule(
            "AgentCPM-GUI eval/grounding_eval/code/minicpm/text2bbox_eval_minicpm.py, acbaf50",
            four="first corner",
            pairs="refuse",
        ),
    ),
    layout=PromptLayout(
        ("{description}", IMAGE),
        system=TEMPLATE,
        needs="its Chinese system prompt with the JSON schema of eval/utils/schema/schema.json (the AgentCPM-GUI "
        "repository)",
    ),
    sampling=Sampling(temperature=0.1, top_p=0.3, max_tokens=512),
    serving=TRUSTED,
    evidence="code",
    source="AgentCPM-GUI (acbaf50)",
    note='{"STATUS": "impossible"} is a refusal; sampled as published, not greedily',
)

FAMILIES = (MINICPM, AGENT_CPM)
