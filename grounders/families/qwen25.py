"""Families based on Qwen2.5-VL: tool calls, pairs, boxes, code or own clicks; most in pixels of the sent image."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import AsIs, SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.qwen2 import AGUVIS_SYSTEM, KEEP_TOKENS, UI_TARS_POINT, UI_TARS_READS
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import XY, Argument, Json, Positional, Syntax, Tag, Xml
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

TOOL_CALL = AnswerRegion(inside=("tool_call",))
TOOLS = (Json(), Xml())
OPENED = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": ['
CALL = OPENED + "{x}, {y}]}}\n</tool_call>"
TOOLS_NEEDED = (
    "the system message of its computer_use tool (the qwen-agent template: 'You are a helpful assistant.', '# Tools' "
    "and the JSON schema, with {width}x{height} as the screen's resolution)"
)
BOXES = '```json\n[\n\t{"bbox_2d": [{x}, {y}, {x}, {y}], "label": "it"}\n]\n```'
COORDINATE = {"type": "integer", "minimum": 0, "maximum": 99999}
"""The maximum keeps a schema-constrained model from writing digits until its tokens are used up."""
BOXES_SCHEMA = {
    "type": "array",
    "minItems": 1,
    "maxItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "bbox_2d": {"type": "array", "items": COORDINATE, "minItems": 4, "maxItems": 4},
            "label": {"type": "string", "maxLength": 80},
        },
        "required": ["bbox_2d", "label"],
        "additionalProperties": False,
    },
}

UI_TARS_15 = Family(
    name="ui-tars-1.5",
    models=("ByteDance-Seed/UI-TARS-1.5-7B",),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 100 * 28**2, 16384 * 28**2),
    syntax=Syntax(
        "Action: click(start_box='<|box_start|>({x},{y})<|box_end|>')",
        (Argument(), Tag()),
        AnswerRegion(after=("Action:",)),
        rule=UI_TARS_READS,
    ),
    layout=PromptLayout((IMAGE, UI_TARS_POINT)),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=Serving("0.8.5"),
    evidence="code",
    source="UI-TARS README_coordinates.md, codes/ui_tars/action_parser.py (582f3a7); UI-TARS#157",
    note="the one-sentence question is the one of UI-TARS 1; for its own action prompts: --family ui-tars-1.5-action",
)

UI_TARS_15_TASK = replace(
    UI_TARS_15,
    name="ui-tars-1.5-action",
    layout=PromptLayout(
        (TEMPLATE, IMAGE),
        needs="GROUNDING_DOUBAO, COMPUTER_USE_DOUBAO or MOBILE_USE_DOUBAO of codes/ui_tars/prompt.py in the UI-TARS "
        "repository, byte for byte, stray quote included,",
    ),
    sampling=Sampling(max_tokens=512, extra_body=KEEP_TOKENS),
    note="asks for an action, not for a point",
)

QWEN25_VL = Family(
    name="qwen2.5-vl",
    models=tuple(f"Qwen/Qwen2.5-VL-{size}-Instruct" for size in ("7B", "3B", "32B", "72B")),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(),
    syntax=Syntax(BOXES, TOOLS, TOOL_CALL),
    layout=PromptLayout((IMAGE, "Locate {description}, output its bbox coordinates using JSON format.")),
    sampling=Sampling(max_tokens=256),
    schema=BOXES_SCHEMA,
    serving=Serving("0.8.5"),
    evidence="code",
    source="Qwen-VL cookbooks (9658872); ScreenSpot-Pro (bd8bbbb)",
    note="asks for a box; for tool calls: --family qwen2.5-vl-tools",
)

QWEN25_VL_TOOLS = replace(
    QWEN25_VL,
    name="qwen2.5-vl-tools",
    syntax=Syntax(CALL, TOOLS, TOOL_CALL),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        prefill=OPENED,
        needs=TOOLS_NEEDED,
    ),
    sampling=Sampling(extra_body={"continue_final_message": True, "add_generation_prompt": False}),
    schema=None,
    note="the call is opened for the model, which answers its tail",
)

GUI_OWL = replace(
    QWEN25_VL_TOOLS,
    name="gui-owl",
    models=("mPLUG/GUI-Owl-7B", "mPLUG/GUI-Owl-32B"),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule(
            "MobileAgent Mobile-Agent-v3/os_world_v3/mm_agents/owl_agent.py, 11cea57",
            four="first corner",
            pairs="refuse",
        ),
    ),
    layout=PromptLayout((IMAGE, "{description}"), system=TEMPLATE, needs=TOOLS_NEEDED),
    sampling=Sampling(max_tokens=512),
    source="MobileAgent (11cea57)",
    note="",
)

GTA1 = Family(
    name="gta1",
    models=("Salesforce/GTA1-7B", "Salesforce/GTA1-32B", "HelloKKMe/GTA1-7B-2507"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 3136, 4096 * 2160),
    syntax=Syntax("({x},{y})", rule=ReadingRule("GTA1 README.md, 81f0c4c", four="refuse", pairs="first corner")),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system="You are an expert UI element locator. Given a GUI image and a user's element description, provide the "
        "coordinates of the specified element as a single (x,y) point. The image resolution is height {height} and "
        "width {width}. For elements with area, return the center point.\n\nOutput the coordinate pair exactly:\n(x,y)",
    ),
    sampling=Sampling(max_tokens=32),
    serving=Serving("0.8.5"),
    evidence="logs",
    source="GTA1 (81f0c4c); 2,601 answers in Gelato evaluation/logs",
)

UI_INS = Family(
    name="ui-ins",
    models=("Tongyi-MiA/UI-Ins-7B", "Tongyi-MiA/UI-Ins-32B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 3136, 4096 * 2160),
    syntax=Syntax(
        "<think>\nIt is there.\n</think>\n<tool_call>\n"
        '{"name": "grounding", "arguments": {"action": "click", "coordinate": [{x}, {y}]}}\n</tool_call>',
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule("UI-Ins README.md, evaluation/eval/model.py, 1953bbc", four="refuse", pairs="first corner"),
    ),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="the system message of its grounding tool, from the UI-Ins repository",
    ),
    sampling=Sampling(max_tokens=1024),
    serving=Serving("0.8.5"),
    evidence="code",
    source="UI-Ins README.md, evaluation/eval/model.py (1953bbc); cua loops/uiins.py (b296ec9)",
    note="it reasons before it answers",
)

JEDI = replace(
    QWEN25_VL_TOOLS,
    name="jedi",
    models=("xlangai/Jedi-7B-1080p", "xlangai/Jedi-3B-1080p"),
    resize=SmartResize(28, 3136, 2700 * 28**2),
    layout=PromptLayout((IMAGE, "\n{description}"), system=TEMPLATE, needs=TOOLS_NEEDED),
    sampling=Sampling(max_tokens=512),
    evidence="third-party",
    source="a copy of OSWorld's jedi agents",
    note="OSWorld samples at temperature 0.5, top_p 0.9; benchmarks of pointing at 0",
)

FARA = replace(
    QWEN25_VL_TOOLS,
    name="fara",
    models=("microsoft/Fara-7B",),
    syntax=Syntax(
        CALL,
        TOOLS,
        TOOL_CALL,
        rule=ReadingRule("fara src/fara/fara_agent.py, 3f3f1fd", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="the system message of its computer_use tool with web verbs (the repository fara)",
    ),
    sampling=Sampling(max_tokens=512),
    serving=Serving("0.10.0", note="its authors pin vllm 0.10.0 and transformers 4.55"),
    source="fara (3f3f1fd)",
    note="",
)

CODE = AnswerRegion(after=("## Code",))

OPENCUA = Family(
    name="opencua",
    models=("xlangai/OpenCUA-7B", "xlangai/OpenCUA-32B", "xlangai/OpenCUA-72B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(),
    syntax=Syntax(
        "```python\npyautogui.click(x={x}, y={y})\n```",
        (XY(), Positional()),
        CODE,
        rule=ReadingRule("OpenCUA evaluation/agentnetbench/agent/opencua.py, 1d70f20", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout((IMAGE, "{description}"), system=AGUVIS_SYSTEM),
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
    resize=SmartResize(28, 3136, 2_007_040),
    syntax=Syntax(
        "<action>\nclick(x={x}, y={y})\n</action>",
        (Tag(), XY(), Positional()),
        AnswerRegion(inside=("action",)),
        rule=ReadingRule("ScaleCUA evaluation/WebArenaLiteV2/utils/misc.py, 5d92fee"),
    ),
    layout=PromptLayout(
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

CLICK_SCHEMA = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "const": "click_absolute"},
        "x": {"type": "integer", "description": "The x coordinate, number of pixels from the left edge."},
        "y": {"type": "integer", "description": "The y coordinate, number of pixels from the top edge."},
    },
    "required": ["action", "x", "y"],
    "additionalProperties": False,
}
HOLO_CLICK = {
    "description": "Click at absolute coordinates.",
    "properties": {
        "action": {"const": "click_absolute", "default": "click_absolute", "title": "Action", "type": "string"},
        "x": {
            "description": "The x coordinate, number of pixels from the left edge.",
            "title": "X",
            "type": "integer",
        },
        "y": {
            "description": "The y coordinate, number of pixels from the top edge.",
            "title": "Y",
            "type": "integer",
        },
    },
    "required": ["x", "y"],
    "title": "ClickAbsoluteAction",
    "type": "object",
}
"""What Pydantic makes of the authors' class; they print it as Python does, not as JSON."""
HOLO_TEXT = (
    "Localize an element on the GUI image according to the provided target and output a click position.\n"
    "     * You must output a valid JSON following the format: {schema}\n     Your target is:\n{description}"
)

