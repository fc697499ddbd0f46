"""Replies as models really write them: what is read, what is refused, and nothing in between."""

from __future__ import annotations

import pytest

from omnipilot.envs import Point, Size
from omnipilot.grounders import Abstention, Grounding
from omnipilot.grounders.families import get
from omnipilot.memory.models.replies.text import without_reasoning

HD, UHD, PHONE = Size(1920, 1080), Size(3840, 2160), Size(1080, 2400)
CALL = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}'
XML = "<function=computer>\n<parameter=action>left_click</parameter>\n<parameter=coordinate>[500, 250]</parameter>\n"


def read(family: str, reply: str, screenshot: Size = HD) -> Grounding | Abstention:
    record = get(family)
    return record.parse(record.completed(reply), record.sent_size(screenshot), screenshot)


@pytest.mark.parametrize(
    ("family", "reply", "screenshot", "pixels"),
    [
        ("gelato", "(745, 315)", HD, (1430.4, 340.2)),
        ("ui-tars-1.5", "Action: click(start_box='(197,525)')", HD, (195.8, 519.2)),
        (
            "mai-ui",
            '<grounding_think>[1, 2]</grounding_think>\n<answer>\n{"coordinate":[109,608]}\n</answer>',
            UHD,
            (418.56, 1313.28),
        ),
        ("mai-ui", '<answer>{"coordinate":[109,608]}}</answer>', UHD, (418.56, 1313.28)),
        ("qwen2.5-vl-tools", "935, 406]}}", PHONE, (935 * 1080 / 1092, 406 * 2400 / 2408)),
        ("ui-tars", "(500,500)", HD, (960, 540)),
        ("evocua", CALL, HD, (500 / 999 * 1920, 250 / 999 * 1080)),
        ("gemini", '[{"box_2d": [100, 200, 300, 400], "label": "it"}]', HD, (576, 216)),
        ("gemini", '[{"point": [100, 200], "label": "it"}]', HD, (384, 108)),
        ("claude", '{"action": "left_click", "coordinate": "[728, 409.5]"}', HD, (960, 540)),
        ("showui", "[0.73, 0.21]", HD, (1401.6, 226.8)),
        ("holo1", "Click(700, 350)", Size(1710, 852), (855, 426)),
        ("ui-venus-ground", "[1176,672,1176,672]", HD, (960, 540)),
        ("opencua", " ```python\npyautogui.click(x=1443, y=343)\n```", HD, (1443 * 1920 / 1932, 343 * 1080 / 1092)),
    ],
)
def test_worked_examples(family: str, reply: str, screenshot: Size, pixels: tuple[float, float]) -> None:
    found = read(family, reply, screenshot)
    assert isinstance(found, Grounding), found
    assert found.point.to_pixels(screenshot) == pytest.approx(pixels, abs=0.06)


