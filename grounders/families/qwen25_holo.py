"""Families on Qwen2.5-VL that answer in a click or a box of their own: Holo and UI-Venus-Ground."""

from __future__ import annotations

import json

from omnipilot.envs.types.resize import Smart
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, Layout
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.grounders.families.syntax_calls import Positional
from omnipilot.grounders.families.syntax_json import Json
from omnipilot.memory.models import Sampling

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
HOLO_TEXT = (
    "Localize an element on the GUI image according to the provided target and output a click position.\n"
    " * You must output a valid JSON following the format: {schema}\n Your target is:\n{description}"
)

HOLO1 = Family(
    name="holo1",
    models=("Hcompany/Holo1-7B", "Hcompany/Holo1-3B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=Smart(28, 56**2, 1_003_520),
    syntax=Syntax("Click({x}, {y})", (Positional(), Json())),
    layout=Layout(
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
    resize=Smart(),
    syntax=Syntax('{"action": "click_absolute", "x": {x}, "y": {y}}', (Json(), Positional())),
    layout=Layout((IMAGE, HOLO_TEXT.replace("{schema}", json.dumps(CLICK_SCHEMA)))),
    schema=CLICK_SCHEMA,
    serving=Serving("0.8.5"),
    evidence="code",
    source="hai-cookbook (2ba8961); ScreenSpot-Pro holo1_5.py",
    note="the words around the schema are the authors'; the schema's own text is ours",
)

UI_VENUS_GROUND = Family(
    name="ui-venus-ground",
    models=("inclusionAI/UI-Venus-Ground-7B", "inclusionAI/UI-Venus-Ground-72B"),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="abs_resized",
    resize=Smart(28, 3_100_000, 4_800_000),
    syntax=Syntax("[{x},{y},{x},{y}]"),
    layout=Layout(
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

FAMILIES = (HOLO1, HOLO15, UI_VENUS_GROUND)
