"""Families trained for pointing from Qwen2.5-VL, most by reinforcement; they answer pixels of the sent image."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen25 import CALL, OPENED, QWEN25_VL_TOOLS, TOOL_CALL, TOOLS, WHOLE_BOX
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Json, Syntax
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

ANSWER = AnswerRegion(inside=("answer",))
THINK_FIRST = (
    "You FIRST think about the reasoning process as an internal monologue and then provide the final answer.\n"
    "The reasoning process MUST BE enclosed within <think> </think> tags."
)
BUDGET_NOTE = "its repository leaves the number of pixels to the model's preprocessor_config.json: calibrate"

GROUNDNEXT = replace(
    QWEN25_VL_TOOLS,
    name="groundnext",
    models=("ServiceNow/GroundNext-7B-V0",),
    resize=SmartResize(28, 78_400, 6_000_000),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule("GroundCUA eval/prompts.py, 81136d4", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="GROUNDNEXT_SYSTEM_PROMPT of groundcua/__init__.py in the GroundCUA repository, with single braces and "
        "{width}x{height} as the screen's resolution,",
    ),
    sampling=Sampling(max_tokens=64),
    source="GroundCUA groundcua/__init__.py, eval/prompts.py (81136d4)",
    note="",
)

SE_GUI = replace(
    QWEN25_VL_TOOLS,
    name="se-gui",
    models=("XinBB/SE-GUI-7B",),
    resize=SmartResize(28, 3136, 7_049_280),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule(
            "SE-GUI src/eval/test_grounding_r1_nothink.py, 0e26237", four="second corner", pairs="second corner"
        ),
    ),
    layout=PromptLayout((IMAGE, "{description}"), prefill=OPENED),
    source="SE-GUI README.md, src/eval/test_grounding_r1_nothink.py (0e26237)",
    note="asked as in its README.md, the call opened for it; its evaluation gives it a computer_use tool instead",
)

INFIGUI_G1 = Family(
    name="infigui-g1",
    models=("InfiX-ai/InfiGUI-G1-7B", "InfiX-ai/InfiGUI-G1-3B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 3136, 5600 * 28**2),
    syntax=Syntax(
        '<think>It is there.</think>\n[{"point_2d": [{x}, {y}]}]',
        (Json(("point_2d",)),),
        rule=ReadingRule("InfiGUI-G1 recipe/infigui-g1/reward_fn.py, 22208e4", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "The screen's resolution is {width}x{height}.\n"
            'Locate the UI element(s) for "{description}", output the coordinates using JSON format: '
            '[{"point_2d": [x, y]}, ...]',
        ),
        system=THINK_FIRST,
    ),
    sampling=Sampling(max_tokens=1024),
    serving=Serving("0.8.2"),
    evidence="code",
    source="InfiGUI-G1 eval/prompts.py, eval/eval.py (22208e4)",
    note="of several points the first counts, as in its evaluation",
)

INFIGUI_R1 = replace(
    INFIGUI_G1,
    name="infigui-r1",
    models=("InfiX-ai/InfiGUI-R1-3B", "Reallm-Labs/InfiGUI-R1-3B"),
    syntax=Syntax(
        '<think>It is there.</think>\n```json\n[\n    {"point_2d": [{x}, {y}], "label": "it"}\n]```',
        (Json(("point_2d",)),),
        rule=ReadingRule("GroundCUA eval/prompts.py, 81136d4", four="first corner", pairs="first corner"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "The screen's resolution is {width}x{height}.\n"
            'Point to the UI element most relevant to "{description}", output its coordinates using JSON format:\n'
            '```json\n[\n    {"point_2d": [x, y], "label": "object name/description"}\n]```',
        ),
        system=THINK_FIRST,
    ),
    evidence="third-party",
    source="GroundCUA eval/prompts.py (81136d4); its own repository (d280ab8) evaluates AndroidControl alone",
    note="",
)

GUI_G2 = Family(
    name="gui-g2",
    models=("inclusionAI/GUI-G2-7B", "inclusionAI/GUI-G2-3B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(),
    syntax=Syntax("[{x},{y},{x},{y}]", rule=replace(WHOLE_BOX, parser="GUI-G2 README.md, 5c5c365")),
    layout=PromptLayout(
        (
            IMAGE,
            "Outline the position corresponding to the instruction: {description}. "
            "The output should be only [x1,y1,x2,y2].",
        )
    ),
    sampling=Sampling(max_tokens=128),
    serving=Serving("0.8.5"),
    evidence="code",
    source="GUI-G2 README.md (5c5c365)",
    note=BUDGET_NOTE,
)

UI_R1 = Family(
    name="ui-r1",
    models=("LZXzju/Qwen2.5-VL-3B-UI-R1", "LZXzju/Qwen2.5-VL-3B-UI-R1-E"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(),
    syntax=Syntax(
        "<think>It is there.</think> <answer>[{'action': 'click', 'coordinate': [{x}, {y}]}]</answer>",
        (Json(("coordinate",)),),
        ANSWER,
        rule=ReadingRule("UI-R1 evaluation/test_ss_pro.py, 2fe9bf0", four="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "<image>\nIn this UI screenshot, I want to perform the command '{description}'.\n"
            "Please provide the action to perform (enumerate in ['click', 'scroll']) and the coordinate where the "
            "cursor is moved to(integer) if click is performed.\n"
            "Output the thinking process in <think> </think> and final answer in <answer> </answer> tags."
            "The output answer format should be as follows:\n"
            "<think> ... </think> <answer>[{'action': enum['click', 'scroll'], 'coordinate': [x, y]}]</answer>\n"
            "Please strictly follow the format.",
        )
    ),
    sampling=Sampling(max_tokens=1024),
    serving=Serving("0.8.5"),
    evidence="code",
    source="UI-R1 evaluation/test_screenspot.py, test_ss_pro.py (2fe9bf0)",
    note=f"the question is the authors', <image> included; {BUDGET_NOTE}",
)

GUI_R1 = replace(
    UI_R1,
    name="gui-r1",
    models=("ritzzai/GUI-R1",),
    syntax=Syntax(
        "<think>It is there.</think> "
        "<answer>[{'action': 'click', 'point': [{x}, {y}], 'input_text': 'no input text'}]</answer>",
        (Json(("point",)),),
        ANSWER,
        rule=ReadingRule("GUI-R1 guir1/inference/inference_vllm_screenspot.py, d43eea2", four="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "<image>\nYou are RUN1-R1, a reasoning GUI Agent Assistant. In this UI screenshot <image>, I want you to "
            "continue executing the command '{description}', with the action history being 'None'.\n"
            "Please provide the action to perform (enumerate from ['click']), the point where the cursor is moved to "
            "(integer) if a click is performed, and any input text required to complete the action.\n"
            "Output the thinking process in <think> </think> tags, and the final answer in <answer> </answer> tags as "
            "follows:\n"
            "<think> ... </think> <answer>[{'action': enum[ 'click'], 'point': [x, y], 'input_text': 'no input text "
            "[default]'}]</answer>\n"
            "Example:\n"
            "[{'action': enum['click'], 'point': [123, 300], 'input_text': 'no input text'}]\n",
        )
    ),
    source="GUI-R1 guir1/inference/inference_vllm_screenspot.py (d43eea2)",
)

UI_AGILE = replace(
    UI_R1,
    name="ui-agile",
    models=("KDEGroup/UI-AGILE",),
    syntax=Syntax(
        "<answer>[{'action': 'click', 'coordinate': [{x}, {y}]}]</answer>",
        (Json(("coordinate", "bounding box")),),
        ANSWER,
        rule=ReadingRule(
            "UI-AGILE eval/grounding/eval_grounding_vllm_no_ray.py, a8f7658", four="box centre", pairs="first corner"
        ),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "<image>\n\nIn this UI screenshot, I want to perform the command '{description}'.\n"
            "Please provide the action to perform (enumerate in ['click']) and the coordinate where the cursor is "
            "moved to(integer) if click is performed.\n"
            "Output the final answer in <answer> </answer> tags directly.\n"
            "The output answer format should be as follows:\n"
            "<answer>[{'action': 'click', 'coordinate': [x, y]}]</answer>\n"
            "Please strictly follow the format.\n",
        )
    ),
    sampling=Sampling(max_tokens=128),
    source="UI-AGILE eval/grounding/eval_grounding_vllm_no_ray.py (a8f7658)",
)

ZONUI = Family(
    name="zonui",
    models=("zonghanHZH/ZonUI-3B",),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 256 * 28**2, 1280 * 28**2),
    syntax=Syntax(
        "[{x}, {y}]",
        rule=ReadingRule("ZonUI-3B main/eval_screenspot.py, 5bdcf56", four="box centre", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            "Based on the screenshot of the page, I give a text description and you give its corresponding location. "
            "The coordinate represents a clickable location [x, y] for an element.",
            IMAGE,
            "{description}",
        )
    ),
    serving=Serving("0.8.5"),
    evidence="code",
    source="ZonUI-3B inference/inference.ipynb, main/eval_screenspot.py (5bdcf56)",
    note="trained as ShowUI was, but it answers pixels",
)

FAMILIES = (GROUNDNEXT, SE_GUI, INFIGUI_G1, INFIGUI_R1, GUI_G2, UI_R1, GUI_R1, UI_AGILE, ZONUI)
