"""Families on Qwen2.5-VL that answer in tool calls, pairs or boxes: factor 28, pixels of the image that was sent."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types.resize import Smart
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, Layout
from omnipilot.grounders.families.qwen2 import KEEP_TOKENS, UI_TARS_POINT
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.grounders.families.syntax_calls import Argument, Tag
from omnipilot.grounders.families.syntax_json import Json, Xml
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import Region

TOOL_CALL = Region(inside=("tool_call",))
TOOLS = (Json(), Xml())
OPENED = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": ['
CALL = OPENED + "{x}, {y}]}}\n</tool_call>"
TOOLS_NEEDED = (
    "the system message of its computer_use tool (the qwen-agent template: 'You are a helpful assistant.', '# Tools' "
    "and the JSON schema, with {width}x{height} as the screen's resolution)"
)
BOXES = '```json\n[\n\t{"bbox_2d": [{x}, {y}, {x}, {y}], "label": "it"}\n]\n```'
COORDINATE = {"type": "integer", "minimum": 0, "maximum": 99999}
"""Without an end to it, a model that is held to a schema may write digits until its tokens are used up."""
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
    resize=Smart(28, 100 * 28**2, 16384 * 28**2),
    syntax=Syntax(
        "Action: click(start_box='<|box_start|>({x},{y})<|box_end|>')",
        (Argument(), Tag()),
        Region(after=("Action:",)),
    ),
    layout=Layout((IMAGE, UI_TARS_POINT)),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=Serving("0.8.5"),
    evidence="code",
    source="UI-TARS README_coordinates.md, codes/ui_tars/action_parser.py (582f3a7); UI-TARS#157",
    note="the one-sentence question is the one of UI-TARS 1; for its own action prompts: --family ui-tars-1.5-action",
)

UI_TARS_15_TASK = replace(
    UI_TARS_15,
    name="ui-tars-1.5-action",
    layout=Layout(
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
    resize=Smart(),
    syntax=Syntax(BOXES, TOOLS, TOOL_CALL),
    layout=Layout((IMAGE, "Locate {description}, output its bbox coordinates using JSON format.")),
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
    layout=Layout(
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
    layout=Layout((IMAGE, "{description}"), system=TEMPLATE, needs=TOOLS_NEEDED),
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
    resize=Smart(28, 3136, 4096 * 2160),
    syntax=Syntax("({x},{y})"),
    layout=Layout(
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
    resize=Smart(28, 3136, 4096 * 2160),
    syntax=Syntax(
        "<think>\nIt is there.\n</think>\n<tool_call>\n"
        '{"name": "grounding", "arguments": {"action": "click", "coordinate": [{x}, {y}]}}\n</tool_call>',
        TOOLS,
        TOOL_CALL,
    ),
    layout=Layout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="the system message of its grounding tool, from the UI-Ins repository",
    ),
    sampling=Sampling(max_tokens=1024),
    serving=Serving("0.8.5"),
    evidence="third-party",
    source="cua loops/uiins.py (b296ec9)",
    note="it reasons before it answers",
)

JEDI = replace(
    QWEN25_VL_TOOLS,
    name="jedi",
    models=("xlangai/Jedi-7B-1080p", "xlangai/Jedi-3B-1080p"),
    resize=Smart(28, 3136, 2700 * 28**2),
    layout=Layout((IMAGE, "\n{description}"), system=TEMPLATE, needs=TOOLS_NEEDED),
    sampling=Sampling(max_tokens=512),
    evidence="third-party",
    source="a copy of OSWorld's jedi agents",
    note="OSWorld samples at temperature 0.5, top_p 0.9; benchmarks of pointing at 0",
)

FARA = replace(
    QWEN25_VL_TOOLS,
    name="fara",
    models=("microsoft/Fara-7B",),
    layout=Layout(
        (IMAGE, "{description}"),
        system=TEMPLATE,
        needs="the system message of its computer_use tool with web verbs (the repository fara)",
    ),
    sampling=Sampling(max_tokens=512),
    serving=Serving("0.10.0", note="its authors pin vllm 0.10.0 and transformers 4.55"),
    source="fara (3f3f1fd)",
    note="",
)

FAMILIES = (
    *(UI_TARS_15, UI_TARS_15_TASK, QWEN25_VL, QWEN25_VL_TOOLS, GUI_OWL),
    *(GTA1, UI_INS, JEDI, FARA),
)