MIDDLE = [
    ("uground-v1", "(500, 250)"),
    ("uground-v1", "Sure! The button is at (500, 250), next to (1, 2)."),
    ("uground-v1", "（500，250）"),
    ("uground-v1", "\ufeff500, 250"),
    ("uground-v1", "[500.0, 250.0]"),
    *((family, "[500, 250], [600, 300]") for family in ("openai", "gelato")),
    *((family, "(500, 250), (600, 300)") for family in ("openai", "gelato")),
    ("openai", "[[500, 250], [600, 300]]"),
    ("gta1", "(966,273),(1000,300)"),
    ("openai", '{"coordinate": [[500, 250], [800, 300]]}'),
    ("aguvis", "pyautogui.click(y=0.25, x=0.5)"),
    ("aguvis", "pyautogui.click(y=0.25, clicks=2, x=0.5)"),
    ("opencua", "pyautogui.click(y=273, x=966)"),
    ("gemini", '{"x": 500, "y": 250}'),
    ("gemini", '[{"point": {"y": 250, "x": 500}, "label": "it"}]'),
    ("gemini", '[{"box_2d": {"ymin": 200, "xmin": 400, "ymax": 300, "xmax": 600}}]'),
    ("seeclick", "<ref>it</ref><box>(400,200),(600,300)</box>"),
    ("qwen2.5-vl-tools", '{"name": "computer_use", "arguments": {"action": "click", "coordinate": [966, 273]}}'),
    ("qwen2.5-vl-tools", '<tool_call>{"name":"computer_use","arguments":{"coordinate":[966,273]}}</tool_call>'),
    ("qwen2.5-vl-tools", 'It is there.\n<tool_call>{"name":"a","arguments":{"coordinate":[966,273]}}</tool_call>'),
    ("ui-tars", "<think>it is at (1,2).\nAction: click(start_box='(500,250)')"),
    ("qwen3-vl-tools", f"<think>at [1, 2]\n<tool_call>{CALL}</tool_call>"),
    ("ui-tars", "Action: click(element_info='the (1,2) cell', start_box='(500,250)')"),
    ("glm-v", "Action: left_click(start_box='[499.5,249.75]', element_info='a (1,2) b')"),
    ("ui-tars", "Thought: it is at (1,2).\nAction: click(start_box='<|box_start|>(500,250)<|box_end|>')"),
    ("ui-tars", "Thought: (1,2).\nAction： click(start_box='(500,250)')"),
    ("ui-tars", 'click(start_box="(500,250)")'),
    ("ui-tars", "click(start_box='[500,250]')"),
    ("ui-tars", "click(start_box='[400,200,600,300]')"),
    ("ui-tars", "click(start_box='<bbox>400 200 600 300</bbox>')"),
    ("ui-tars", "click(point='<point>500 250</point>'')"),
    ("ui-tars", "<point>500, 250<point>"),
    ("ui-tars", "<bbox>400 200 600 300</bbox>"),
    ("ui-tars", "Action: drag(start_box='(500,250)', end_box='(1,2)')"),
    ("ui-tars-2", "<seed:tool_call><function=click><parameter=point><point>500 250</point></parameter></function>"),
    ("ui-tars-2", "<gui_think>(1,2)</gui_think><function name='click'><parameter name='point'>500 250</parameter>"),
    ("ui-tars-2", "<think_never_used_51bce0>(1, 2)</think_never_used_51bce0><point>500 250</point>"),
    ("os-atlas-base-7b", "language switch(400,200),(600,300)"),
    ("os-atlas-base-7b", "<|box_start|>(400,200),(600,300)<|box_end|><|im_end|>"),
    ("os-atlas-base-4b", "[[1,2]] no, [[500,250]]"),
    ("os-atlas-pro-7b", "thoughts:\n(1,2)\nactions:\nCLICK <point>[[500,250]]</point>"),
    ("showui", "{'action':'CLICK','value':None,'position':[0.5,0.25]}, {'action':'ENTER','value':None}"),
    ("seeclick", '{"action_type": 4, "click_point": (0.5,0.25)}'),
    ("aguvis", "pyautogui.click(x=0.5, y=0.25)"),
    ("aguvis", "pyautogui.click(0.5, 0.25, clicks=2)"),
    ("cogagent", "Action: it at [[1,2,3,4]]\nGrounded Operation: CLICK(box=[[400,200,600,300]], element_type='b')"),
    ("cogagent", "Grounded Operation: CLICK(box=[400,200,600,300])"),
    ("qwen3-vl", '```json\n[{"bbox_2d": [400, 200, 600, 300], "label": "a"}, {"bbox_2d": [1, 2, 3, 4]}]\n```'),
    ("qwen3-vl", '{"point_2d": [500, 250]}'),
    ("qwen3-vl-tools", f"<tool_call>\n{CALL}\n</tool_call>"),
    ("qwen3-vl-tools", f"<tool_call>{CALL[:-1]}</tool_call>"),
    ("qwen3-vl-tools", f"<tool_call>{CALL[:-2]}</tool_call>"),
    ("qwen3-vl-tools", f"<tool_call>{CALL}}}</tool_call>"),
    ("qwen3-vl-tools", f"⚗\n{CALL}\n⚗"),
    ("qwen3-vl-tools", f"at [1, 2] <tool_call>{CALL}</tool_call>"),
    ("qwen3-vl-tools", CALL.replace("computer_use", "mobile_use").replace("left_click", "click")),
    ("qwen3-vl-tools", CALL.replace("[500, 250]", '"[500, 250]"')),
    ("qwen3-vl-tools", CALL.replace("[500, 250]", '["500", "250"]')),
    ("qwen3-vl-tools", '{"name": "a", "arguments": {"name": "b", "arguments": {"coordinate": [500, 250]}}}'),
    ("qwen3-vl-tools", '{"name": "a", "arguments": "{\\"coordinate\\": [500, 250]}"}'),
    ("qwen3-vl-tools", CALL.replace('"', "'")),
    ("qwen3-vl-tools", '{"name": broken, "arguments": {"coordinate": [500, 250]}}'),
    ("qwen3.5-tools", f"<tool_call>\n{XML}</function>\n</tool_call>"),
    ("ui-ins", f"<think>[1, 2] or (3, 4)</think>\n<tool_call>{CALL}</tool_call>".replace("[500, 250]", "[966, 273]")),
    ("scalecua", "<action>\nclick(x=938, y=259)\n</action>"),
    ("holo2", '{"x": 500, "y": 250}'),
    ("internvl", "<ref>it</ref><box>[[400, 200.0, 600, 300]]</box>"),
    ("internvl", "it[[400, 200, 600, 300]]"),
    ("minicpm-v", "<box>400 200 600 300</box>"),
    ("minicpm-v", " 400 200 600 300"),
    ("agentcpm-gui", '{"thought":"at [1,2]","POINT":[500,250]}'),
    ("kimi-vl", "## Action:\nclick (1, 2)\n## Code:\n```python\npyautogui.click(x=0.5, y=0.25)\n```"),
    ("moondream", '{"points": [{"x": 0.5, "y": 0.25}]}'),
    ("se-gui", "966, 273]}}\n</tool_call><|im_end|>"),
    ("infigui-g1", '<think>at [1, 2]</think>[{"point_2d": [966, 273]}, {"point_2d": [1, 2]}]'),
    ("infigui-r1", '<think>so</think>\n```json\n[\n    {"point_2d": [966, 273], "label": "it"}\n]```'),
    ("holo3", '{"x": 500, "y": 250}'),
    ("moondream", '{"objects": [{"x_min": 0.4, "y_min": 0.2, "x_max": 0.6, "y_max": 0.3}]}'),
]


