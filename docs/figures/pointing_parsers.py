"""`python docs/figures/pointing_parsers.py`: writes docs/pointing-parsers.md, what released parsers and ours read.

The answers are small ones of our own, in the forms of each repository's tests, docstrings and examples. What its parser
makes of them was found by running it at the named commit; of a parser that stands in a larger program, or in another
language than Python, its few lines were. What ours make of them is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from omnipilot.envs import Size
from omnipilot.grounders import Abstention
from omnipilot.grounders.families import get

PAGE = Path(__file__).resolve().parents[1] / "pointing-parsers.md"
SCREEN = Size(1000, 1000)
NO_CLICK = ("nothing", "fails", "refused")

WORDS = "theirs takes the whole answer for numbers; one place in brackets amid words is clear"
CORNER = "theirs clicks in the corner when it reads nothing"
BARE = "an answer that is one place and nothing else is clear, whatever its brackets"
ORDER = "names win over order"
REASONING = "theirs searches the reasoning, too"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a released parser makes of an answer on a screen of 1000x1000.

    Attributes:
        answer: as a model writes it.
        theirs: a place in pixels, "refused", "nothing" (it returns no place), "fails" (it raises), or "out of range".
        why: why ours reads it otherwise; "" where it reads the same.
    """

    answer: str
    theirs: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReleasedParser:
    """A parser that was released with models, and what it makes of answers.

    Attributes:
        families: names of our families that it stands for; the first one reads the answers.
        repository, path, commit: where it is.
        forms: where the forms of the answers come from.
        readings: the answers.
    """

    families: tuple[str, ...]
    repository: str
    path: str
    commit: str
    forms: str
    readings: tuple[Reading, ...]


def call(coordinate: str, name: str = "computer_use") -> str:
    """A tool call in qwen-agent's tags."""
    arguments = f'{{"action": "left_click", "coordinate": {coordinate}}}'
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


