"""Families based on Qwen2-VL: factor 28, answers in thousandths or as fractions of the sides."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.types import SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.reading import ReadingRule
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import XY, Argument, Corners, DoubleBrackets, Json, Positional, Syntax, Tag
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.text import AnswerRegion

KEEP_TOKENS = {"skip_special_tokens": False}
"""Box tokens are special tokens, which a server strips from its answer by default."""
AGUVIS_SYSTEM = (
    "You are a GUI agent. You are given a task and a screenshot of the screen. You need to perform a series of "
    "pyautogui actions to complete the task."
)
UI_TARS_POINT = (
    "Output only the coordinate of one point in your response. What element matches the following task: {description}"
)
UI_TARS_READS = ReadingRule("UI-TARS codes/ui_tars/action_parser.py, 582f3a7", four="box centre", pairs="box centre")
OS_ATLAS_READS = ReadingRule(
    "OS-Atlas eval/eval_scripts/odyssey/evaluation_unify.py, bad0840", four="refuse", pairs="refuse"
)
"""Two of its scripts (GUI Odyssey, OmniACT) take two numbers alone; two others the first two of any."""

UGROUND = Family(
    name="uground-v1",
    models=("osunlp/UGround-V1-7B", "osunlp/UGround-V1-2B", "osunlp/UGround-V1-72B"),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(),
    syntax=Syntax(
        "({x}, {y})",
        rule=ReadingRule("UGround grounding/uground_qwen2vl.py, 3a9b9f2", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Your task is to help the user identify the precise coordinates (x, y) of a specific area/element/object "
            "on the screen based on a description.\n\n- Your response should aim to point to the center or a "
            "representative point within the described area/element/object as accurately as possible.\n- If the "
            "description is unclear or ambiguous, infer the most relevant area or element based on its likely context "
            "or purpose.\n- Your answer should be a single string (x, y) corresponding to the point of the interest."
            "\n\nDescription: {description}\n\nAnswer:",
        )
    ),
    serving=Serving("0.6.1", ("--dtype", "float16"), "its authors found float16 steadier than bfloat16"),
    evidence="code",
    source="UGround README.md and grounding/ (3a9b9f2)",
    note="of two targets in one description it points at the first",
)

UI_TARS = Family(
    name="ui-tars",
    models=tuple(f"ByteDance-Seed/UI-TARS-{size}" for size in ("7B-DPO", "7B-SFT", "2B-SFT", "72B-DPO", "72B-SFT")),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(max_pixels=2700 * 28**2),
    syntax=Syntax("({x},{y})", (Argument(), Tag()), AnswerRegion(after=("Action:",)), rule=UI_TARS_READS),
    layout=PromptLayout((IMAGE, UI_TARS_POINT)),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=Serving("0.6.1"),
    evidence="code",
    source="UI-TARS README_v1.md, data/training_example.json (582f3a7)",
)

OS_ATLAS = Family(
    name="os-atlas-base-7b",
    models=("OS-Copilot/OS-Atlas-Base-7B",),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(),
    syntax=Syntax(
        "<|object_ref_start|>language switch<|object_ref_end|><|box_start|>({x},{y}),({x},{y})<|box_end|><|im_end|>",
        (Tag(), Corners()),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "In this UI screenshot, what is the position of the element corresponding to the command "
            '"{description}" (with bbox)?',
        )
    ),
    sampling=Sampling(top_p=0.8, max_tokens=128, extra_body=KEEP_TOKENS),
    serving=Serving("0.6.1"),
    evidence="code",
    source="OS-Atlas README.md (bad0840); ScreenSpot-Pro osatlas7b.py",
    note="its repository prints the answer and reads none of it",
)

OS_ATLAS_PRO = Family(
    name="os-atlas-pro-7b",
    models=("OS-Copilot/OS-Atlas-Pro-7B",),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(),
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
    serving=Serving("0.6.1"),
    evidence="code",
    source="OS-Atlas README.md (bad0840)",
)

SHOWUI = Family(
    name="showui",
    models=("showlab/ShowUI-2B",),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1",
    resize=SmartResize(28, 256 * 28**2, 1344 * 28**2),
    syntax=Syntax(
        "[{x}, {y}]",
        (Json(),),
        digits=2,
        rule=ReadingRule("ShowUI api.py, QUICK_START.md, 21ed7cb", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            "Based on the screenshot of the page, I give a text description and you give its corresponding location. "
            "The coordinate represents a clickable location [x, y] for an element, which is a relative coordinate on "
            "the screenshot, scaled from 0 to 1.",
            IMAGE,
            "{description}",
        )
    ),
    serving=Serving("0.6.1"),
    evidence="code",
    source="ShowUI QUICK_START.md (21ed7cb)",
)

AGUVIS = Family(
    name="aguvis",
    models=("xlangai/Aguvis-7B-720P", "xlangai/Aguvis-72B-720P"),
    base="qwen2vl",
    backends=("vllm", "completions", "transformers"),
    space="norm1",
    resize=SmartResize(28, 256 * 28**2, 46 * 26 * 28**2),
    syntax=Syntax(
        "<|recipient|>os\npyautogui.click(x={x}, y={y})",
        (XY(), Positional()),
        digits=4,
        rule=ReadingRule("OpenCUA evaluation/agentnetbench/agent/aguvis.py, 1d70f20", four="refuse", pairs="refuse"),
    ),
    layout=PromptLayout(
        (
            IMAGE,
            "Please generate the next move according to the ui screenshot, instruction and previous actions.\n\n"
            "Instruction: {description}\n\nPrevious actions:\nNone\n",
        ),
        system=AGUVIS_SYSTEM,
        prefill="<|recipient|>os\n",
    ),
    sampling=Sampling(
        stop=("<|diff_marker|>",),
        extra_body={"continue_final_message": True, "add_generation_prompt": False},
    ),
    serving=Serving(note="serve it with the chat template that ships with the model"),
    evidence="code",
    source="aguvis src/aguvis/constants.py, serve/cli.py (178c418)",
    note="the opening of the reply decides its mode: with <|recipient|>os it points; its own repository reads no "
    "answer, that of its successor does",
)

QWEN2_VL = Family(
    name="qwen2-vl",
    models=tuple(f"Qwen/Qwen2-VL-{size}-Instruct" for size in ("7B", "2B", "72B")),
    base="qwen2vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(),
    syntax=Syntax("<|box_start|>({x},{y}),({x},{y})<|box_end|>", (Tag(), Corners())),
    layout=PromptLayout(
        (
            IMAGE,
            'Output the bounding box in the image corresponding to the instruction "{description}" with grounding.',
        )
    ),
    sampling=Sampling(max_tokens=128, extra_body=KEEP_TOKENS),
    serving=Serving("0.6.1"),
    evidence="code",
    source="Qwen-VL cookbooks (9658872); ScreenSpot-Pro (bd8bbbb)",
)

UI_TARS_TASK = replace(
    UI_TARS,
    name="ui-tars-action",
    syntax=replace(UI_TARS.syntax, reply="Thought: it\nAction: click(start_box='<|box_start|>({x},{y})<|box_end|>')"),
    layout=PromptLayout(
        (TEMPLATE, IMAGE),
        system="You are a helpful assistant.",
        needs="COMPUTER_USE or MOBILE_USE of codes/ui_tars/prompt.py in the UI-TARS repository",
    ),
    sampling=Sampling(max_tokens=512, extra_body=KEEP_TOKENS),
    note="asks for an action, not for a point",
)

FAMILIES = (UGROUND, UI_TARS, UI_TARS_TASK, OS_ATLAS, OS_ATLAS_PRO, SHOWUI, AGUVIS, QWEN2_VL)
