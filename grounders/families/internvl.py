"""Families based on InternVL: they tile the screenshot themselves and answer in thousandths."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import AsIs
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen2 import KEEP_TOKENS, OS_ATLAS_READS
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import DoubleBrackets, Syntax, Tag
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

TRUSTED = Serving(args=("--trust-remote-code",))

INTERNVL = Family(
    name="internvl",
    models=(
        *(f"OpenGVLab/InternVL3_5-{size}" for size in ("8B", "1B", "2B", "4B", "14B", "38B", "30B-A3B", "241B-A28B")),
        *(f"OpenGVLab/InternVL3-{size}" for size in ("8B", "1B", "2B", "9B", "14B", "38B", "78B")),
        *(f"OpenGVLab/InternVL2_5-{size}" for size in ("8B", "1B", "2B", "4B", "26B", "38B", "78B")),
        *(f"OpenGVLab/InternVL2-{size}" for size in ("8B", "1B", "2B", "4B", "26B", "40B", "Llama3-76B")),
    ),
    base="internvl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax(
        "<ref>it</ref><box>[[{x}, {y}, {x}, {y}]]</box>",
        rule=ReadingRule(
            "InternVL internvl_chat/eval/refcoco/evaluate_grounding.py, 2410d1d",
            four="box centre",
            pairs="refuse",
            two="refuse",
        ),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "\nPlease provide the bounding box coordinate of the UI element this user instruction describes: "
            "<ref>{description}</ref>. Answer in the format of [[x1, y1, x2, y2]]",
        )
    ),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=TRUSTED,
    evidence="code",
    source="InternVL internvl_chat/eval/refcoco (2410d1d); ScreenSpot-Pro (bd8bbbb); InternVL#227, #285, #844",
    note="up to 12 tiles of 448 pixels and a thumbnail; of several boxes the first counts",
)

OS_ATLAS_4B = Family(
    name="os-atlas-base-4b",
    models=("OS-Copilot/OS-Atlas-Base-4B",),
    base="internvl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax("[[{x},{y}]]", (Tag(), DoubleBrackets())),
    layout=PromptLayout(
        (
            IMAGE,
            "In the screenshot of this web page, please give me the coordinates of the element I want to click on "
            'according to my instructions(with point).\n"{description}"',
        )
    ),
    serving=TRUSTED,
    evidence="code",
    source="OS-Atlas README.md (bad0840); ScreenSpot-Pro osatlas4b.py",
    note="up to 6 tiles of 448 pixels and a thumbnail; of several answers the last one counts; its repository prints "
    "the answer and reads none of it",
)

OS_ATLAS_PRO_4B = replace(
    OS_ATLAS_4B,
    name="os-atlas-pro-4b",
    models=("OS-Copilot/OS-Atlas-Pro-4B",),
    syntax=Syntax(
        "thoughts:\nclick it\nactions:\nCLICK <point>[[{x},{y}]]</point>",
        (Tag(), DoubleBrackets()),
        AnswerRegion(after=("actions:",)),
        refusals=("IMPOSSIBLE",),
        rule=OS_ATLAS_READS,
    ),
    layout=PromptLayout(
        (TEMPLATE, "Screenshot: ", IMAGE, "\nTask: {description}\nHistory: \nNone\n"),
        needs='the preamble "You are now operating in Executable Language Grounding mode…" of the OS-Atlas README.md',
    ),
    sampling=Sampling(max_tokens=256, extra_body=KEEP_TOKENS),
    source="OS-Atlas README.md (bad0840)",
    note="",
)

FAMILIES = (INTERNVL, OS_ATLAS_4B, OS_ATLAS_PRO_4B)