PARSERS = (
    ReleasedParser(
        ("uground-v1",),
        "UGround",
        "grounding/uground_qwen2vl.py",
        "3a9b9f2",
        "its prompt",
        (
            Reading("(500, 250)", "500 250"),
            Reading("500, 250", "500 250"),
            Reading("[500, 250]", "500 250"),
            Reading("(400, 200, 600, 300)", "fails"),
            Reading("(400, 200), (600, 300)", "fails"),
            Reading("It is at (500, 250).", "fails", WORDS),
            Reading("I cannot find it.", "fails"),
        ),
    ),
    ReleasedParser(
        ("ui-tars", "ui-tars-1.5", "ui-tars-action", "ui-tars-1.5-action"),
        "UI-TARS",
        "codes/ui_tars/action_parser.py",
        "582f3a7",
        "its test, README_coordinates.md and prompts",
        (
            Reading("Thought: a\nAction: click(point='<point>500 250</point>')", "500 250"),
            Reading("Action: click(start_box='(500,250)')", "500 250"),
            Reading("Action: click(start_box='(400,200,600,300)')", "500 250"),
            Reading("Action: click(start_box='(400,200),(600,300)')", "500 250"),
            Reading("Action: click(point='<point>400 200</point>,<point>600 300</point>')", "500 250"),
            Reading("Action: click(point='<point>400 200</point><point>600 300</point>')", "fails"),
            Reading("Action: click(start_box='[500,250]')", "fails", "that of UI-TARS-desktop reads it"),
            Reading(
                "Action: click(start_box='<|box_start|>(500,250)<|box_end|>')",
                "fails",
                "servers leave these tokens in, and its pull request 252 reads them",
            ),
            Reading("Action: click(start_box='')", "fails"),
            Reading("Action: click(start_box='(1.1)')", "fails"),
            Reading("Action: click(start_box='(500,250)'", "500 250"),
            Reading("Action: left_double(start_box='(500,250)')", "500 250"),
            Reading("Thought: (1,2)\nAction: click(start_box='(500,250)')", "500 250"),
            Reading("click(start_box='(500,250)')", "fails", "that of UI-TARS-desktop reads it"),
            Reading("(500,250)", "fails", "the answer to its question for a point, which this parser is not for"),
            Reading("Action: finished(content='(5,6)')", "nothing"),
        ),
    ),
    ReleasedParser(
        ("ui-tars-2",),
        "UI-TARS-desktop",
        "multimodal/gui-agent/action-parser/src/ActionParserHelper.ts",
        "239b654",
        "test/coordinates.test.ts",
        (
            Reading("(500, 250)", "500 250"),
            Reading("[500 250]", "500 250"),
            Reading("((500, 250))", "500 250"),
            Reading("500 250", "500 250"),
            Reading("<point>500, 250<point>", "500 250"),
            Reading("400 200 600 300", "500 250"),
            Reading("(400, 200), (600, 300)", "500 250"),
            Reading("(1.1)", "fails"),
            Reading("a, b", "fails"),
            Reading(
                "<point>400 200</point><point>600 300</point>",
                "out of range",
                "theirs runs the two together; of two places the first counts",
            ),
        ),
    ),
    ReleasedParser(
        ("os-atlas-pro-7b", "os-atlas-pro-4b"),
        "OS-Atlas",
        "eval/eval_scripts/odyssey/evaluation_unify.py",
        "bad0840",
        "eval/data",
        (
            Reading("thoughts:\nopen it\nactions:\nCLICK <point>[[500,250]]</point>", "500 250"),
            Reading("thoughts:\n(1,2)\nactions:\nCLICK <point>[[500,250]]</point><|im_end|>", "500 250"),
            Reading("actions:\nLONG_PRESS <point>[[500,250]]</point>", "500 250"),
            Reading("actions:\nCLICK [[400,200,600,300]]", "0 0", CORNER),
            Reading("actions:\nCLICK <point>[[400,200],[600,300]]</point>", "0 0", CORNER),
            Reading("actions:\nTYPE [call [[5,6]]]", "nothing"),
            Reading("actions:\nCLICK", "0 0", CORNER),
        ),
    ),
    ReleasedParser(
        ("showui",),
        "ShowUI",
        "api.py, QUICK_START.md",
        "21ed7cb",
        "QUICK_START.md",
        (
            Reading("[0.5, 0.25]", "500 250"),
            Reading("(0.5, 0.25)", "500 250"),
            Reading("[0.4, 0.2, 0.6, 0.3]", "nothing"),
            Reading("[[0.4, 0.2], [0.6, 0.3]]", "fails"),
            Reading("It is [0.5, 0.25]", "fails", WORDS),
        ),
    ),
    ReleasedParser(
        ("aguvis",),
        "OpenCUA",
        "evaluation/agentnetbench/agent/aguvis.py",
        "1d70f20",
        "its parser's comments",
        (
            Reading("pyautogui.click(x=0.5, y=0.25)", "500 250"),
            Reading("pyautogui.click(x = 0.5, y = 0.25)", "500 250"),
            Reading("pyautogui.doubleClick(x=0.5, y=0.25)", "500 250"),
            Reading("pyautogui.click(0.5, 0.25)", "nothing", "PyAutoGUI takes a place without names"),
            Reading("pyautogui.click(y=0.25, x=0.5)", "nothing", ORDER),
            Reading("pyautogui.write(message='x=5, y=6')", "nothing"),
            Reading("[0.4, 0.2, 0.6, 0.3]", "nothing"),
        ),
    ),
    ReleasedParser(
        ("opencua", "opencua-norm1"),
        "OpenCUA",
        "evaluation/agentnetbench/agent/opencua.py",
        "1d70f20",
        "model/README.md",
        (
            Reading("```python\npyautogui.click(x=500, y=250)\n```", "500 250"),
            Reading("## Action:\nSee (1, 2)\n\n## Code:\n```python\npyautogui.click(x=500, y=250)\n```", "500 250"),
            Reading("```python\npyautogui.click(x=500, y=250, clicks=2)\n```", "500 250"),
            Reading("```python\ncomputer.triple_click(x=500, y=250)\n```", "500 250"),
            Reading("```python\npyautogui.click(500, 250)\n```", "nothing", "PyAutoGUI takes a place without names"),
            Reading("```python\npyautogui.write(message='a')\n```", "nothing"),
        ),
    ),
    ReleasedParser(
        ("gui-owl",),
        "MobileAgent",
        "Mobile-Agent-v3/os_world_v3/mm_agents/owl_agent.py",
        "11cea57",
        "its prompt",
        (
            Reading(call("[500, 250]"), "500 250"),
            Reading(call("[400, 200, 600, 300]"), "400 200"),
            Reading(call("[[400, 200], [600, 300]]"), "fails"),
        ),
    ),
    ReleasedParser(
        ("gui-owl-1.5", "gui-owl-1.5-thinking"),
        "MobileAgent",
        "Mobile-Agent-v3.5/computer_use/run_gui_owl_1_5_for_pc.py",
        "11cea57",
        "its prompt",
        (
            Reading(call("[500, 250]"), "500 250"),
            Reading(call("[400, 200, 600, 300]"), "400 200"),
            Reading(call("[[400, 200], [600, 300]]"), "fails"),
            Reading("no call", "fails"),
        ),
    ),
    ReleasedParser(
        ("gta1",),
        "GTA1",
        "README.md",
        "81f0c4c",
        "README.md",
        (
            Reading("(500,250)", "500 250"),
            Reading("(500, 250)", "500 250"),
            Reading("(500,250),(600,300)", "500 250"),
            Reading("(400,200,600,300)", "fails"),
            Reading("It is at (500, 250).", "500 250"),
            Reading("[500, 250]", "fails", BARE),
            Reading("(500.5,250)", "fails", "parts of a pixel are a place"),
            Reading("none", "fails"),
        ),
    ),
    ReleasedParser(
        ("gelato", "gelato-ui-tars-1.5", "gelato-refusal"),
        "Gelato",
        "evaluation/run_grounding_eval.py",
        "1f83dad",
        "its logged answers",
        (
            Reading("(500, 250)", "500 250"),
            Reading("(500,250)<|im_end|>", "500 250"),
            Reading("It is at (500, 250).", "500 250"),
            Reading("(500, 250), (600, 300)", "500 250"),
            Reading("(400, 200, 600, 300)", "nothing"),
            Reading("[500, 250]", "nothing", BARE),
            Reading("refusal", "nothing"),
        ),
    ),
    ReleasedParser(
        ("ui-ins",),
        "UI-Ins",
        "README.md",
        "1953bbc",
        "README.md",
        (
            Reading("<think>\nso\n</think>\n" + call("[500, 250]", "grounding"), "500 250"),
            Reading(call("[400, 200, 600, 300]", "grounding"), "nothing"),
            Reading(call("[[400, 200], [600, 300]]", "grounding"), "400 200"),
            Reading("[500,250]", "500 250"),
            Reading("<think>[1, 2]</think>" + call("[500, 250]", "grounding"), "1 2", REASONING),
            Reading("(500, 250)", "nothing", BARE),
        ),
    ),
    ReleasedParser(
        ("fara",),
        "fara",
        "src/fara/fara_agent.py",
        "3f3f1fd",
        "its prompt",
        (
            Reading("I click it.\n" + call("[500, 250]"), "500 250"),
            Reading("a\n" + call("[400, 200, 600, 300]"), "fails"),
            Reading("a\n" + call("[[400, 200], [600, 300]]"), "fails"),
            Reading(
                "a\n<tool_call>\n{'name': 'computer_use', 'arguments': {'action': 'left_click', "
                "'coordinate': [500, 250]}}\n</tool_call>",
                "500 250",
            ),
            Reading("[500, 250]", "fails", BARE),
        ),
    ),
    ReleasedParser(
        ("scalecua",),
        "ScaleCUA",
        "evaluation/WebArenaLiteV2/utils/misc.py",
        "5d92fee",
        "the same function's self-test in playground/agents/utils.py",
        (
            Reading("Some text <box>[[400,200,600,300]]</box> more text", "500 250"),
            Reading("Coordinates are '(x=500.5,y=250.25)' in the image", "500.5 250.25"),
            Reading("<action>\nclick(x=500, y=250)\n</action>", "500 250"),
            Reading("<action>\nclick(x = 500 , y = 250)\n</action>", "500 250"),
            Reading("(500, 250)", "500 250"),
            Reading("(500, 250), (600, 300)", "500 250"),
            Reading("(400, 200, 600, 300)", "nothing"),
            Reading("<action>\nclick(y=250, x=500)\n</action>", "nothing", ORDER),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("holo1",),
        "hai-cookbook",
        "holo1/vllm/invoke_localization.ipynb",
        "2ba8961",
        "the notebook",
        (
            Reading("Click(500, 250)", "500 250"),
            Reading("I would Click( 500 , 250 ) here", "500 250"),
            Reading("Click(400, 200, 600, 300)", "fails"),
            Reading("Click(500)", "fails"),
        ),
    ),
    ReleasedParser(
        ("holo1.5",),
        "hai-cookbook",
        "holo1_5/holo_1_5_quickstart.ipynb",
        "2ba8961",
        "the notebook",
        (
            Reading('{"action": "click_absolute", "x": 500, "y": 250}', "500 250"),
            Reading('{"x": 500, "y": 250}', "500 250"),
            Reading('{"x": 500}', "fails"),
            Reading('{"x": 500, "y": null}', "fails"),
            Reading("[400, 200, 600, 300]", "fails"),
        ),
    ),
    ReleasedParser(
        ("holo2",),
        "hai-cookbook",
        "holo2/holo_2_localization_huggingface.ipynb",
        "2ba8961",
        "the notebook",
        (
            Reading('{"x": 500, "y": 250}', "500 250"),
            Reading('{"y": 250, "x": 500}', "500 250"),
            Reading('{"x": "500", "y": "250"}', "500 250"),
            Reading('```json\n{"x": 500, "y": 250}\n```', "fails", "a fence around an object changes nothing"),
            Reading('{"x": 500}', "fails"),
            Reading("[400, 200, 600, 300]", "fails"),
        ),
    ),
    ReleasedParser(
        ("ui-venus-ground",),
        "UI-Venus",
        "models/grounding/ui_venus_ground_7b.py",
        "497e2cd",
        "its prompt",
        (
            Reading("[400,200,600,300]", "500 250"),
            Reading("[500,250]", "fails"),
            Reading("[400,200],[600,300]", "fails"),
            Reading("The box is [400,200,600,300]", "fails"),
        ),
    ),
    ReleasedParser(
        ("ui-venus-1.5",),
        "UI-Venus",
        "models/grounding/ui_venus1_5_gd.py",
        "c3a1442",
        "its docstring",
        (
            Reading("[500, 250]", "500 250"),
            Reading("[400, 200, 600, 300]", "500 250"),
            Reading("[400, 200], [600, 300]", "500 250"),
            Reading("[-1,-1]", "refused"),
            Reading("[500,250]...", "500 250"),
            Reading("The box is [400, 200, 600, 300]", "400 200"),
            Reading("It is [500, 250]", "500 250"),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("ui-venus-2",),
        "UI-Venus",
        "models/grounding/ui_venus2_gd.py",
        "81945ac",
        "its docstring",
        (
            Reading("[500,250]", "500 250"),
            Reading("[400,200,600,300]", "500 250"),
            Reading("[400,200], [600,300]", "500 250"),
            Reading("[-1,-1]", "refused"),
            Reading("The box is [400, 200, 600, 300]", "500 250"),
            Reading("It is at 500, 250", "500 250", "numbers amid words without a bracket may be anything"),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("groundnext",),
        "GroundCUA",
        "eval/prompts.py",
        "81136d4",
        "its prompt",
        (
            Reading(call("[500, 250]"), "500 250"),
            Reading(call("[400, 200, 600, 300]"), "fails"),
            Reading(call("[[400, 200], [600, 300]]"), "fails"),
            Reading(
                "<tool_call>\nat 500 and 250\n</tool_call>",
                "500 250",
                "numbers amid words without a bracket may be anything",
            ),
            Reading("[500, 250]", "fails", BARE),
        ),
    ),
    ReleasedParser(
        ("se-gui",),
        "SE-GUI",
        "src/eval/test_grounding_r1_nothink.py",
        "0e26237",
        "README.md",
        (
            Reading(call("[500, 250]"), "500 250"),
            Reading(call("[400, 200, 600, 300]"), "600 300"),
            Reading(call("[[400, 200], [600, 300]]"), "600 300"),
            Reading("none", "0 0", CORNER),
        ),
    ),
    ReleasedParser(
        ("infigui-g1",),
        "InfiGUI-G1",
        "eval/prompts.py, recipe/infigui-g1/reward_fn.py",
        "22208e4",
        "its prompt",
        (
            Reading('<think>a</think>\n[{"point_2d": [500, 250]}]', "500 250"),
            Reading('<think>at [1, 2]</think>[{"point_2d": [500, 250]}, {"point_2d": [3, 4]}]', "500 250"),
            Reading('<think>a</think>[{"point_2d": [400, 200, 600, 300]}]', "fails"),
            Reading("<think>a</think>[]", "refused"),
            Reading("<think>a</think>none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("infigui-r1",),
        "GroundCUA",
        "eval/prompts.py",
        "81136d4",
        "its prompt",
        (
            Reading('[{"point_2d": [500, 250], "label": "it"}]', "500 250"),
            Reading('```json\n[\n    {"point_2d": [500, 250], "label": "it"}\n]```', "500 250"),
            Reading('```json\n[{"point_2d": [400, 200, 600, 300]}]\n```', "400 200"),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("gui-g2",),
        "GUI-G2",
        "README.md",
        "5c5c365",
        "README.md",
        (
            Reading("[400,200,600,300]", "500 250"),
            Reading("[500,250]", "fails"),
            Reading("[400,200],[600,300]", "fails"),
        ),
    ),
    ReleasedParser(
        ("ui-r1",),
        "UI-R1",
        "evaluation/test_ss_pro.py",
        "2fe9bf0",
        "its prompt",
        (
            Reading(
                "<think>[1, 2]</think> <answer>[{'action': 'click', 'coordinate': [500, 250]}]</answer>", "500 250"
            ),
            Reading("<answer>[{'action': 'click', 'coordinate': [400, 200, 600, 300]}]</answer>", "0 0", CORNER),
            Reading("[500, 250]", "0 0", BARE),
        ),
    ),
    ReleasedParser(
        ("gui-r1",),
        "GUI-R1",
        "guir1/inference/inference_vllm_screenspot.py",
        "d43eea2",
        "its prompt",
        (
            Reading(
                "<think>a</think> "
                "<answer>[{'action': 'click', 'point': [500, 250], 'input_text': 'no input text'}]</answer>",
                "500 250",
            ),
            Reading(
                "<answer>[{'action': 'click', 'point': [500, 250], 'input_text': 'no [1, 2]'}]</answer>",
                "1 2",
                "a text to type holds no place",
            ),
            Reading("<answer>[{'action': 'click', 'point': [400, 200, 600, 300]}]</answer>", "0 0", CORNER),
        ),
    ),
    ReleasedParser(
        ("ui-agile",),
        "UI-AGILE",
        "eval/android_control/utils.py",
        "a8f7658",
        "its prompt",
        (
            Reading("<answer>[{'action': 'click', 'coordinate': [500, 250]}]</answer>", "500 250"),
            Reading("<answer>[{'action': 'click', 'bounding box': [400, 200, 600, 300]}]</answer>", "500 250"),
            Reading("<answer>[{'action': 'click', 'coordinate': [400, 200, 600, 300]}]</answer>", "500 250"),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("zonui",),
        "ZonUI-3B",
        "main/eval_screenspot.py",
        "5bdcf56",
        "inference/inference.ipynb",
        (
            Reading("[500, 250]", "500 250"),
            Reading("(500, 250)", "500 250"),
            Reading("[400, 200, 600, 300]", "500 250"),
            Reading("[400, 200], [600, 300]", "fails"),
            Reading("It is [500, 250]", "fails", WORDS),
            Reading("none", "fails"),
        ),
    ),
    ReleasedParser(
        ("evocua",),
        "EvoCUA",
        "mm_agents/evocua/evocua_agent.py",
        "4a0ad5f",
        "its prompt",
        (
            Reading("Action: Click it.\n" + call("[500, 250]"), "500 250"),
            Reading(call("[400, 200, 600, 300]"), "fails"),
            Reading(
                '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [100, 900]}}', "100 900"
            ),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("mai-ui",),
        "MAI-UI",
        "src/mai_grounding_agent.py",
        "4dd07b9",
        "its docstring",
        (
            Reading(
                '<grounding_think>[1, 2]</grounding_think>\n<answer>\n{"coordinate":[500,250]}\n</answer>',
                "500.5 250.25",
            ),
            Reading('<answer>{"coordinate": [400, 200, 600, 300]}</answer>', "fails"),
            Reading('<answer>{"coordinate": [[400, 200], [600, 300]]}</answer>', "fails"),
            Reading(
                '<answer>{"coordinate": [500, 250]}</answer><answer>{"coordinate": [1, 2]}</answer>', "500.5 250.25"
            ),
            Reading(
                '<answer>{"coordinate":[500,250]}}</answer>',
                "fails",
                "its logged answers end so; the bracket too many changes nothing",
            ),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("internvl",),
        "InternVL",
        "internvl_chat/eval/refcoco/evaluate_grounding.py",
        "2410d1d",
        "its prompt",
        (
            Reading("<ref>it</ref><box>[[400, 200, 600, 300]]</box>", "500 250"),
            Reading("it[[400, 200, 600, 300], [1, 2, 3, 4]]", "500 250"),
            Reading("[400, 200, 600, 300]", "500 250"),
            Reading("[[500, 250]]", "0 0", CORNER),
            Reading("[[400, 200], [600, 300]]", "0 0", CORNER),
        ),
    ),
    ReleasedParser(
        ("agentcpm-gui",),
        "AgentCPM-GUI",
        "eval/grounding_eval/code/minicpm/text2bbox_eval_minicpm.py",
        "acbaf50",
        "README.md",
        (
            Reading('{"thought":"tap [1,2]","POINT":[500,250]}', "500 250"),
            Reading('{"POINT":[400,200,600,300]}', "400 200"),
            Reading('{"POINT":[[400,200],[600,300]]}', "fails"),
            Reading('{"STATUS":"impossible"}', "fails"),
            Reading("none", "fails"),
        ),
    ),
    ReleasedParser(
        ("seeclick",),
        "SeeClick",
        "pretrain/process_utils.py",
        "0ef37ac",
        "README.md",
        (
            Reading("(0.5,0.25)", "500 250"),
            Reading("(0.4,0.2,0.6,0.3)", "500 250"),
            Reading("(0.4,0.2),(0.6,0.3)", "500 250"),
            Reading("<ref>it</ref><box>(400,200),(600,300)</box>", "500 250"),
            Reading("The place is (0.5,0.25)", "500 250"),
            Reading("none", "fails"),
        ),
    ),
    ReleasedParser(
        ("cogagent",),
        "CogAgent",
        "app/client.py",
        "5fde01e",
        "README.md",
        (
            Reading(
                "Action: Click on it.\nGrounded Operation: CLICK(box=[[400,200,600,300]], element_type='button')",
                "500 250",
            ),
            Reading("Action: at [[1,2,3,4]]\nGrounded Operation: CLICK(box=[[400,200,600,300]])", "500 250"),
            Reading("Grounded Operation: CLICK(box=[[500,250]])", "nothing"),
            Reading("Grounded Operation: CLICK(box=[[400,200],[600,300]])", "fails"),
            Reading(
                "Grounded Operation: CLICK(box=[400,200,600,300])", "fails", "its function that draws the box reads it"
            ),
            Reading("Grounded Operation: END()", "nothing"),
            Reading("CLICK(box=[[400,200,600,300]])", "nothing"),
        ),
    ),
    ReleasedParser(
        ("cogagent-chat",),
        "CogVLM",
        "utils/utils/grounding_parser.py",
        "f7283b2",
        "README.md",
        (
            Reading("1. Click the icon [[400,200,600,300]]", "500 250"),
            Reading("[[500,250]]", "fails"),
            Reading("none", "nothing"),
        ),
    ),
    ReleasedParser(
        ("aria-ui",),
        "Aria-UI",
        "AndroidWorld/agents/m3a_aria_ui.py",
        "2f87eb7",
        "its docstring",
        (
            Reading("(500, 250)", "500 250"),
            Reading("[500, 250]", "500 250"),
            Reading("```\n(500,250)\n```", "500 250"),
            Reading("(500, 250)<|im_end|>", "500 250"),
            Reading("(400, 200), (600, 300)", "fails"),
            Reading("(400, 200, 600, 300)", "fails"),
            Reading("It is at (500, 250).", "500 250"),
        ),
    ),
    ReleasedParser(
        ("claude",),
        "claude-quickstarts",
        "computer-use-demo/computer_use_demo/tools/computer.py",
        "370e18d",
        "tests/tools/computer_test.py",
        (
            Reading('{"action": "left_click", "coordinate": [500, 250]}', "500 250"),
            Reading('{"coordinate": [400, 200, 600, 300]}', "fails"),
            Reading('{"coordinate": [[400, 200], [600, 300]]}', "fails"),
            Reading('{"coordinate": [500.5, 250]}', "fails", "parts of a pixel are a place"),
            Reading('{"coordinate": "[500, 250]"}', "fails", "servers hand lists on as texts"),
            Reading('{"coordinate": [-1, 250]}', "fails", "a place a little outside is drawn in"),
            Reading('{"coordinate": null}', "fails"),
        ),
    ),
    ReleasedParser(
        ("gemini-computer-use",),
        "google-gemini/computer-use-preview",
        "agent.py",
        "c93bb2d",
        "test_agent.py",
        (
            Reading('{"x": 500, "y": 250}', "500 250"),
            Reading('{"y": 250, "x": 500}', "500 250"),
            Reading('{"x": 500}', "fails"),
        ),
    ),
)

WITHOUT = {
    "os-atlas-base-7b": "its repository prints the answer and reads none of it",
    "os-atlas-base-4b": "its repository prints the answer and reads none of it",
    "qwen2-vl": "its cookbooks show its answers and no reader of other forms",
    "qwen2.5-vl": "its cookbooks show its answers and no reader of other forms",
    "qwen2.5-vl-tools": "its cookbooks show its answers and no reader of other forms",
    "qwen3-vl": "its cookbooks show its answers and no reader of other forms",
    "qwen3-vl-thinking": "its cookbooks show its answers and no reader of other forms",
    "qwen3-vl-tools": "its cookbooks show its answers and no reader of other forms",
    "qwen3.5": "its cookbooks show its answers and no reader of other forms",
    "qwen3.5-tools": "its cookbooks show its answers and no reader of other forms",
    "jedi": "its agents are known from a copy by others",
    "fara-1.5": "its form is known from a re-implementation by others",
    "holo3": "its vendor's guide is a web page, which shows the object it answers",
    "qwen-omni": "nothing about pointing was released",
    "minicpm-v": "its demos take boxes out of an answer and read none",
    "kimi-vl": "what its numbers mean is known from an issue",
    "glm-v": "its code hands the call on as text (examples/gui-agent/glm-45v/gui_agent_45v.py, 8fc9756)",
    "moondream": "its own method answers points, not text",
    "gemini": "its boxes are documented, and no code reads them",
    "openai": "it is asked in our words, for a form of ours",
    "openai-computer-use": "the provider hands over x and y, not text",
    "yutori-n1": "it is asked in our words, for a form of ours",
    "mini-grounder": "it is ours: bench/training/grounder",
}
"""Families without a parser to compare, and why."""


def ours(family: str, answer: str) -> str:
    """What our family makes of an answer, in the words of `Reading.theirs`."""
    found = get(family).parse(answer, SCREEN, SCREEN)
    if isinstance(found, Abstention):
        return {"unparsable": "nothing", "out_of_range": "out of range"}.get(found.reason, found.reason)
    x, y = found.point.to_pixels(SCREEN)
    return f"{x:.5g} {y:.5g}"


def agree(theirs: str, found: str) -> bool:
    """Whether two readings are the same place, to the pixel that released code rounds to, or both no click."""
    one, other = _place(theirs), _place(found)
    if one is not None and other is not None:
        return all(abs(a - b) < 1 for a, b in zip(one, other, strict=True))
    if one is not None or other is not None:
        return False
    return theirs == found or (theirs in ("nothing", "fails") and found in NO_CLICK)


def _place(reading: str) -> tuple[float, float] | None:
    x, _, y = reading.partition(" ")
    return (float(x), float(y)) if y.replace(".", "").isdigit() else None


def written() -> str:
    """The page."""
    readings = [(one, reading) for one in PARSERS for reading in one.readings]
    alike = sum(not reading.why for _, reading in readings)
    lines = [
        _HEAD.format(
            answers=len(readings),
            parsers=len(PARSERS),
            alike=alike,
            otherwise=len(readings) - alike,
        )
    ]
    for one in PARSERS:
        lines += [
            f"## {', '.join(f'`{name}`' for name in one.families)}",
            f"{one.repository} `{one.path}` ({one.commit}); answers in the form of {one.forms}.",
            _table(
                ("answer", "theirs", "ours", "why"),
                [
                    (_code(said.answer), said.theirs, ours(one.families[0], said.answer), said.why)
                    for said in one.readings
                ],
            ),
        ]
    lines += [
        "## Families without one",
        "They are read by the general rules of [families](families.md).",
        _table(("family", "why"), [(f"`{name}`", why) for name, why in WITHOUT.items()]),
    ]
    return "\n\n".join(lines) + "\n"


_HEAD = """# Released parsers that point, and what ours do

What the parsers that were released with models that point make of {answers} answers, and what ours make of them. The
answers are small ones of our own, in the forms of each repository's tests, docstrings and examples, on a screen of
1000x1000 pixels. Of the answers to {parsers} parsers {alike} are read as theirs read them, to the pixel they round to,
and {otherwise} otherwise, each for the reason beside it. "nothing" is no place, "fails" an error of theirs.

`python docs/figures/pointing_parsers.py` writes this page, and a test compares it. What was read of each family, and
how sure we are of it: [families](families.md). Of planners: [acting parsers](acting-parsers.md)."""


def _code(text: str) -> str:
    ticks = 1
    while "`" * ticks in text:
        ticks += 1
    room = " " * (ticks > 1)
    return f"{'`' * ticks}{room}{' '.join(text.split())}{room}{'`' * ticks}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
