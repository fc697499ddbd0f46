"""Hosted models as grounders, called through an endpoint with the OpenAI chat protocol.

A provider with its own protocol needs a gateway in between. A computer-use tool's arguments are
parsed like a reply. Unless `source` cites somebody, the prompts are ours.
"""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import AsIs
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, PromptLayout
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.resize import Claude, Fixed, Longest
from omnipilot.grounders.families.syntax import Argument, Json, Syntax, Tag, WithoutBrackets, Xml
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

PIXELS = (
    "This screenshot is {width} pixels wide and {height} pixels high. Where on it is: {description}\nAnswer only with "
    'JSON: {"coordinate": [x, y]}, the pixel in its middle, counted from the upper left corner. '
    "If it is not there, answer: not found"
)
THOUSANDTHS = (
    "Where on this screenshot is: {description}\nAnswer only with JSON: "
    '{"coordinate": [x, y]}, its middle, both numbers from 0 to 1000: thousandths of the width and of the height. '
    "If it is not there, answer: not found"
)
COORDINATE = Syntax('{"coordinate": [{x}, {y}]}', (Json(), Xml()), refusals=("not found",))

SEED = Family(
    name="ui-tars-2",
    models=("doubao-1-5-ui-tars-250428", "doubao-1-5-ui-tars", "doubao-seed-1-8", "ui-tars-2"),
    base="seed",
    backends=("api",),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax(
        "<gui_think>It is there.</gui_think><seed:tool_call><function=click><parameter=point>"
        "<point>{x} {y}</point></parameter></function></seed:tool_call>",
        (Xml(), WithoutBrackets(), Argument(), Tag()),
        AnswerRegion(inside=("seed:tool_call",), after=("Action:",)),
        rule=ReadingRule(
            "UI-TARS-desktop multimodal/gui-agent/action-parser/src/ActionParserHelper.ts, 239b654",
            four="box centre",
            pairs="box centre",
        ),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Output only the coordinate of one point in your response, as <point>x y</point>. "
            "What element matches the following task: {description}",
        ),
        ours=True,
    ),
    sampling=Sampling(max_tokens=512),
    evidence="third-party",
    source="cua loops/uitars2.py (b296ec9); UI-TARS-desktop xmlParser.test.ts (239b654)",
    note="the weights are not public",
)

GEMINI = Family(
    name="gemini",
    models=(
        "gemini-2.5-flash",
        "gemini-2.5-pro",
        "gemini-2.5-flash-lite",
        "gemini-2.0-flash",
        "gemini-3-pro-preview",
        "gemini-3-flash-preview",
        "gemini-3-flash",
        "gemini-3.1-pro-preview",
        "gemini-3.1-pro",
        "gemini-3.5-flash",
    ),
    base="gemini",
    backends=("api",),
    space="norm1000",
    order="yx",
    resize=AsIs(),
    syntax=Syntax('[{"box_2d": [{x}, {y}, {x}, {y}], "label": "it"}]', (Json(),)),
    layout=PromptLayout(
        (
            IMAGE,
            "Return the bounding box of the following as JSON "
            '[{"box_2d": [ymin, xmin, ymax, xmax], "label": "…"}], from 0 to 1000: {description}',
        ),
        ours=True,
    ),
    sampling=Sampling(max_tokens=2048),
    evidence="issue",
    source="Agent-S#91; Gemini's documentation of image understanding",
    note="y comes first",
)

GEMINI_COMPUTER = Family(
    name="gemini-computer-use",
    models=("gemini-2.5-computer-use-preview-10-2025",),
    base="gemini",
    backends=("api",),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax(
        '{"x": {x}, "y": {y}}',
        (Json(),),
        refusals=("not found",),
        rule=ReadingRule("google-gemini/computer-use-preview agent.py, c93bb2d", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout((IMAGE, THOUSANDTHS), ours=True),
    sampling=Sampling(temperature=1.0, top_p=0.95, max_tokens=2048, extra_body={"top_k": 40}),
    evidence="code",
    source="google-gemini/computer-use-preview agent.py (c93bb2d), which divides by 1000",
    note="x comes first, unlike Gemini's boxes; the sampling is the published one",
)

CLAUDE = Family(
    name="claude",
    models=(
        "claude-sonnet-4-5",
        "claude-opus-4-5",
        "claude-haiku-4-5",
        "claude-sonnet-4-6",
        "claude-opus-4-6",
        "claude-opus-4-1",
        "claude-sonnet-4-0",
        "claude-3-7-sonnet-latest",
    ),
    base="claude",
    backends=("api",),
    space="abs_resized",
    resize=Claude(),
    syntax=replace(
        COORDINATE,
        rule=ReadingRule(
            "claude-quickstarts computer-use-demo/computer_use_demo/tools/computer.py, 370e18d",
            four="refuse",
            pairs="refuse",
        ),
    ),
    layout=PromptLayout((IMAGE, PIXELS), ours=True),
    sampling=Sampling(max_tokens=256),
    evidence="code",
    source="claude-quickstarts computer-use-demo, computer-use-best-practices image.py (370e18d)",
    note="pixels of the image as the API sees it, so it is never sent one that the API would shrink",
)

OPENAI = Family(
    name="openai",
    models=("gpt-5", "gpt-5-mini", "gpt-5.1", "gpt-5.2", "gpt-5.4", "gpt-5.5", "gpt-4.1", "gpt-4o"),
    base="openai",
    backends=("api",),
    space="norm1000",
    resize=Longest(1440, 900),
    syntax=COORDINATE,
    layout=PromptLayout((IMAGE, THOUSANDTHS), ours=True),
    sampling=Sampling(max_tokens=2048),
    evidence="third-party",
    source="midscene's measurements: thousandths are more robust than pixels",
)

OPENAI_COMPUTER = Family(
    name="openai-computer-use",
    models=("computer-use-preview",),
    base="openai",
    backends=("api",),
    space="abs_resized",
    resize=Longest(1440, 900),
    syntax=Syntax('{"type": "click", "button": "left", "x": {x}, "y": {y}}', (Json(),), refusals=("not found",)),
    layout=PromptLayout((IMAGE, PIXELS), ours=True),
    sampling=Sampling(max_tokens=2048),
    evidence="code",
    source="openai-cua-sample-app (eb2d58b)",
    note="the provider offers it by the Responses API alone: a gateway must translate",
)

YUTORI = Family(
    name="yutori-n1",
    models=("n1-latest", "yutori/n1"),
    base="yutori",
    backends=("api",),
    space="norm1000",
    resize=Fixed(1280, 800),
    syntax=COORDINATE,
    layout=PromptLayout((IMAGE, THOUSANDTHS), ours=True),
    sampling=Sampling(max_tokens=512),
    evidence="third-party",
    source="cua (b296ec9)",
    note="trained on 1280x800; its ids are unverified",
)

FAMILIES = (SEED, GEMINI, GEMINI_COMPUTER, CLAUDE, OPENAI, OPENAI_COMPUTER, YUTORI)
