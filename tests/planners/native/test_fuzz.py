"""Every parser against arbitrary text: actions or MalformedReply, in time, and nothing of it is ever run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import characters, examples, points, sizes

from omnipilot.envs import Intent, Point, Size
from omnipilot.envs.schema import from_json, to_json
from omnipilot.memory import MalformedReply
from omnipilot.planners.chat.script import parse_script
from omnipilot.planners.native import NativeFamily
from omnipilot.planners.native.families.table import families, get
from omnipilot.planners.native.family import Said

HD = Size(1920, 1080)
LONG, LIMIT = 100_000, 0.15
"""Characters, and seconds of processor time: twice what a slow machine takes; quadratic reading takes far longer."""
FRAGMENTS = r"""
( [ { < ) ] } > , . - = ' " : ; / \ ~ # ``` ```python ``` x= y= x=1, 1 1, (1, (1. -1 1e9 0x1 1_0 [[ [1,2], [[1,2
<think> </think> <Thought> ◁think▷ ◁/think▷ </t <point> <point>1 </point> <box> <|box_start|>(1, <|box_end|>
<tool_call> </tool_call> ⚗ <action> </action> <seed:tool_call> </seed:tool_call> <function=click> <function
</function> <parameter=a> <parameter=coordinate>[1, </parameter> Action: actions: thoughts: Memory: Operation:
start_box=' start_box='( point=" box=[[ click( click(1, type(content=' scroll(direction='down') drag( finished()
GESTURE(actions=[ CLICK TYPE[ {"coordinate": {"name":"computer_use","arguments":{"action": "left_click",
"coordinate":[1,2]}} {'a': "keys": [ "time": "text":" NaN Infinity null true pyautogui.click( pyautogui.write('
pyautogui.hotkey( computer.wait() mobile.swipe( terminate( time.sleep( import lambda: not await f' r' b' \n \'
\" \\ \x \N{ \x00 é （ ， ： ） ＝ \ufeff ** * + not: if else @ :=
""".split()
FRAGMENTS += [
    " ",
    "]<|a|>",
    "\n",
    "    (",
    "Grounded Operation: CLICK(box=[[",
    "CLICK <point>[[",
    "TYPE [",
    "not ",
    "a.b",
    "'x'",
]
SAID = st.lists(st.sampled_from(FRAGMENTS) | st.text(characters, max_size=4) | st.integers().map(str), max_size=30)


def canary(path: Path) -> Iterator[str]:
    """Texts that would write a file if any of them were evaluated, in every family's syntax."""
    code = f"open({str(path)!r}, 'w').close()"
    imported = f"__import__('pathlib').Path({str(path)!r}).touch()"
    for text in (code, imported, f"({code})", f"[{imported}]", f"f'{{{code}}}'", f"exec({code!r})", f"(1,{code})"):
        quoted = json.dumps(text)
        yield text
        yield f"Action: click(start_box='{text}')"
        yield f"Action: click(start_box={text})"
        yield f"Action: click(start_box={quoted})"
        yield f"Grounded Operation: CLICK(box={text})"
        yield f"Grounded Operation: GESTURE(actions=[{text}])"
        yield f"<action>Click(box={text})</action>"
        yield f"actions:\nCLICK <point>{text}</point>"
        yield f"```python\npyautogui.click({text})\n{text}\n```"
        yield f"```python\npyautogui.write({text})\n```"
        yield f"pyautogui.click(x={text}, y={text})"
        yield f'<tool_call>{{"name": "computer_use", "arguments": {{"action": {text}, "coordinate": {text}}}}}'
        yield f"<tool_call>{{'name': 'computer_use', 'arguments': {text}}}</tool_call>"
        yield f'<tool_call>{{"name": "computer_use", "arguments": {quoted}}}</tool_call>'
        yield f"<seed:tool_call><function=click><parameter=point>{text}</parameter></function></seed:tool_call>"
        yield f"pyautogui.write(f'{{{text}}}')"


def holds(read: Callable[[], list[Intent]]) -> None:
    """A reading ends in verbs that the journal can hold, or in MalformedReply."""
    try:
        found = read()
    except MalformedReply as error:
        assert str(error)
        assert len(str(error)) < 3_000
        return
    for intent in found:
        assert from_json(json.loads(json.dumps(to_json(intent)))) == intent


def parsed(
    family: NativeFamily, said: Said, sent: Size = HD, cursor: Point | None = None
) -> Callable[[], list[Intent]]:
    return lambda: family.parse(said, sent, HD, cursor)[0]


@settings(max_examples=examples(5))
@given(st.sampled_from(families()), SAID, sizes, st.none() | points)
@example(get("opencua"), ["```python\n", "-" * 15_000, "1"], HD, None)
@example(get("opencua"), ["```python\n", "a." * 8_000, "b"], HD, None)
@example(get("opencua"), ["```python\nf(", "1+" * 9_000, "1)"], HD, None)
@example(get("opencua"), ["```python\n", "x if y else " * 1_500, "1"], HD, None)
@example(get("opencua"), ["```python\nf(", "9" * 5_000, ")"], HD, None)
@example(get("ui-tars"), ["Action: click(start_box='(", "9" * 400, ",", "1" * 300, ")')"], HD, None)
@example(get("qwen3-vl"), ['{"name":"a","arguments":' * 4_000], HD, None)
@example(get("qwen3-vl"), ["[" * 50_000], HD, None)
@example(get("qwen3-vl"), ['{"action":"type","text":"\\ud800"}'], HD, None)
@example(get("qwen3-vl"), ['{"action":"left_click","coordinate":[1e999,1]}'], HD, None)
@example(get("qwen3-vl"), ['{"action":"wait","time":1' + "0" * 5_000 + "}"], HD, None)
def test_whatever_is_said_is_actions_or_malformed(
    family: NativeFamily, said: list[str], sent: Size, cursor: Point | None
) -> None:
    holds(parsed(family, "".join(said), sent, cursor))
    holds(parsed(family, " ".join(said), sent, cursor))


@given(st.sampled_from(families()), st.lists(st.tuples(st.text(max_size=12), st.text(max_size=60)), max_size=3))
def test_whatever_is_handed_over_is_actions_or_malformed(family: NativeFamily, said: list[tuple[str, str]]) -> None:
    holds(parsed(family, tuple(said)))


json_arguments = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["up", "left"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["x", "y", "type"]), inner, max_size=2),
    max_leaves=6,
)


@settings(max_examples=examples(5))
@given(st.data(), st.sampled_from([family for family in families() if family.read_handed is not None]))
def test_arguments_of_any_kind_are_actions_or_malformed(data: st.DataObject, family: NativeFamily) -> None:
    name = data.draw(st.sampled_from(sorted(family.actions)))
    takes = family.actions[name].takes
    arguments = data.draw(st.dictionaries(st.sampled_from([*takes, "z"]), json_arguments, max_size=4))
    word = "type" if family.name == "openai" else "action"
    said = (("computer", json.dumps({word: name, **arguments})), (name, json.dumps(arguments)))
    for call in said:
        holds(parsed(family, (call,)))


@settings(max_examples=examples(5))
@given(SAID, st.sampled_from(["", " ", "\n"]), sizes)
def test_a_script_of_any_kind_is_verbs_or_malformed(said: list[str], between: str, size: Size) -> None:
    holds(lambda: parse_script(between.join(said), size, ends=True))


@given(st.text())
def test_text_of_any_kind_is_actions_or_malformed(text: str) -> None:
    for family in families():
        holds(parsed(family, text))
    holds(lambda: parse_script(text, HD))


def test_the_canary_would_be_written(tmp_path: Path) -> None:
    bird = tmp_path / "canary"
    for text in [*list(canary(bird))[:1], f"({next(canary(bird))})"]:
        eval(text)  # noqa: S307 - what the parsers must never do
        assert bird.exists()
        bird.unlink()


def test_nothing_that_is_said_is_run(tmp_path: Path) -> None:
    bird = tmp_path / "canary"
    for text in canary(bird):
        for family in families():
            holds(parsed(family, text))
            holds(parsed(family, (("computer", text),)))
        holds(lambda text=text: parse_script(text, HD))  # type: ignore[misc]
        assert not bird.exists(), text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_nothing_is_run_wherever_it_stands(tmp_path: Path, data: st.DataObject) -> None:
    bird = tmp_path / "canary"
    text = data.draw(st.sampled_from(list(canary(bird))))
    before, behind = "".join(data.draw(SAID)[:4]), "".join(data.draw(SAID)[:4])
    holds(parsed(data.draw(st.sampled_from(families())), before + text + behind))
    holds(lambda: parse_script(before + text + behind, HD))
    assert not bird.exists()


ALIKE = (
    "ui-tars-1.5",
    "opencua-norm1",
    "kimi-k2.5",
    "evocua",
    "fara-1.5",
    "gemini-3.5",
    "qwen2.5-vl",
    "qwen3-vl",
    "mai-ui",
    "openai",
    "gemini",
)
"""Families that read as another one does."""
READERS: dict[str, Callable[[str], list[Intent]]] = {
    family.name: lambda text, family=family: parsed(family, text)()  # type: ignore[misc]
    for family in families()
    if family.name not in ALIKE
}
READERS["script"] = lambda text: parse_script(text, HD)
HEADS = {
    "script": ("", "click("),
    "cogagent": ("", "Grounded Operation: TYPE(text='", "Grounded Operation: GESTURE(actions=["),
    "os-atlas-pro": ("", "actions:\nTYPE [", "<think>"),
    "scalecua": ("", "<action>\nwrite(message='"),
    "autoglm": ("", 'do(action="Type", text="', 'do(action="Tap", message="'),
    "gelab-zero": ("", "<THINK>", "action:TYPE\tvalue:"),
    "holo1": ("", '{"thought":"a","action":{"action":"'),
    "glm-v": ("", 'Action: {"action_type":"answer","text":"', "Action: type(content='"),
    "ui-tars-2": ("", "<answer>", "<seed:tool_call><function=type><parameter=content>", "Action: type(content='"),
    **dict.fromkeys(("opencua", "aguvis"), ("", "```python\n", "```python\npyautogui.write('")),
    **dict.fromkeys(("qwen3.5", "fara"), ("", "<tool_call>", '<tool_call>{"action":"type","text":"')),
}
"""Beginnings that lead each reader into its values; `USUAL` for the others."""
USUAL = ("", "Action: type(content='", "<think>")
WORST = (
    *(
        "',",
        "' ",
        "')",
        "',a=",
        "\\'",
        '"',
        "```",
        "\n",
        "\nAction:",
        "Action: ",
        "<think>",
        "<think></think>",
        "</think>",
    ),
    *("a", "a(", "(", "[", "()", '{"a":[', "{'a':", "click(1,2)", "x=1,", "1,", "<tool_call>{", "<function=click>"),
    *("pyautogui.click(", "type(content='a'", "TYPE [", "<parameter=a>"),
)
"""What took the longest, or took longer than linear time, in some reader."""


KINDS = (
    "ui-tars",
    "ui-tars-2",
    "opencua",
    "scalecua",
    "os-atlas-pro",
    "cogagent",
    "qwen3.5",
    "glm-v",
    "autoglm",
    "gelab-zero",
    "holo1",
    "script",
)
"""One family for each way of reading."""


@pytest.mark.parametrize("name", KINDS)
def test_what_was_slow_is_read_in_time(name: str) -> None:
    """A smoke of the next test, with twice the time: other programs share the processor's caches."""
    slow = {}
    for fragment in WORST:
        for head in HEADS.get(name, USUAL):
            best = fastest(READERS[name], (head + fragment * LONG)[:LONG], 2 * LIMIT)
            if best > 2 * LIMIT:
                slow[f"{head}{fragment}…"] = f"{best * 1000:.1f} ms"
    assert not slow


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_hundred_thousand_characters_are_read_in_time(name: str) -> None:
    """Processor time of the best of some attempts: a busy machine delays one, quadratic reading takes them all."""
    slow = {}
    for fragment in FRAGMENTS:
        for head in HEADS.get(name, USUAL):
            for tail in ("", "')"):
                best = fastest(READERS[name], (head + fragment * LONG)[: LONG - len(tail)] + tail, LIMIT)
                if best > LIMIT:
                    slow[f"{head}{fragment}…{tail}"] = f"{best * 1000:.1f} ms"
    assert not slow


def fastest(read: Callable[[str], list[Intent]], text: str, limit: float) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        holds(lambda: read(text))
        best = min(best, time.process_time() - start)
        if best <= limit:
            break
    return best
