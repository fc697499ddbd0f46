"""Families based on Qwen3-VL, Qwen3.5 and Qwen-Omni: factor 32, answers in thousandths."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen25 import BOXES, BOXES_SCHEMA, CALL, HOLO_TEXT, TOOL_CALL, TOOLS
from omnipilot.grounders.families.reading import GENERAL, ReadingRule
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Json, Syntax
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

BUDGET = SmartResize(32, 64 * 32**2, 16384 * 32**2)
QWEN3_SERVING = Serving("0.11.0", ("--async-scheduling",))
QWEN35_SERVING = Serving("0.17.0", ("--reasoning-parser", "qwen3"), "the oldest version is not verified")
NO_THINKING = {"chat_template_kwargs": {"enable_thinking": False}}
TOOLS_NEEDED = (
    "the system message of its computer_use tool (the qwen-agent template with 1000x1000 as the screen's resolution)"
)
XML_CALL = (
    "<tool_call>\n<function=computer>\n<parameter=action>left_click</parameter>\n"
    "<parameter=coordinate>[{x}, {y}]</parameter>\n</function>\n</tool_call>"
)

QWEN3_VL = Family(
    name="qwen3-vl",
    models=tuple(f"Qwen/Qwen3-VL-{size}-Instruct" for size in ("8B", "2B", "4B", "32B", "30B-A3B", "235B-A22B")),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax(BOXES, TOOLS, TOOL_CALL),
    layout=PromptLayout(
        (
            IMAGE,
            'Locate every object that matches the description "{description}" in the image. '
            "Report bbox coordinates in JSON format.",
        )
    ),
    sampling=Sampling(max_tokens=256),
    schema=BOXES_SCHEMA,
    serving=QWEN3_SERVING,
    evidence="code",
    source="Qwen3-VL cookbooks (9658872) and technical report, appendix B.5; Qwen3-VL#1741",
    note="asks for a box; documents disagree on 999 and 1000, the evaluation divides by 1000",
)

QWEN3_VL_THINKING = replace(
    QWEN3_VL,
    name="qwen3-vl-thinking",
    models=tuple(f"Qwen/Qwen3-VL-{size}-Thinking" for size in ("8B", "2B", "4B", "32B", "30B-A3B", "235B-A22B")),
    sampling=Sampling(max_tokens=4096),
    schema=None,
    note="its reasoning is removed before the answer is read",
)

QWEN3_VL_TOOLS = replace(
    QWEN3_VL,
    name="qwen3-vl-tools",
    syntax=Syntax(CALL, TOOLS, TOOL_CALL),
    layout=PromptLayout((IMAGE, "{description}"), system=TEMPLATE, needs=TOOLS_NEEDED),
    schema=None,
    note="answers a tool call",
)

GUI_OWL_15 = replace(
    QWEN3_VL_TOOLS,
    name="gui-owl-1.5",
    models=tuple(f"mPLUG/GUI-Owl-1.5-{size}-Instruct" for size in ("8B", "2B", "4B", "32B")),
    resize=SmartResize(32, 196 * 32**2, 9800 * 32**2),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule(
            "MobileAgent Mobile-Agent-v3.5/computer_use/run_gui_owl_1_5_for_pc.py, 11cea57",
            four="first corner",
            pairs="refuse",
        ),
    ),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="the system message of its grounding tool with the actions click and terminate, and its instruction to "
        "answer terminate/failure where the task is infeasible (the repository MobileAgent)",
    ),
    source="MobileAgent (11cea57)",
    note="a call of terminate with the status failure is a refusal",
)

GUI_OWL_15_THINK = replace(
    GUI_OWL_15,
    name="gui-owl-1.5-thinking",
    models=("mPLUG/GUI-Owl-1.5-8B-Think", "mPLUG/GUI-Owl-1.5-32B-Think"),
    sampling=QWEN3_VL_THINKING.sampling,
    note="asked as gui-owl-1.5; its reasoning is removed before the answer is read",
)

EVOCUA = replace(
    QWEN3_VL_TOOLS,
    name="evocua",
    models=("meituan/EvoCUA-8B-20260105", "meituan/EvoCUA-32B-20260105"),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule("EvoCUA mm_agents/evocua/evocua_agent.py, 4a0ad5f", four="refuse", pairs="refuse"),
    ),
    space="norm999",
    source="EvoCUA mm_agents/evocua/evocua_agent.py (4a0ad5f), which divides by 999",
    note="asked as its style S2",
)

QWEN35 = Family(
    name="qwen3.5",
    models=(
        *(f"Qwen/Qwen3.5-{size}" for size in ("9B", "4B", "27B", "35B-A3B", "122B-A10B", "397B-A17B")),
        *(f"Qwen/Qwen3.6-{size}" for size in ("27B", "35B-A3B")),
    ),
    base="qwen35",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax(BOXES, TOOLS, TOOL_CALL),
    layout=QWEN3_VL.layout,
    sampling=Sampling(max_tokens=256, extra_body=NO_THINKING),
    schema=BOXES_SCHEMA,
    serving=QWEN35_SERVING,
    evidence="code",
    source="Qwen3-VL cookbooks (9658872); cua qwen35.py (b296ec9)",
    note="Qwen3.6 is asked and read in the same way; asks for a box with thinking off",
)

QWEN35_TOOLS = replace(
    QWEN35,
    name="qwen3.5-tools",
    syntax=Syntax(XML_CALL, TOOLS, TOOL_CALL),
    layout=QWEN3_VL_TOOLS.layout,
    schema=None,
    note="answers a tool call in XML",
)

FARA_15 = replace(
    QWEN35_TOOLS,
    name="fara-1.5",
    models=("microsoft/Fara1.5-9B", "microsoft/Fara1.5-4B", "microsoft/Fara1.5-27B"),
    evidence="third-party",
    source="a re-implementation of Fara1.5",
    note="trained on a viewport of 1440x900",
)

GELATO_TEXT = (
    "You are an expert UI element locator. Given a GUI image and a user's element description, provide the coordinates "
    "of the specified element as a single (x,y) point. For elements with area, return the center point.\n\n"
    "Output the coordinate pair exactly:\n(x,y)\n\n"
)
GELATO = Family(
    name="gelato",
    models=("mlfoundations/Gelato-30B-A3B",),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(32, 64 * 32**2, 10_000_000),
    syntax=Syntax(
        "({x}, {y})",
        refusals=("refusal",),
        rule=ReadingRule("Gelato evaluation/run_grounding_eval.py, 1f83dad", four="refuse", pairs="first corner"),
    ),
    layout=PromptLayout((GELATO_TEXT, IMAGE, "\n{description}")),
    sampling=Sampling(max_tokens=32),
    serving=replace(QWEN3_SERVING, args=(*QWEN3_SERVING.args, "--enable-expert-parallel")),
    evidence="logs",
    source="Gelato run_grounding_eval.py and 4,212 logged answers (1f83dad)",
    note="one user message, no system message",
)

GELATO_UI_TARS = replace(
    GELATO,
    name="gelato-ui-tars-1.5",
    models=("mlfoundations-cua-dev/Gelato-UI-TARS-1.5-7B", "mlfoundations/Gelato-UI-TARS-1.5-7B"),
    base="qwen25vl",
    space="abs_resized",
    resize=SmartResize(28, 3136, 4_000_000),
    serving=Serving("0.8.5"),
    source="Gelato and its logged answers (1f83dad)",
    note="pixels of the sent image, unlike its larger sibling",
)

GELATO_REFUSAL = replace(
    GELATO,
    name="gelato-refusal",
    layout=PromptLayout(
        (
            GELATO_TEXT,
            IMAGE,
            "\n{description}\nIf you cannot find the element, please respond with 'refusal'.",
        )
    ),
    note="the variant of the question that allows a refusal",
)

VENUS_TEXT = (
    "Output the center point of the position corresponding to the following instruction: \n{description}. \n\n"
    "The output should just be the coordinates of a point, in the format [x,y]. Additionally, if the task is "
    "infeasible (e.g., the task is not related to the image), the output should be [-1,-1]."
)
UI_VENUS_15 = Family(
    name="ui-venus-1.5",
    models=tuple(f"inclusionAI/UI-Venus-1.5-{size}" for size in ("8B", "2B", "30B-A3B")),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax(
        "[{x},{y}]",
        rule=ReadingRule(
            "UI-Venus models/grounding/ui_venus1_5_gd.py, c3a1442",
            four="box centre",
            pairs="box centre",
            amid_words="first corner",
        ),
    ),
    layout=PromptLayout((IMAGE, VENUS_TEXT), drop_period=True),
    serving=QWEN3_SERVING,
    evidence="code",
    source="UI-Venus, branch 1.5 (c3a1442)",
    note="[-1,-1] is a refusal",
)

UI_VENUS_2 = replace(
    UI_VENUS_15,
    name="ui-venus-2",
    models=("inclusionAI/UI-Venus-2-9B", "inclusionAI/UI-Venus-2-27B"),
    base="qwen35",
    syntax=Syntax(
        "[{x},{y}]",
        rule=ReadingRule("UI-Venus models/grounding/ui_venus2_gd.py, 81945ac", four="box centre", pairs="box centre"),
    ),
    sampling=Sampling(max_tokens=1024, extra_body=NO_THINKING),
    serving=QWEN35_SERVING,
    source="UI-Venus models/grounding/ui_venus2_gd.py (81945ac)",
)

XY_SCHEMA = {
    "type": "object",
    "properties": {axis: {"type": "integer", "minimum": 0, "maximum": 1000} for axis in ("x", "y")},
    "required": ["x", "y"],
    "additionalProperties": False,
}

HOLO2_CLICK = {
    "properties": {
        axis: {
            "description": f"The {axis} coordinate, normalized between 0 and 1000.",
            "maximum": 1000,
            "minimum": 0,
            "title": axis.upper(),
            "type": "integer",
        }
        for axis in ("x", "y")
    },
    "required": ["x", "y"],
    "title": "ClickCoordinates",
    "type": "object",
}
"""What Pydantic makes of the authors' class; they print it as Python does, not as JSON."""