@pytest.mark.parametrize(("family", "reply"), MIDDLE)
def test_a_variant_is_read(family: str, reply: str) -> None:
    found = read(family, reply)
    assert isinstance(found, Grounding), found
    assert (found.point.x, found.point.y) == pytest.approx((0.5, 0.25), abs=0.001)


# What an answer says amid words is less than what it says in its own form, and nothing that it types or quotes counts.
MIDDLE += [
    ("qwen3-vl", 'Of the icons [1, 2] I mean {"bbox_2d": [400, 200, 600, 300], "label": "save"}'),
    ("claude", 'In [row 1] of [3, 4]:\n```json\n{"coordinate": [728, 204.75]}\n```'),
    ("claude", 'First {"row": 3}, then {"coordinate": [728, 204.75]}'),
    ("holo2", 'Seen at (1, 2), so {"x": 500, "y": 250}'),
    ("uground-v1", "In row (1, 2) of the table:\n(500, 250)"),
    ("aria-ui", "Not at (1, 2):\n```\n(500, 250)\n```"),
    ("opencua", "pyautogui.click(x=1, y=2) would miss.\n```python\npyautogui.click(x=966, y=273)\n```"),
    ("opencua", "I could use click(x=1, y=2).\npyautogui.click(x=966, y=273)"),
    ("kimi-vl", "click(0.1, 0.2) is wrong.\npyautogui.click(0.5, 0.25)"),
    ("ui-tars", "Action: click(element_info='start_box=(1,2)', start_box='(500,250)')"),
    ("glm-v", "Action: left_click(element_info=\"point='[1,2]'\", start_box='[499.5,249.75]')"),
    ("qwen3-vl-tools", CALL.replace('"coordinate"', '"label": "{\'coordinate\': [1, 2]}", "coordinate"')),
    # Whoever searches for "not found" finds it, and a name in quotes says nothing about the target.
    ("uground-v1", 'The banner "not found" is at (500, 250).'),
    ("claude", '{"label": "is not found", "coordinate": [728, 204.75]}'),
    ("uground-v1", "Perhaps (1, 2).\nAnswer: (500, 250)"),
    ("uground-v1", "I think (1, 2) is close. <answer>(500, 250)</answer>"),
    ("gta1", "See (1,2).\n\\boxed{(966,273)}"),
    ("uground-v1", "(500, 250) is where it is; another one could not be found."),
]

