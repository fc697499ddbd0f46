"""Families with other base models: CogAgent, SeeClick, Aria-UI, Kimi-VL, GLM-V, Moondream."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import AsIs
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.internvl import TRUSTED
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen2 import KEEP_TOKENS
from omnipilot.grounders.families.qwen25 import CODE
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.resize import Fixed
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import (
    XY,
    Argument,
    BoxShares,
    Corners,
    DoubleBrackets,
    Json,
    Positional,
    Syntax,
    Tag,
)
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

SEECLICK = Family(
    name="seeclick",
    models=("cckevinn/SeeClick",),
    base="qwenvl",
    backends=("transformers",),
    space="norm1",
    resize=Fixed(448, 448),
    syntax=Syntax(
        "({x},{y})",
        (Json(("click_point",)), BoxShares(1000.0), Corners()),
        digits=2,
        rule=ReadingRule(
            "SeeClick pretrain/screenspot_test.py, process_utils.py, 0ef37ac", four="box centre", pairs="box centre"
        ),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "In this UI screenshot, what is the position of the element corresponding to the command "
            '"{description}" (with point)?',
        )
    ),
    serving=Serving(note="in process, with the tokenizer of Qwen/Qwen-VL-Chat and remote code"),
    evidence="code",
    source="SeeClick (0ef37ac)",
    note="a box in tags is that of its base, Qwen-VL: thousandths, unlike its points",
)

COGAGENT = Family(
    name="cogagent",
    models=("zai-org/cogagent-9b-20241220", "THUDM/cogagent-9b-20241220"),
    base="glm4v",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=Fixed(1120, 1120),
    syntax=Syntax(
        "Action: Click on it.\nGrounded Operation: CLICK(box=[[{x},{y},{x},{y}]], element_type='it')",
        (Argument(("box",)),),
        AnswerRegion(after=("Grounded Operation:",), required=True),
        rule=ReadingRule(
            "CogAgent app/client.py, inference/cli_demo.py, 5fde01e", four="box centre", pairs="refuse", two="refuse"
        ),
    ),
    layout=PromptLayout(
        (IMAGE, "Task: {description}\nHistory steps: \n(Platform: WIN)\n(Answer in Action-Operation format.)\n")
    ),
    sampling=Sampling(max_tokens=256),
    serving=TRUSTED,
    evidence="code",
    source="CogAgent README.md, app/ (5fde01e)",
    note="it is asked as on Windows; the line is needed",
)

COGAGENT_CHAT = replace(
    COGAGENT,
    name="cogagent-chat",
    models=("zai-org/cogagent-chat-hf", "THUDM/cogagent-chat-hf"),
    base="cogvlm",
    backends=("transformers",),
    syntax=Syntax(
        "[[{x},{y},{x},{y}]]",
        (DoubleBrackets(),),
        rule=ReadingRule(
            "CogVLM utils/utils/grounding_parser.py, f7283b2", four="box centre", pairs="refuse", two="refuse"
        ),
    ),
    layout=PromptLayout((IMAGE, 'What steps do I need to take to "{description}"?(with grounding)')),
    note="the older CogAgent",
)

ARIA_UI = Family(
    name="aria-ui",
    models=("Aria-UI/Aria-UI-base",),
    base="aria",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=AsIs(),
    syntax=Syntax(
        "({x}, {y})",
        rule=ReadingRule("Aria-UI AndroidWorld/agents/m3a_aria_ui.py, 2f87eb7", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Given a GUI image, what are the relative (0-1000) pixel point coordinates for the element corresponding "
            "to the following instruction or description: {description}",
        )
    ),
    serving=Serving(args=("--trust-remote-code", "--tokenizer-mode", "slow", "--dtype", "bfloat16")),
    evidence="code",
    source="Aria-UI README.md (2f87eb7)",
)

KIMI_VL = Family(
    name="kimi-vl",
    models=(
        "moonshotai/Kimi-VL-A3B-Instruct",
        "moonshotai/Kimi-VL-A3B-Thinking-2506",
        "moonshotai/Kimi-VL-A3B-Thinking",
    ),
    base="kimivl",
    backends=("vllm", "transformers"),
    space="norm1",
    resize=AsIs(),
    syntax=Syntax(
        "## Action:\nClick on it.\n\n## Code:\n```python\npyautogui.click(x={x}, y={y})\n```",
        (XY(), Positional()),
        CODE,
        digits=3,
    ),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="its agent's system prompt, which asks for '## Action' and '## Code' (the Kimi-VL repository)",
    ),
    sampling=Sampling(max_tokens=1024),
    serving=TRUSTED,
    evidence="issue",
    source="Kimi-VL#56; OpenCUA#22",
)

GLM_V = Family(
    name="glm-v",
    models=(
        "zai-org/GLM-4.5V",
        "zai-org/GLM-4.5V-FP8",
        "zai-org/GLM-4.6V",
        "zai-org/GLM-4.6V-FP8",
        "zai-org/GLM-4.6V-Flash",
        "zai-org/GLM-4.1V-9B-Thinking",
    ),
    base="glm4v",
    backends=("vllm", "transformers"),
    space="norm999",
    resize=AsIs(),
    syntax=Syntax(
        "<think>It is there.</think>Action: <|begin_of_box|>left_click(start_box='[{x},{y}]', element_info='it')"
        "<|end_of_box|>\nMemory:\n[]",
        (Argument(), Tag()),
        AnswerRegion(after=("Action:",)),
        refusals=("FAIL",),
    ),
    layout=PromptLayout(
        (TEMPLATE, IMAGE),
        needs="the rules of its calls (left_click(start_box='[x,y]', element_info='') …, thousandths 0–999), from the "
        "GLM-V repository, with {description} as the task,",
    ),
    sampling=Sampling(max_tokens=2048, extra_body=KEEP_TOKENS),
    serving=Serving(
        "0.12.0",
        (
            "--tool-call-parser",
            "glm45",
            "--reasoning-parser",
            "glm45",
            "--enable-auto-tool-choice",
            "--mm-encoder-tp-mode",
            "data",
            "--mm-processor-cache-type",
            "shm",
        ),
    ),
    evidence="third-party",
    source="cua glm45v.py (b296ec9); vLLM recipes GLM/GLM-V.md (8959cf6)",
)

MOONDREAM = Family(
    name="moondream",
    models=("moondream/moondream3-preview",),
    base="moondream",
    backends=("transformers",),
    space="norm1",
    resize=AsIs(),
    syntax=Syntax('{"points": [{"x": {x}, "y": {y}}]}', (Json(),), digits=4),
    layout=PromptLayout((IMAGE, "{description}")),
    serving=Serving(note="in process, with remote code: model.point(image, description)"),
    evidence="code",
    source="the model's card",
    note="its own method is asked, whose result counts as the reply; no points is a refusal",
)

FAMILIES = (SEECLICK, COGAGENT, COGAGENT_CHAT, ARIA_UI, KIMI_VL, GLM_V, MOONDREAM)