HOLO2 = Family(
    name="holo2",
    models=("Hcompany/Holo2-8B", "Hcompany/Holo2-4B", "Hcompany/Holo2-30B-A3B", "Hcompany/Holo2-235B-A22B"),
    base="qwen3vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=BUDGET,
    syntax=Syntax(
        '{"x": {x}, "y": {y}}',
        (Json(),),
        rule=ReadingRule(
            "hai-cookbook holo2/holo_2_localization_huggingface.ipynb, 2ba8961", four="refuse", pairs="refuse"
        ),
    ),
    layout=PromptLayout((IMAGE, HOLO_TEXT.replace("{schema}", str(HOLO2_CLICK)))),
    sampling=Sampling(extra_body={"chat_template_kwargs": {"thinking": False}}),
    schema=XY_SCHEMA,
    serving=QWEN3_SERVING,
    evidence="code",
    source="hai-cookbook holo2/holo_2_localization_huggingface.ipynb (2ba8961)",
    note="the question is the authors', spaces and schema included",
)

HOLO3_CLICK = {
    "properties": {
        axis: {
            "description": f"{axis.upper()} coordinate as integer in [0, 1000]",
            "maximum": 1000,
            "minimum": 0,
            "title": axis.upper(),
            "type": "integer",
        }
        for axis in ("x", "y")
    },
    "required": ["x", "y"],
    "title": "VisualLocalizerOutput",
    "type": "object",
}
"""What Pydantic makes of the class in the vendor's guide; it is printed as Python does, not as JSON."""