HOLO1 = Family(
    name="holo1",
    models=("Hcompany/Holo1-7B", "Hcompany/Holo1-3B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 56**2, 1_003_520),
    syntax=Syntax(
        "Click({x}, {y})",
        (Positional(alone=True), Json()),
        rule=ReadingRule("hai-cookbook holo1/vllm/invoke_localization.ipynb, 2ba8961", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Localize an element on the GUI image according to my instructions and output a click position as "
            "Click(x, y) with x num pixels from the left edge and y num pixels from the top edge.\n{description}",
        )
    ),
    serving=Serving("0.8.5"),
    evidence="code",
    source="hai-cookbook (2ba8961)",
)

HOLO15 = Family(
    name="holo1.5",
    models=("Hcompany/Holo1.5-7B", "Hcompany/Holo1.5-3B", "Hcompany/Holo1.5-72B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(),
    syntax=Syntax(
        '{"action": "click_absolute", "x": {x}, "y": {y}}',
        (Json(), Positional(alone=True)),
        rule=ReadingRule("hai-cookbook holo1_5/holo_1_5_quickstart.ipynb, 2ba8961", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout((IMAGE, HOLO_TEXT.replace("{schema}", str(HOLO_CLICK)))),
    schema=CLICK_SCHEMA,
    serving=Serving("0.8.5"),
    evidence="code",
    source="hai-cookbook holo1_5/openai_client/invoke_localization.ipynb (2ba8961); ScreenSpot-Pro holo1_5.py",
    note="the question is the authors', spaces included",
)

WHOLE_BOX = ReadingRule(four="box centre", pairs="refuse", amid_words="refuse", two="refuse")
"""Code that takes an answer for a list of four numbers, and anything else for none."""
UI_VENUS_GROUND = Family(
    name="ui-venus-ground",
    models=("inclusionAI/UI-Venus-Ground-7B", "inclusionAI/UI-Venus-Ground-72B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=SmartResize(28, 3_100_000, 4_800_000),
    syntax=Syntax(
        "[{x},{y},{x},{y}]",
        rule=replace(WHOLE_BOX, parser="UI-Venus models/grounding/ui_venus_ground_7b.py, branch UI-Venus-1.0, 497e2cd"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Outline the position corresponding to the instruction: {description}. "
            "The output should be only [x1,y1,x2,y2].",
        )
    ),
    sampling=Sampling(max_tokens=128),
    serving=Serving("0.8.5"),
    evidence="logs",
    source="UI-Venus models/grounding/ui_venus_ground_7b.py (01ca24a); a logged answer in 2352x1344 for 1920x1080",
    note="the least number of pixels fits the logged answer; the authors' file says 2,000,000: calibrate",
)

FAMILIES = (
    UI_TARS_15,
    UI_TARS_15_TASK,
    QWEN25_VL,
    QWEN25_VL_TOOLS,
    GUI_OWL,
    GTA1,
    UI_INS,
    JEDI,
    FARA,
    OPENCUA,
    OPENCUA_SHARES,
    SCALECUA,
    HOLO1,
    HOLO15,
    UI_VENUS_GROUND,
)