UNREADABLE = [
    # Four numbers of a family that answers points: their middle was named by nobody.
    *((family, "[400, 200, 600, 300]") for family in ("uground-v1", "gta1", "gelato", "aria-ui", "showui")),
    ("claude", '{"coordinate": [400, 200, 600, 300]}'),
    # What is typed or said is no place.
    ("ui-tars", "Action: finished(content='the cell (5,6)')"),
    ("ui-tars", "Action: finished(content='it\\'s at (5,6)')"),
    ("ui-tars", "Action: type(content=\"start_box='(5,6)'\")"),
    ("ui-tars", "Action: type(content='(5,6)"),
    ("os-atlas-pro-7b", "thoughts:\na\nactions:\nTYPE [hello [[5,6]]]"),
    ("os-atlas-pro-4b", "actions:\nTYPE [hello <point>[[5,6]]</point>]"),
    ("scalecua", "<action>\nresponse(answer='(5, 6)')\n</action>"),
    ("aguvis", "pyautogui.write(message='x=5, y=6')"),
    ("opencua", "```python\npyautogui.write('(5, 6)')\n```"),
    ("glm-v", "Action: type(content='[5,6]')"),
    *(
        ("uground-v1", reply)
        for reply in ("", "   ", "(1.1)", "[]", "(500, 25", "(500 250", "(1, 2, 3)", "no", "(a, b)")
    ),
    *(
        ("ui-tars", f"click(start_box={box}) (500, 250)")
        for box in ("''", "'[]'", "'(1.1)'", '"(1,)"', "", "'(1,2,3)'", "'one, two'", "'0.5.3'")
    ),
    *(
        ("ui-tars", reply)
        for reply in ("<point></point> (1, 2)", "<point>1</point>", "<point>500 25", "Action: wait()")
    ),
    ("ui-tars-2", "<seed:tool_call></seed:tool_call>"),
    ("ui-tars-2", "<seed:tool_call><function=wait></function></seed:tool_call>"),
    ("ui-tars-2", "<function=click><parameter=point><point>500 25"),
    ("cogagent", "CLICK(box=[[400,200,600,300]])"),
    ("cogagent", "Grounded Operation: CLICK(box=[[400,200,600]])"),
    ("os-atlas-base-4b", "[[500,25"),
    ("aguvis", "pyautogui.click(x=0.5, y=0.2"),
    ("aguvis", "pyautogui.click(x=0.5) (0.1, 0.2)"),
    ("qwen3-vl-tools", '{"name": "computer_use", "arguments": {"action": "wait", "time": 3}} (1, 2)'),
    ("qwen3-vl-tools", '{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}'),
    *(
        ("qwen3-vl-tools", CALL.replace("[500, 250]", place))
        for place in (
            "[]",
            "500",
            "[500]",
            "[true, false]",
            '"here"',
            "[500, NaN]",
            "{}",
            "[[1,2],[3,4],[5,6]]",
        )
    ),
    ("qwen3-vl-tools", CALL[: CALL.index("0]}}")]),
    ("qwen3.5-tools", XML[: XML.index("0]")]),
    ("qwen3.5-tools", "<function=computer><parameter=action>wait</parameter></function> (1, 2)"),
    ("holo2", '{"x": 500, "y": 25'),
    # A place in a text that is typed.
    ("qwen3-vl-tools", '{"arguments": {"action": "type", "text": "{\'coordinate\': [1, 2]}"}}'),
    ("qwen3-vl-tools", '{"arguments": {"action": "type", "text": "\'coordinate\': [1, 2]"}}'),
    ("qwen3.5-tools", "<function=computer><parameter=text>[1, 2]</parameter></function>"),
    ("holo2", '{"x": 500}'),
    ("uground-v1", "<think>it is at (500, 250), or"),
]


@pytest.mark.parametrize(("family", "reply"), UNREADABLE)
def test_what_cannot_be_read_is_no_place(family: str, reply: str) -> None:
    found = read(family, reply)
    assert isinstance(found, Abstention) and found.reason == "unparsable", found
    assert family in found.detail