HOLO3 = replace(
    HOLO2,
    name="holo3",
    models=(
        "Hcompany/Holo3-35B-A3B",
        *(f"Hcompany/Holo-3.1-{size}" for size in ("35B-A3B", "9B", "4B", "0.8B")),
    ),
    base="qwen35",
    syntax=replace(HOLO2.syntax, rule=GENERAL),
    layout=PromptLayout(
        (
            IMAGE,
            "Localize an element on the GUI image according to the provided target and output a click position.\n"
            f" * You must output a valid JSON following the format: {HOLO3_CLICK}\n Your target is:\n{{description}}",
        )
    ),
    sampling=Sampling(extra_body=NO_THINKING),
    serving=QWEN35_SERVING,
    source="the vendor's guide, hub.hcompany.ai/element-localization",
    note="Holo3 and Holo3.1; the guide was read as a web page, which may have lost spaces at the starts of lines",
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
        AnswerRegion(inside=("answer",)),
        rule=ReadingRule("MAI-UI src/mai_grounding_agent.py, 4dd07b9", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
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
    layout=PromptLayout(
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

FAMILIES = (
    QWEN3_VL,
    QWEN3_VL_THINKING,
    QWEN3_VL_TOOLS,
    GUI_OWL_15,
    GUI_OWL_15_THINK,
    EVOCUA,
    QWEN35,
    QWEN35_TOOLS,
    FARA_15,
    GELATO,
    GELATO_UI_TARS,
    GELATO_REFUSAL,
    UI_VENUS_15,
    UI_VENUS_2,
    HOLO2,
    HOLO3,
    MAI_UI,
    QWEN_OMNI,
)
