"""Small answers of models that act, what their authors' released parsers made of them, and what they mean.

The answers are ours, in the forms of each repository's own tests, examples and prompts. `returned` was written down
after the released function had run on the answer, on a screen of 1000x1000, outside of this repository.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, and how it is read.

    Attributes:
        said: the answer; the arguments of a call where the server hands calls over, after "@" and its name.
        returned: what the released parser returned or raised, shortened.
        means: what that does, in the words of `acting_parsers_table.in_words`; "" for no action.
        why: why ours means something else, "" where it does not.
    """

    said: str
    returned: str
    means: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReleasedParser:
    """A released parser.

    Attributes:
        family: the name of our family. where: its repository, file and commit. function: what was run.
    """

    family: str
    where: str
    function: str
    reads: tuple[Reading, ...]


PARSERS: tuple[ReleasedParser, ...] = (
    ReleasedParser(
        "ui-tars",
        "UI-TARS codes/ui_tars/action_parser.py (582f3a7)",
        "parse_action_to_structure_output",
        (
            Reading(
                "Thought: There.\nAction: click(start_box='(200,300)')",
                "[('click', {'start_box': '[0.2, 0.3, 0.2, 0.3]'})]",
                "click(at=(200, 300))",
            ),
            Reading(
                "Thought: There.\nAction: click(point='<point>200 300</point>')",
                "[('click', {'start_box': '[0.2, 0.3, 0.2, 0.3]'})]",
                "click(at=(200, 300))",
            ),
            Reading(
                "Thought: There.\nAction: click(start_box='<|box_start|>(200,300)<|box_end|>')",
                "ValueError: could not convert string to float: '<|box_start|>200'",
                "",
                "servers strip these tokens; where one does not, theirs fails",
            ),
            Reading(
                "Thought: There.\nAction: left_double(start_box='(200,300)')",
                "[('left_double', {'start_box': '[0.2, 0.3, 0.2, 0.3]'})]",
                "click(at=(200, 300), count=2)",
            ),
            Reading(
                "Thought: There.\nAction: click(start_box='(100,200,300,400)')",
                "[('click', {'start_box': '[0.1, 0.2, 0.3, 0.4]'})]",
                "click(at=(200, 300))",
            ),
            Reading(
                "Thought: There.\nAction: drag(start_box='(100,200)', end_box='(300,400)')",
                "[('drag', {'start_box': '[0.1, 0.2, 0.1, 0.2]', 'end_box': '[0.3, 0.4, 0.3, 0.4]'})]",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                "Thought: There.\nAction: drag(start_point='<point>100 200</point>', end_point='<point>300 400</point>')",
                "[('drag', {'start_box': '[0.1, 0.2, 0.1, 0.2]', 'end_box': '[0.3, 0.4, 0.3, 0.4]'})]",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                "Thought: There.\nAction: scroll(point='<point>500 500</point>', direction='down')",
                "[('scroll', {'start_box': '[0.5, 0.5, 0.5, 0.5]', 'direction': 'down'})]",
                "scroll(direction='down', at=(500, 500), amount=5)",
            ),
            Reading(
                "Thought: There.\nAction: hotkey(key='ctrl c')", "[('hotkey', {'key': 'ctrl c'})]", "press(keys=ctrl+c)"
            ),
            Reading(
                "Thought: There.\nAction: type(content='it's here')",
                "[('type', {'content': \"it's here\"})]",
                'type(text="it\'s here")',
            ),
            Reading(
                "Thought: There.\nAction: type(content='two\\nlines')",
                "[('type', {'content': 'two\\nlines'})]",
                "type(text='two\\nlines')",
            ),
            Reading(
                "Thought: There.\nAction: type(content='name\\n')",
                "[('type', {'content': 'name\\n'})]",
                "type(text='name', submit=True)",
            ),
            Reading("Thought: There.\nAction: wait()", "[('wait', {})]", "wait(seconds=5)"),
            Reading(
                "Thought: There.\nAction: finished(content='42')",
                "[('finished', {'content': '42'})]",
                "answer(text='42'); done()",
            ),
            Reading(
                "Thought: There.\nAction: click(start_box='(200,300)')\n\nclick(start_box='(300,400)')",
                "[('click', {'start_box': '[0.2, 0.3, 0.2, 0.3]'}), ('click', {'start_box': '[0.3, 0.4, 0.3, 0.4]'})]",
                "click(at=(200, 300)); click(at=(300, 400))",
            ),
            Reading(
                "Reflection: No.\nAction_Summary: Again.\nAction: right_single(start_box='(200,300)')",
                "[('right_single', {'start_box': '[0.2, 0.3, 0.2, 0.3]'})]",
                "click(at=(200, 300), button='right')",
            ),
            Reading("I click on it.", "AssertionError: ", ""),
        ),
    ),
    ReleasedParser(
        "mai-ui",
        "MAI-UI src/mai_naivigation_agent.py (4dd07b9)",
        "parse_action_to_structure_output",
        (
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 250]}}\n</tool_call>',
                "{'action': 'click', 'coordinate': [0.5005, 0.2503]}",
                "click(at=(500, 250))",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [400, 200, 600, 300]}}\n</tool_call>',
                "{'action': 'click', 'coordinate': [0.5005, 0.2503]}",
                "click(at=(500, 250))",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "long_press", "coordinate": [500, 250]}}\n</tool_call>',
                "{'action': 'long_press', 'coordinate': [0.5005, 0.2503]}",
                "long_press(at=(500, 250))",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "type", "text": "it\'s"}}\n</tool_call>',
                "{'action': 'type', 'text': \"it's\"}",
                'type(text="it\'s")',
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "swipe", "direction": "up"}}\n</tool_call>',
                "{'action': 'swipe', 'direction': 'up'}",
                "swipe(direction='up')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "swipe", "direction": "up", "coordinate": [500, 250]}}\n</tool_call>',
                "{'action': 'swipe', 'direction': 'up', 'coordinate': [0.5005, 0.2503]}",
                "swipe(direction='up', start=(500, 250))",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "drag", "start_coordinate": [100, 200], "end_coordinate": [300, 400]}}\n</tool_call>',
                "{'action': 'drag', 'start_coordinate': [0.1001, 0.2002], 'end_coordinate': [0.3003, 0.4004]}",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "system_button", "button": "back"}}\n</tool_call>',
                "{'action': 'system_button', 'button': 'back'}",
                "system(name='back')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "open", "text": "Clock"}}\n</tool_call>',
                "{'action': 'open', 'text': 'Clock'}",
                "open_app(app='Clock')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "ask_user", "text": "Which?"}}\n</tool_call>',
                "{'action': 'ask_user', 'text': 'Which?'}",
                "ask_user(text='Which?')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "answer", "text": "42"}}\n</tool_call>',
                "{'action': 'answer', 'text': '42'}",
                "answer(text='42')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "terminate", "status": "fail"}}\n</tool_call>',
                "{'action': 'terminate', 'status': 'fail'}",
                "done(status='failure')",
            ),
            Reading(
                '<thinking>\nIt is there.\n</thinking>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>',
                "{'action': 'wait'}",
                "wait()",
            ),
            Reading(
                'It is there.\n</think>\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>',
                "{'action': 'wait'}",
                "wait()",
            ),
            Reading(
                '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>',
                "TypeError: 'NoneType' object is not subscriptable",
                "",
                "theirs wants a thought in tags, and fails without",
            ),
        ),
    ),
    ReleasedParser(
        "glm-v",
        "GLM-V examples/gui-agent/glm-45v/gui_agent_45v.py (8fc9756)",
        "parse_pc_response, parse_mobile_response",
        (
            Reading(
                "It is there.\nAction: <|begin_of_box|>left_click(start_box='[500,250]', element_info='it')<|end_of_box|>\nMemory: []",
                "left_click(start_box='[500,250]', element_info='it')",
                "click(at=(500, 250))",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>left_drag(start_box='[100,200]', end_box='[300,400]', element_info='it')<|end_of_box|>\nMemory: []",
                "left_drag(start_box='[100,200]', end_box='[300,400]', element_info='it')",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>key(keys='ctrl+c')<|end_of_box|>\nMemory: []",
                "key(keys='ctrl+c')",
                "press(keys=ctrl+c)",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>type(content='a, b')<|end_of_box|>\nMemory: []",
                "type(content='a, b')",
                "type(text='a, b')",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>scroll(start_box='[500,250]', direction='down', step=5, element_info='')<|end_of_box|>\nMemory: []",
                "scroll(start_box='[500,250]', direction='down', step=5, element_info='')",
                "scroll(direction='down', at=(500, 250), amount=5)",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>WAIT()<|end_of_box|>\nMemory: []", "WAIT()", "wait(seconds=5)"
            ),
            Reading("It is there.\nAction: <|begin_of_box|>DONE()<|end_of_box|>\nMemory: []", "DONE()", "done()"),
            Reading(
                "It is there.\nAction: <|begin_of_box|>FAIL()<|end_of_box|>\nMemory: []",
                "FAIL()",
                "done(status='infeasible')",
            ),
            Reading(
                "It is there.\nleft_click(start_box='[500,250]', element_info='it')\nMemory: []",
                "left_click(start_box='[500,250]', element_info='it')",
                "click(at=(500, 250))",
            ),
            Reading(
                "It is there.\nAction: <|begin_of_box|>left_click(start_box='[500,250]')<|end_of_box|>\nMemory: []\nIt is there.\nAction: <|begin_of_box|>right_click(start_box='[100,200]')<|end_of_box|>\nMemory: []",
                "left_click(start_box='[500,250]')",
                "click(at=(500, 250))",
            ),
            Reading(
                "The item Save (Ctrl+S) is there, and new(file) too.\nleft_click(start_box='[500,250]', element_info='it')\nMemory: []",
                "new(file)",
                "",
                "theirs takes the first words that look like a call",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "click", "box_2d": [[500, 250]]}<|end_of_box|>',
                "{'action_type': 'click', 'box_2d': [[500, 250]]}",
                "click(at=(500, 250))",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "input_text", "text": "hi", "box_2d": [[500, 250]], "override": true}<|end_of_box|>',
                "{'action_type': 'input_text', 'text': 'hi', 'box_2d': [[500, 250]], 'override': True}",
                "type(text='hi', at=(500, 250), clear=True, submit=True)",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "swipe", "direction": "up"}<|end_of_box|>',
                "{'action_type': 'swipe', 'direction': 'up'}",
                "swipe(direction='up')",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "open_app", "app_name": "Clock"}<|end_of_box|>',
                "{'action_type': 'open_app', 'app_name': 'Clock'}",
                "open_app(app='Clock')",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "answer", "text": "42"}<|end_of_box|>',
                "{'action_type': 'answer', 'text': '42'}",
                "answer(text='42')",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "status", "goal_status": "infeasible"}<|end_of_box|>',
                "{'action_type': 'status', 'goal_status': 'infeasible'}",
                "done(status='infeasible')",
            ),
            Reading(
                'Memory: none\nReason: It is there.\nAction: <|begin_of_box|>{"action_type": "navigate_back"}<|end_of_box|>',
                "{'action_type': 'navigate_back'}",
                "system(name='back')",
            ),
        ),
    ),
    ReleasedParser(
        "gelab-zero",
        "gelab-zero copilot_tools/parser_0920_summary.py (19465cf)",
        "str2action",
        (
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:CLICK\tpoint:500,250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:CLICK\tpoint:500 250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:CLICK\tpoint:500, 250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:TYPE\tvalue:a: b\tpoint:500,250\tsummary:Did it.",
                "{'action': 'TYPE', 'value': 'a: b', 'point': [500, 250]}",
                "type(text='a: b')",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:SLIDE\tpoint1:500,800\tpoint2:500,200\tsummary:Did it.",
                "{'action': 'SLIDE', 'point1': [500, 800], 'point2': [500, 200]}",
                "swipe(start=(500, 800), end=(500, 200))",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:LONGPRESS\tpoint:500,250\tsummary:Did it.",
                "{'action': 'LONGPRESS', 'point': [500, 250]}",
                "long_press(at=(500, 250))",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:WAIT\tvalue:3\tsummary:Did it.",
                "{'action': 'WAIT', 'value': '3'}",
                "wait(seconds=3)",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:AWAKE\tvalue:Clock\tsummary:Did it.",
                "{'action': 'AWAKE', 'value': 'Clock'}",
                "open_app(app='Clock')",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:INFO\tvalue:Which?\tsummary:Did it.",
                "{'action': 'INFO', 'value': 'Which?'}",
                "ask_user(text='Which?')",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:COMPLETE\treturn:42\tsummary:Did it.",
                "{'action': 'COMPLETE', 'return': '42'}",
                "answer(text='42'); done()",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:ABORT\tvalue:No.\tsummary:Did it.",
                "{'action': 'ABORT', 'value': 'No.'}",
                "done(status='infeasible', text='No.')",
            ),
            Reading(
                "<THINK> It is there. </THINK>\nexplain:Do it.\taction:CLICK\tpoint:500\tsummary:Did it.",
                "ValueError: [Parser Error] Failed to parse point '500' for key 'point': Expected 2",
                "",
            ),
            Reading(
                "<TINK> There. </TINK>\nexplain:Do it.\taction:CLICK\tpoint:500,250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                "<think>There.</think>\nexplain:Do it.\taction:CLICK\tpoint:500,250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                "explain:Do it.\taction:CLICK\tpoint:500,250\tsummary:Did it.",
                "{'action': 'CLICK', 'point': [500, 250]}",
                "click(at=(500, 250))",
            ),
        ),
    ),
    ReleasedParser(
        "autoglm",
        "Open-AutoGLM phone_agent/model/client.py, actions/handler.py (6b18d7b)",
        "_parse_response, parse_action",
        (
            Reading(
                '<think>It is there.</think>\n<answer>do(action="Tap", element=[500,250])</answer>',
                "ValueError: Failed to parse do() action: invalid syntax (<",
                "",
                "theirs keeps the tag behind the call, and its agent then ends the task",
            ),
            Reading(
                'It is there.\ndo(action="Tap", element=[500,250])',
                "{'_metadata': 'do', 'action': 'Tap', 'element': [500, 250]}",
                "click(at=(500, 250))",
            ),
            Reading(
                'do(action="Tap", element=[500,250], message="pay")',
                "{'_metadata': 'do', 'action': 'Tap', 'element': [500, 250], 'message': 'pay'}",
                "click(at=(500, 250))",
            ),
            Reading(
                'do(action="Type", text="say "hi"")',
                "{'_metadata': 'do', 'action': 'Type', 'text': 'say \"hi\"'}",
                "type(text='say \"hi\"', clear=True)",
            ),
            Reading(
                'do(action="Type", text="two\nlines")',
                "{'_metadata': 'do', 'action': 'Type', 'text': 'two\\nlines'}",
                "type(text='two\\nlines', clear=True)",
            ),
            Reading(
                'do(action="Swipe", start=[500,800], end=[500,200])',
                "{'_metadata': 'do', 'action': 'Swipe', 'start': [500, 800], 'end': [500, 200]}",
                "swipe(start=(500, 800), end=(500, 200))",
            ),
            Reading(
                'do(action="Long Press", element=[500,250])',
                "{'_metadata': 'do', 'action': 'Long Press', 'element': [500, 250]}",
                "long_press(at=(500, 250))",
            ),
            Reading(
                'do(action="Double Tap", element=[500,250])',
                "{'_metadata': 'do', 'action': 'Double Tap', 'element': [500, 250]}",
                "click(at=(500, 250), count=2)",
            ),
            Reading(
                'do(action="Launch", app="Clock")',
                "{'_metadata': 'do', 'action': 'Launch', 'app': 'Clock'}",
                "open_app(app='Clock')",
            ),
            Reading('do(action="Back")', "{'_metadata': 'do', 'action': 'Back'}", "system(name='back')"),
            Reading(
                'do(action="Wait", duration="3 seconds")',
                "{'_metadata': 'do', 'action': 'Wait', 'duration': '3 seconds'}",
                "wait(seconds=3)",
            ),
            Reading(
                'do(action="Interact")',
                "{'_metadata': 'do', 'action': 'Interact'}",
                "ask_user(text='I need your help to go on.')",
            ),
            Reading(
                'finish(message="It is 42.")',
                "{'_metadata': 'finish', 'message': 'It is 42.'}",
                "answer(text='It is 42.'); done()",
            ),
            Reading(
                'I must not finish(message="early") yet.\ndo(action="Back")',
                "{'_metadata': 'finish', 'message': 'early\") yet.\\ndo(action=\"Back'}",
                "answer(text='early\") yet.\\ndo(action=\"Back'); done()",
            ),
            Reading("I tap on it.", "ValueError: Failed to parse action: I tap on it.", ""),
        ),
    ),
    ReleasedParser(
        "evocua",
        "EvoCUA mm_agents/evocua/evocua_agent.py (4a0ad5f)",
        "_parse_response_s2",
        (
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}\n</tool_call>',
                "['pyautogui.click(500, 250)']",
                "click(at=(500, 250))",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click"}}\n</tool_call>',
                "['pyautogui.click()']",
                "click()",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "triple_click", "coordinate": [500, 250]}}\n</tool_call>',
                "['pyautogui.tripleClick(500, 250)']",
                "click(at=(500, 250), count=3)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key", "keys": ["ctrl", "c"]}}\n</tool_call>',
                "[\"pyautogui.hotkey('ctrl', 'c')\"]",
                "press(keys=ctrl+c)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key", "keys": ["keys=[\'ctrl\'", "\'c\']"]}}\n</tool_call>',
                "[\"pyautogui.hotkey(''ctrl'', ''c'')\"]",
                "press(keys=ctrl+c)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key_down", "keys": ["shift"]}}\n</tool_call>',
                "[\"pyautogui.keyDown('shift')\"]",
                "key_down(keys=shift)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "type", "text": "it\'s"}}\n</tool_call>',
                "['pyautogui.press(\\'i\\')\\npyautogui.press(\\'t\\')\\npyautogui.press(\"\\'\")\\npyautogui.press(\\'s\\')\\n']",
                'type(text="it\'s")',
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "type", "text": "C:\\\\new"}}\n</tool_call>',
                "[\"pyautogui.press('C')\\npyautogui.press(':')\\npyautogui.press('enter')\\npyautogui.press('e')\\npyautogui.pre…",
                "type(text='C:'); press(keys=enter); type(text='ew')",
                "what is typed is typed byte for byte",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "scroll", "pixels": -5}}\n</tool_call>',
                "['pyautogui.scroll(-5)']",
                "scroll(direction='down', amount=5)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click_drag", "coordinate": [500, 250]}}\n</tool_call>',
                "['pyautogui.dragTo(500, 250, duration=0.5)']",
                "drag(end=(500, 250))",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "wait", "time": 2}}\n</tool_call>',
                "['WAIT']",
                "wait(seconds=2)",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>',
                "['DONE']",
                "done()",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "failure"}}\n</tool_call>',
                "['FAIL']",
                "done(status='failure')",
            ),
            Reading(
                'Action: Do it.\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}',
                "['pyautogui.click(500, 250)']",
                "click(at=(500, 250))",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "mouse_move", "coordinate": [500, 250]}}\n</tool_call>\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click"}}\n</tool_call>',
                "['pyautogui.moveTo(500, 250)', 'pyautogui.click()']",
                "move(at=(500, 250)); click()",
            ),
        ),
    ),
    ReleasedParser(
        "qwen3.5",
        "a copy of OSWorld's mm_agents/qwen35vl_agent.py, DeskCraft (3e11457)",
        "parse_response",
        (
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.click(500, 250)']",
                "click(at=(500, 250))",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n<parameter=text>\nctrl+shift\n</parameter>\n</function>\n</tool_call>",
                "[\"pyautogui.keyDown('ctrl')\", \"pyautogui.keyDown('shift')\", 'pyautogui.click(500, 250)', \"pyautogui.keyUp('…",
                "click(at=(500, 250), modifiers=ctrl+shift)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\ntriple_click\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.doubleClick(500, 250)']",
                "click(at=(500, 250), count=2)",
                "its runner has no triple click",
            ),
            Reading(
                'Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nkey\n</parameter>\n<parameter=keys>\n["ctrl", "c"]\n</parameter>\n</function>\n</tool_call>',
                "[\"pyautogui.hotkey('ctrl', 'c')\"]",
                "press(keys=ctrl+c)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nkey\n</parameter>\n<parameter=keys>\nenter\n</parameter>\n</function>\n</tool_call>",
                "[\"pyautogui.press('enter')\"]",
                "press(keys=enter)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\ntype\n</parameter>\n<parameter=text>\na <b> c\n</parameter>\n</function>\n</tool_call>",
                "[\"pyautogui.typewrite('a <b> c')\"]",
                "type(text='a <b> c')",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\ntype\n</parameter>\n<parameter=text>\n x \n</parameter>\n</function>\n</tool_call>",
                "[\"pyautogui.typewrite('x')\"]",
                "type(text='x')",
                "what is typed is typed byte for byte",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nscroll\n</parameter>\n<parameter=pixels>\n-5\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.scroll(-5)']",
                "scroll(direction='down', amount=5)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nscroll\n</parameter>\n<parameter=pixels>\n-5\n</parameter>\n<parameter=text>\nctrl\n</parameter>\n</function>\n</tool_call>",
                "[\"pyautogui.keyDown('ctrl')\", 'pyautogui.scroll(-5)', \"pyautogui.keyUp('ctrl')\"]",
                "key_down(keys=ctrl); scroll(direction='down', amount=5); key_up(keys=ctrl)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nhscroll\n</parameter>\n<parameter=pixels>\n-5\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.scroll(-5)']",
                "scroll(direction='down', amount=5)",
                "its own prompt says that this scrolls sideways",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click_drag\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.dragTo(500, 250, duration=0.5)']",
                "drag(end=(500, 250))",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nwait\n</parameter>\n<parameter=time>\n2\n</parameter>\n</function>\n</tool_call>",
                "['WAIT']",
                "wait(seconds=2)",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nanswer\n</parameter>\n<parameter=text>\n42\n</parameter>\n</function>\n</tool_call>",
                "['DONE']",
                "done()",
                "an answer does not end the task here; terminate does",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nterminate\n</parameter>\n<parameter=status>\nsuccess\n</parameter>\n</function>\n</tool_call>",
                "['DONE']",
                "done()",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nterminate\n</parameter>\n<parameter=status>\nfailure\n</parameter>\n</function>\n</tool_call>",
                "['DONE']",
                "done()",
                "the status is kept",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nmouse_move\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n</function>\n</tool_call>",
                "['pyautogui.moveTo(500, 250)', 'pyautogui.click()']",
                "move(at=(500, 250)); click()",
            ),
            Reading(
                "Action: Do it.\n<tool_call>\n<function=browser>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 250]\n</parameter>\n</function>\n</tool_call>",
                "[]",
                "",
            ),
        ),
    ),
    ReleasedParser(
        "ui-venus-1.5",
        "UI-Venus models/navigation/utils.py, branch 1.5 (c3a1442)",
        "parse_answer",
        (
            Reading(
                "<think>It is there.</think><action>Click(box=(500,250))</action><conclusion>Done.</conclusion>",
                "('Click', {'box': (500.0, 250.0)})",
                "click(at=(500, 250))",
            ),
            Reading(
                "<think>It is there.</think><action>Click(box=(500, 250))</action><conclusion>Done.</conclusion>",
                "('Click', {'box': (500.0, 250.0)})",
                "click(at=(500, 250))",
            ),
            Reading(
                "<think>It is there.</think><action>DoubleClick(box=(500,250))</action><conclusion>Done.</conclusion>",
                "ValueError: action DoubleClick Unknown action: {'box': '(500,250)'}",
                "",
                "its prompt has the action, its parser does not",
            ),
            Reading(
                "<think>It is there.</think><action>LongPress(box=(500,250))</action><conclusion>Done.</conclusion>",
                "('LongPress', {'box': (500.0, 250.0)})",
                "long_press(at=(500, 250))",
            ),
            Reading(
                "<think>It is there.</think><action>Drag(start=(100,200), end=(300,400))</action><conclusion>Done.</conclusion>",
                "('Drag', {'start': (100.0, 200.0), 'end': (300.0, 400.0)})",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                "<think>It is there.</think><action>Scroll(start=(500,800), end=(500,200))</action><conclusion>Done.</conclusion>",
                "('Scroll', {'start': (500.0, 800.0), 'end': (500.0, 200.0), 'direction': ''})",
                "swipe(start=(500, 800), end=(500, 200))",
            ),
            Reading(
                "<think>It is there.</think><action>Scroll(direction='down')</action><conclusion>Done.</conclusion>",
                "('Scroll', {'start': (), 'end': (), 'direction': 'down'})",
                "scroll(direction='down', amount=5)",
            ),
            Reading(
                "<think>It is there.</think><action>Type(content='it's, here')</action><conclusion>Done.</conclusion>",
                "('Type', {'content': \"it's\"})",
                'type(text="it\'s")',
                "theirs ends the text at a comma behind a quote",
            ),
            Reading(
                "<think>It is there.</think><action>Launch(app='Clock')</action><conclusion>Done.</conclusion>",
                "('Launch', {'app': 'Clock', 'url': ''})",
                "open_app(app='Clock')",
            ),
            Reading(
                "<think>It is there.</think><action>Launch(app='', url='https://a.example')</action><conclusion>Done.</conclusion>",
                "('Launch', {'app': '', 'url': 'https://a.example'})",
                "open_url(url='https://a.example')",
            ),
            Reading(
                "<think>It is there.</think><action>Hotkey(keys=['ctrl', 'c'])</action><conclusion>Done.</conclusion>",
                "ValueError: action Hotkey Unknown action: {'keys': \"['ctrl\", \"'c']\": None}",
                "",
                "its prompt has the action, its parser does not",
            ),
            Reading(
                "<think>It is there.</think><action>PressBack()</action><conclusion>Done.</conclusion>",
                "('PressBack', {})",
                "system(name='back')",
            ),
            Reading(
                "<think>It is there.</think><action>PressEnter()</action><conclusion>Done.</conclusion>",
                "('PressEnter', {})",
                "press(keys=enter)",
            ),
            Reading(
                "<think>It is there.</think><action>Wait()</action><conclusion>Done.</conclusion>",
                "('Wait', {})",
                "wait(seconds=5)",
            ),
            Reading(
                "<think>It is there.</think><action>CallUser(content='42')</action><conclusion>Done.</conclusion>",
                "('CallUser', {'content': '42'})",
                "ask_user(text='42')",
            ),
            Reading(
                "<think>It is there.</think><action>Finished(content='42')</action><conclusion>Done.</conclusion>",
                "('Finished', {'content': '42'})",
                "answer(text='42'); done()",
            ),
            Reading(
                "<think>It is there.</think><action>Click(box=(400,200,600,300))</action><conclusion>Done.</conclusion>",
                "ValueError: action Click Unknown click params: {'box': '(400,200,600,300)'}",
                "",
            ),
        ),
    ),
    ReleasedParser(
        "fara",
        "fara src/fara/fara_agent.py (3f3f1fd)",
        "_parse_thoughts_and_action",
        (
            Reading(
                'I click on it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}\n</tool_call>',
                "{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': [500, 250]}}",
                "click(at=(500, 250))",
            ),
            Reading(
                'I click on it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "type", "text": "hi", "coordinate": [500, 250], "press_enter": false}}\n</tool_call>',
                "{'name': 'computer_use', 'arguments': {'action': 'type', 'text': 'hi', 'coordinate': [500, 250], 'press_ent…",
                "type(text='hi', at=(500, 250))",
            ),
            Reading(
                'I click on it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key", "keys": ["ctrl", "c"]}}\n</tool_call>',
                "{'name': 'computer_use', 'arguments': {'action': 'key', 'keys': ['ctrl', 'c']}}",
                "press(keys=ctrl+c)",
            ),
            Reading(
                'I click on it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "visit_url", "url": "a.example"}}\n</tool_call>',
                "{'name': 'computer_use', 'arguments': {'action': 'visit_url', 'url': 'a.example'}}",
                "open_url(url='https://a.example')",
            ),
            Reading(
                'I click on it.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>',
                "{'name': 'computer_use', 'arguments': {'action': 'terminate', 'status': 'success'}}",
                "answer(text='I click on it.'); done()",
            ),
            Reading(
                "I click on it.\n<tool_call>\n{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': [500, 250]}}\n</tool_call>",
                "{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': [500, 250]}}",
                "click(at=(500, 250))",
            ),
            Reading(
                'I click.\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}',
                "IndexError: list index out of range",
                "",
                "theirs wants the tags, and fails without",
            ),
        ),
    ),
    ReleasedParser(
        "scalecua",
        "ScaleCUA evaluation/WebArenaLiteV2/agents/native_agent/scalecua_native_agent.py (5d92fee)",
        "parse_plan, parse_exec_action_list",
        (
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nclick(x=500, y=250)\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 1, 'button': 'left'})]",
                "click(at=(500, 250))",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nclick(x=500, y=250, clicks=2, button='left')\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 2, 'button': 'left'})]",
                "click(at=(500, 250), count=2)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\ndoubleClick(x=500, y=250)\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 2, 'button': 'left'})]",
                "click(at=(500, 250), count=2)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nrightClick(x=500, y=250)\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 1, 'button': 'right'})]",
                "click(at=(500, 250), button='right')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nmoveTo(x=500, y=250)\n</action>",
                "[('moveTo', {'x': 500.0, 'y': 250.0})]",
                "move(at=(500, 250))",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\ndragTo(x=500, y=250, button='left')\n</action>",
                "[('dragTo', {'x': 500.0, 'y': 250.0, 'button': 'left'})]",
                "drag(end=(500, 250))",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nwrite(message='it's here')\n</action>",
                "[('write', {'message': \"it's here\"})]",
                'type(text="it\'s here")',
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\npress(keys='enter')\n</action>",
                "[('press', {'keys': 'enter'})]",
                "press(keys=enter)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\npress(keys=['ctrl', 'c'])\n</action>",
                "[('press', {'keys': ['ctrl', 'c']})]",
                "press(keys=ctrl); press(keys=c)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nhotkey('ctrl', 'c')\n</action>",
                "[('hotkey', {'args': ['ctrl', 'c']})]",
                "press(keys=ctrl+c)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nswipe(from_coord=[500, 800], to_coord=[500, 200])\n</action>",
                "[('swipe', {'from_coord': (None, None), 'to_coord': (None, None), 'direction': 'up', 'amount': 0.5})]",
                "swipe(direction='up')",
                "theirs loses both places at a check of their type",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nswipe(direction='up', amount=0.5)\n</action>",
                "[('swipe', {'from_coord': (None, None), 'to_coord': (None, None), 'direction': 'up', 'amount': 0.5})]",
                "swipe(direction='up')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nwait(seconds=2)\n</action>",
                "[('wait', {'seconds': 2})]",
                "wait(seconds=2)",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nresponse(answer='42')\n</action>",
                "[('response', {'answer': '42'})]",
                "answer(text='42')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nterminate(status='success', info='Done.')\n</action>",
                "[('terminate', {'status': 'success', 'info': 'Done.'})]",
                "done(text='Done.')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nterminate(status='failure', info='No.')\n</action>",
                "[('terminate', {'status': 'failure', 'info': 'No.'})]",
                "done(status='failure', text='No.')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\ncallUser()\n</action>",
                "[('callUser', {})]",
                "ask_user(text='I need your help to go on.')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\n# there\nclick(x=500, y=250)\nwrite(message='hi')\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 1, 'button': 'left'}), ('write', {'message': 'hi'})]",
                "click(at=(500, 250)); type(text='hi')",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nclick(x=500, y=250\n</action>",
                "[('click', {'x': 500.0, 'y': 250.0, 'clicks': 1, 'button': 'left'})]",
                "click(at=(500, 250))",
            ),
            Reading(
                "<think>\nIt is there.\n</think>\n<operation>\nDo it.\n</operation>\n<action>\nfly(x=1)\n</action>",
                "[('wait', {'seconds': 1})]",
                "wait()",
                "what is no action is refused, so that the model is told",
            ),
        ),
    ),
    ReleasedParser(
        "opencua",
        "OpenCUA evaluation/agentnetbench/agent/opencua.py (1d70f20)",
        "parse_response, extract_actions",
        (
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.click(x=500, y=250)\n```",
                "[('click', (500.0, 250.0))]",
                "click(at=(500, 250))",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.doubleClick(x=500, y=250)\n```",
                "[('doubleClick', (500.0, 250.0))]",
                "click(at=(500, 250), count=2)",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.rightClick(x=500, y=250)\n```",
                "[('rightClick', (500.0, 250.0))]",
                "click(at=(500, 250), button='right')",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.moveTo(x=100, y=200)\npyautogui.dragTo(x=300, y=400)\n```",
                "[('moveTo', (100.0, 200.0)), ('dragTo', (300.0, 400.0))]",
                "move(at=(100, 200)); drag(end=(300, 400))",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.write(message='hi')\n```",
                "[('write', 'hi')]",
                "type(text='hi')",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.write('hi')\n```",
                "[('write', 'hi')]",
                "type(text='hi')",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.press('enter')\n```",
                "[('press', ['enter'])]",
                "press(keys=enter)",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.press(['ctrl', 'v'])\n```",
                "[('hotkey', ['ctrl', 'v'])]",
                "press(keys=ctrl+v)",
                "PyAutoGUI presses them one after the other",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.hotkey(['ctrl', 'c'])\n```",
                "[('hotkey', ['ctrl', 'c'])]",
                "press(keys=ctrl+c)",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.hotkey('command', 'c')\n```",
                "[('hotkey', ['ctrl', 'c'])]",
                "press(keys=ctrl+c)",
                "the key that was named is pressed",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\npyautogui.scroll(-5)\n```",
                "[('scroll', -5)]",
                "scroll(direction='down', amount=5)",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\ncomputer.triple_click(x=500, y=250)\n```",
                "[('triple_click', (500.0, 250.0))]",
                "click(at=(500, 250), count=3)",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\ncomputer.terminate(status='success')\n```",
                "[('terminate', 'success')]",
                "done()",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\ncomputer.terminate(status='failure')\n```",
                "[('terminate', 'failure')]",
                "done(status='failure')",
            ),
            Reading(
                "## Action:\nDo it.\n\n## Code:\n```python\nx = 5\npyautogui.click(x=500, y=250)\n```",
                "[('click', (500.0, 250.0))]",
                "click(at=(500, 250))",
                "code that is more than calls is not run",
            ),
            Reading(
                "I write pyautogui.click(x=500, y=250) here.",
                "[('click', (500.0, 250.0))]",
                "click(at=(500, 250))",
                "prose is no code",
            ),
        ),
    ),
    ReleasedParser(
        "gemini-3.5",
        "google-gemini/computer-use-preview agent.py (c93bb2d)",
        "handle_action",
        (
            Reading("@open_web_browser {}", "('open_web_browser', {})", "noop()"),
            Reading('@click {"x": 500, "y": 250}', "('click_at', {'x': 500, 'y': 250})", "click(at=(500, 250))"),
            Reading(
                '@double_click {"x": 500, "y": 250}',
                "('double_click_at', {'x': 500, 'y': 250})",
                "click(at=(500, 250), count=2)",
            ),
            Reading(
                '@right_click {"x": 500, "y": 250}',
                "('right_click_at', {'x': 500, 'y': 250})",
                "click(at=(500, 250), button='right')",
            ),
            Reading(
                '@mouse_down {"x": 500, "y": 250}', "('mouse_down', {'x': 500, 'y': 250})", "mouse_down(at=(500, 250))"
            ),
            Reading('@move {"x": 500, "y": 250}', "('hover_at', {'x': 500, 'y': 250})", "move(at=(500, 250))"),
            Reading('@type {"text": "hi"}', "('type_text', {'text': 'hi', 'press_enter': False})", "type(text='hi')"),
            Reading(
                '@type {"text": "hi", "press_enter": true}',
                "('type_text', {'text': 'hi', 'press_enter': True})",
                "type(text='hi', submit=True)",
            ),
            Reading(
                '@scroll {"x": 500, "y": 250, "direction": "down"}',
                "('scroll_at', {'x': 500, 'y': 250, 'direction': 'down', 'magnitude': 800})",
                "scroll(direction='down', at=(500, 250), amount=800, unit='px')",
            ),
            Reading(
                '@scroll {"x": 500, "y": 250, "direction": "right", "magnitude": 300}',
                "('scroll_at', {'x': 500, 'y': 250, 'direction': 'right', 'magnitude': 300})",
                "scroll(direction='right', at=(500, 250), amount=300, unit='px')",
            ),
            Reading(
                '@drag_and_drop {"x": 100, "y": 200, "destination_x": 300, "destination_y": 400}',
                "('drag_and_drop', {'x': 100, 'y': 200, 'destination_x': 300, 'destination_y': 400})",
                "drag(end=(300, 400), start=(100, 200))",
            ),
            Reading(
                '@hotkey {"keys": ["control", "c"]}',
                "('key_combination', (['control', 'c'],), {})",
                "press(keys=ctrl+c)",
            ),
            Reading('@press_key {"key": "enter"}', "('press_key', ('enter',), {})", "press(keys=enter)"),
            Reading('@key_down {"key": "shift"}', "('key_down', ('shift',), {})", "key_down(keys=shift)"),
            Reading('@wait {"seconds": 2}', "('wait', (2,), {})", "wait(seconds=2)"),
            Reading(
                '@navigate {"url": "https://a.example"}',
                "('navigate', ('https://a.example',), {})",
                "open_url(url='https://a.example')",
            ),
            Reading("@go_back {}", "('go_back', {})", "browser(op='back')"),
            Reading("@take_screenshot {}", "('take_screenshot', {})", "screenshot()"),
            Reading("@unknown_function {}", "ValueError: Unsupported function", ""),
        ),
    ),
)