@pytest.mark.parametrize(
    ("family", "reply"),
    [
        ("gelato-refusal", "refusal"),
        ("gelato", "Refusal."),
        ("ui-venus-1.5", "[-1,-1]"),
        ("ui-venus-2", "<think>no</think>[-1, -1]"),
        (
            "gui-owl-1.5",
            '<tool_call>{"name": "x", "arguments": {"action": "terminate", "status": "failure"}}</tool_call>',
        ),
        (
            "qwen3.5-tools",
            "<function=computer><parameter=action>terminate</parameter><parameter=status>failure</parameter></function>",
        ),
        ("moondream", '{"points": []}'),
        ("os-atlas-pro-7b", "thoughts:\nno\nactions:\nIMPOSSIBLE"),
        ("agentcpm-gui", '{"thought":"no","STATUS":"impossible"}'),
        ("glm-v", "Action: <|begin_of_box|>FAIL()<|end_of_box|>"),
        ("uground-v1", "(-1, -1)"),
        ("claude", "not found"),
        ("claude", '{"coordinate": "not found"}'),
        ("openai", '```json\n{"coordinate": "Not found."}\n```'),
        ("qwen3-vl-tools", CALL.replace("[500, 250]", '"not found"')),
        # Refusals as objects, as nothing, and in words before a place.
        ("qwen3-vl-tools", CALL.replace("[500, 250]", "null")),
        ("qwen3-vl-tools", CALL.replace("[500, 250]", "[null, null]")),
        ("qwen3.5-tools", XML.replace("[500, 250]", "null") + "</function>"),
        ("claude", '{"coordinate": null, "reason": "there is no such button"}'),
        ("claude", '{"error": "the button is hidden"}'),
        ("claude", "null"),
        ("claude", '{"coordinate": {"x": null, "y": null}}'),
        ("claude", '{"result": null}'),
        ("claude", "There is no such button; the nearest is [412, 88]."),
        ("moondream", '{"objects": []}'),
        ("qwen3-vl", '[{"bbox_2d": null, "label": "it"}]'),
        ("qwen3-vl", '{"found": false}'),
        ("holo2", '{"x": null, "y": null}'),
        ("openai", '{"result": "not found"}'),
        ("mai-ui", '<answer>{"status": "Not_Found"}</answer>'),
        ("uground-v1", "The icon is not found. The closest is (500, 250)."),
        ("gta1", "I cannot find it, perhaps (500, 250)"),
        ("claude", 'The bin could not be found in this screenshot.\n{"coordinate": [0, 0]}'),
        ("ui-venus-1.5", "It does not exist here: [1,2]"),
    ],
)
def test_a_refusal_is_one(family: str, reply: str) -> None:
    found = read(family, reply)
    assert isinstance(found, Abstention) and found.reason == "refused", found


@pytest.mark.parametrize(
    ("family", "reply"),
    [
        ("uground-v1", "(1021, 500)"),
        ("uground-v1", "(-21, 500)"),
        ("showui", "[500, 250]"),
        ("ui-tars-1.5", "(1980, 500)"),
        ("qwen3-vl", '[{"bbox_2d": [900, 900, 1100, 1000]}]'),
        ("uground-v1", f"({'9' * 5000}, 1)"),
        ("qwen3-vl", f'{{"point_2d": [{"9" * 5000}, 1]}}'),
    ],
)
def test_outside_the_picture_is_out_of_range(family: str, reply: str) -> None:
    found = read(family, reply)
    assert isinstance(found, Abstention) and found.reason == "out_of_range", found


def test_a_little_outside_is_drawn_in_and_a_box_is_kept() -> None:
    found = read("gta1", "(1935,1093)")
    assert isinstance(found, Grounding) and found.point.to_pixel(HD) == (1919, 1079)
    boxed = read("internvl", "[[600, 300, 400, 200]]")
    assert isinstance(boxed, Grounding) and boxed.box is not None
    assert boxed.box.center == boxed.point == Point(0.5, 0.25)


def test_reasoning_goes_and_nothing_else() -> None:
    for tag in ("think", "thinking", "thinkt", "think_never_used_a1b2", "Thought", "grounding_think", "gui_think"):
        assert without_reasoning(f"a<{tag}>b</{tag}>c") == "ac"
        assert without_reasoning(f"b</{tag}>c</{tag}>d") == "d"
        assert without_reasoning(f"a<{tag}>b") == "a"
    assert without_reasoning("a◁think▷b◁/think▷c") == "ac"
    assert without_reasoning("a<think>b<think>c</think>d") == "ad"
    assert without_reasoning("I <thank> you") == "I <thank> you"
