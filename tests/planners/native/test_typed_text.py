"""What a model types arrives as it wrote it, in every family that types, whatever stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from native_reading import intents

from omnipilot.envs import TypeText
from omnipilot.planners.native.families.table import families


def quoted(text: str) -> str:
    """A text in single quotes, with the escapes that Python has."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"


def tool(text: str, name: str = "computer_use") -> str:
    call = {"name": name, "arguments": {"action": "type", "text": text}}
    return f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>"


def xml(text: str) -> str:
    return (
        "<tool_call>\n<function=computer_use>\n<parameter=action>\ntype\n</parameter>\n<parameter=text>\n"
        f"{text}\n</parameter>\n</function>\n</tool_call>"
    )


def seed(text: str) -> str:
    return f"<seed:tool_call><function=type><parameter=content>\n{text}\n</parameter></function></seed:tool_call>"


WRITTEN: dict[str, Sequence[Callable[[str], str]]] = {
    **dict.fromkeys(
        ("ui-tars", "ui-tars-1.5"),
        (
            lambda text: f"Thought: I type (it's there).\nAction: type(content={quoted(text)})",
            lambda text: f"Action: type(content={quoted(text)})<|im_end|>",
            lambda text: f"<think>a</think>\n```\ntype(content={quoted(text)})\n```",
        ),
    ),
    "ui-tars-2": [seed, lambda text: f"<think>a</think>{seed(text)}"],
    "glm-v": [
        lambda text: f"a</think>Action: <|begin_of_box|>type(content={quoted(text)})<|end_of_box|>\nMemory:\n[]",
    ],
    "ui-venus-1.5": [lambda text: f"<think>a</think><action>Type(content={quoted(text)})</action>"],
    "cogagent": [lambda text: f"Action: Type it.\nGrounded Operation: TYPE(text={quoted(text)})"],
    "opencua": [lambda text: f"## Action:\nType.\n## Code:\n```python\npyautogui.write(message={quoted(text)})\n```"],
    "opencua-norm1": [lambda text: f"pyautogui.write({quoted(text)})"],
    "aguvis": [lambda text: f"Action: it's done so\npyautogui.write(message={quoted(text)})"],
    "scalecua": [lambda text: f"<think>a</think><action>\nwrite(message={quoted(text)})\n</action>"],
    **dict.fromkeys(
        ("qwen2.5-vl", "qwen3-vl", "qwen3.5"),
        (
            tool,
            xml,
            lambda text: f"<think>a</think>\nIt's there.\n{tool(text)}",
            lambda text: f"```json\n{json.dumps({'action': 'type', 'text': text})}\n```",
        ),
    ),
    "fara": [lambda text: f"I type it.\n{tool(text)}"],
    "mai-ui": [lambda text: f"<thinking>a</thinking>\n{tool(text, 'mobile_use')}"],
    "os-atlas-pro": [lambda text: f"thoughts:\na\nactions:\nTYPE [{text}]<|im_end|>"],
}
HANDED = {"claude": ("action", "text"), "openai": ("type", "text")}
AWKWARD = [
    "```python\nprint(1)\n```",
    "<|im_end|>",
    "a <|box_start|> b",
    "<think>no</think>",
    "x </think> y",
    "<answer>42</answer> <action>",
    "Action: click(start_box='(1,2)')",
    "a\nAction: click(start_box='(1,2)')",
    "Grounded Operation: CLICK(box=[[1,2,3,4]])",
    "a\nMemory: b",
    "</tool_call><tool_call>",
    "<function=click>",
    'say "hi", it\'s (so) good',
    "{'a': [1, 2]}",
    "C:\\new\\table",
    "你好，世界（1）",
]
XML_ONLY = "</parameter>"


def plain(family: str, text: str) -> bool:
    """Whether the family's syntax can say this text at all: `TYPE […]` has no escapes."""
    return family != "os-atlas-pro" or not ("]" in text or "[" in text or text != text.strip())


@pytest.mark.parametrize("family", WRITTEN)
@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_text_arrives_whole(family: str, text: str) -> None:
    if not plain(family, text):
        pytest.skip("cannot be written in this syntax")
    for write in WRITTEN[family]:
        (typed,) = intents(family, write(text))
        assert isinstance(typed, TypeText)
        assert typed.text == text, write(text)


PIECES = st.sampled_from([*AWKWARD, "```", "'", '"', "\\", "(", ")", "<", "|>", "<t", ",", " ", "\n", "[", "{", "é"])


@given(st.sampled_from(sorted(WRITTEN)), st.lists(PIECES | st.text("ab'\"\\()<>", max_size=3), max_size=5), st.data())
@example("ui-tars", ["'", ",", " ", "a", "="], None)
def test_any_text_between_quotes_arrives_byte_for_byte(
    family: str, pieces: list[str], data: st.DataObject | None
) -> None:
    text = "a" + "".join(pieces) + "b"
    if not plain(family, text) or XML_ONLY in text:
        return
    writers = WRITTEN[family]
    write = writers[0] if data is None else data.draw(st.sampled_from(writers))
    (typed,) = intents(family, write(text))
    assert isinstance(typed, TypeText)
    assert typed.text == text


def test_what_the_server_hands_over_arrives_whole() -> None:
    for family, (verb, argument) in HANDED.items():
        for text in AWKWARD:
            (typed,) = intents(family, (("computer", json.dumps({verb: "type", argument: text})),))
            assert isinstance(typed, TypeText)
            assert typed.text == text


def test_every_family_that_types_is_here() -> None:
    assert {family.name for family in families()} <= {*WRITTEN, *HANDED, "gemini"}
