"""Parsers from the text of a reply to its calls and the thought around them, one per syntax."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TypeAlias

from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies import python_calls as native_python
from omnipilot.memory.models.replies.absence import PLACES, refuses
from omnipilot.memory.models.replies.action_text import (
    after,
    excerpt,
    join_thoughts,
    last_fence,
    refuse_long,
    split_reasoning,
    without_fences,
    without_markup,
    without_tokens,
    words,
)
from omnipilot.memory.models.replies.json_calls import (
    NOT_THERE,
    TOOL_VALUE,
    first_value,
    tool_calls,
    tool_values,
    values,
)
from omnipilot.memory.models.replies.keyword_calls import quoted_values, scan
from omnipilot.memory.models.replies.quoted import veil
from omnipilot.memory.models.replies.reasoning import split_leading_thought
from omnipilot.memory.models.replies.xml_calls import call_without_brackets, xml_calls

Read: TypeAlias = Callable[[str], tuple[list[Call], str]]

_LABEL = re.compile(r"\s*+(?:Thought|Thoughts|Reasoning)\s{0,4}+[:：]\s*+", re.IGNORECASE)
_SEED = "<seed:tool_call>"
_SEED_END = "</seed:tool_call>"
_NEVER = "_never_used_"
_NEVER_USED = re.compile(r"(</?(?:seed:tool_call|function|parameter|answer))_never_used_[0-9a-f]{8,64}+")
_JSON = re.compile(r"\{(?=\s{0,20}\")")
_ACTION_OBJECT = re.compile(
    r"(?:^[ \t]{0,8}Action[ \t]{0,8}[:：]|\A|(?<=</think>))\s{0,20}"
    r"(?:<\|begin_of_box\|>|```json)?\s{0,20}\{(?=\s{0,20}[\"'])",
    re.MULTILINE | re.IGNORECASE,
)
"""How an action as a JSON object begins."""
_TOOL = re.compile(
    r"<(?:seed:)?tool_call>|<function\s{0,4}=|^[ \t]{0,8}(?:Action[ \t]{0,8}[:：]|\{\s{0,20}\")", re.MULTILINE
)
"""How a call begins that a thought without an end goes over to."""


def scan_calls(
    names: Collection[str], label: str = "Action", tag: str = "", until: str = "", marks: tuple[str, str] = ("", "")
) -> Read:
    """Calls such as `click(start_box='(1,2)')`, after the last `label:` or from the first known name onwards.

    Args:
        names: names of the family's actions, in lower case.
        tag: the calls are between these tags, if present.
        until: a label at the start of a line that ends the calls.
        marks: tokens around the calls, if present; of several pairs the first counts.
    """
    begins = _heads_of(names)
    announced = rf"^[ \t]{{0,8}}{label}[ \t]{{0,8}}[:：]" + (rf"|<{tag}>" if tag else "")
    if marks[0]:
        announced += f"|{re.escape(marks[0])}"
    arms = re.compile(rf"{announced}|^[ \t]{{0,8}}{begins.pattern}", re.IGNORECASE | re.MULTILINE)
    announces = re.compile(announced, re.IGNORECASE | re.MULTILINE)

    def read(reply: str) -> tuple[list[Call], str]:
        refuse_long(reply)
        veiled = veil(reply, begins, quoted_values, arms)
        thought, rest = split_reasoning(veiled.text, announces)
        before, region = _between(rest, *marks) or _region(rest, label, tag, begins)
        if until:
            region = region[: _line_start(region, until)]
        return scan(veiled.restore(_bare(region))), veiled.restore(join_thoughts([thought, thought_before(before)]))

    return read


def python(prefixes: tuple[str, ...], tag: str = "", label: str = "") -> Read:
    """Calls as Python: in the last code fence, else from the first line that starts with one of the prefixes.

    Args:
        tag: the calls are between these tags, if present; of several blocks the first counts.
        label: what a heading says above the calls; a thought that is never closed ends there, or where code opens.
    """
    begins = _prefixed(prefixes)
    arms = re.compile(rf"^[ \t]{{0,8}}(?:```|{begins.pattern})" + (rf"|<{tag}>" if tag else ""), re.M | re.I)
    headings = rf"|^#{{1,3}}[ \t]{{0,4}}{label}[ \t]{{0,4}}[:：]" if label else ""
    # A fence without a language opens only where code follows: else it is the end of the one before.
    fence = rf"^[ \t]{{0,8}}```(?:[a-z]{{1,20}}|(?=[ \t]{{0,8}}\r?\n[ \t]{{0,8}}{begins.pattern}))"
    # What begins with code is no thought at all.
    announces = re.compile(
        rf"{fence}|\A\s{{0,8}}{begins.pattern}" + (rf"|<{tag}>" if tag else "") + headings, re.M | re.I
    )

    def read(reply: str) -> tuple[list[Call], str]:
        refuse_long(reply)
        veiled = veil(reply, begins, native_python.quoted_values, arms)
        thought, rest = split_reasoning(veiled.text, announces)
        inside = _inside(rest, tag, first=True) if tag else None
        before, region = inside or last_fence(rest) or _from_line(without_tokens(rest), begins)
        code = veiled.restore(without_fences(without_tokens(region)).strip())
        ended = inside is not None and f"</{tag}>" in rest
        return _python_calls(code, ended), veiled.restore(join_thoughts([thought, thought_before(before)]))

    return read


def _bare(region: str) -> str:
    """A region of calls without tokens, tags, fences and emphasis around it."""
    return without_markup(without_fences(without_tokens(region))).strip().strip("*`").strip()


def _python_calls(code: str, ended: bool) -> list[Call]:
    """The calls of a script; of one with quotes that Python cannot read, as keyword calls are read.

    Args:
        ended: the script's end was written, so that a bracket which is missing there was forgotten, not cut off.
    """
    try:
        return native_python.parse_calls(code)
    except native_python.NotPython as error:
        if ended and not code.endswith(")"):
            return _python_calls(f"{code})", ended)
        try:
            return scan(code)
        except MalformedReply:
            raise error from None


def tools(reply: str) -> tuple[list[Call], str]:
    """`<tool_call>` blocks of JSON or XML, or bare JSON; `<answer>` and the like around them count for nothing."""
    refuse_long(reply)
    veiled = veil(reply, TOOL_VALUE, tool_values)
    thought, rest = split_reasoning(veiled.text, _TOOL)
    calls, before = tool_calls(without_fences(without_tokens(rest)), veiled.restore)
    for call in calls:
        # Without a place it is a click at the pointer; one that says "nowhere" is no click.
        if call.name.lower().endswith("click") and call.named.keys() & PLACES and refuses(call.named):
            raise MalformedReply(f"{call.name}: {excerpt(str(dict(call.named)))} {NOT_THERE}")
    return calls, veiled.restore(join_thoughts([thought, thought_before(before)]))


def seed(names: Collection[str]) -> Read:
    """`<seed:tool_call>` blocks of XML; an empty one is no action. Without any, like `scan_calls`.

    Tags may end in `_never_used_` and a number, as in the prompts of hosted models, or have lost their brackets. An
    `<answer>` without a call in it is the final one.
    """
    plain = scan_calls(names)
    called = _heads_of(names)

    def read(reply: str) -> tuple[list[Call], str]:
        refuse_long(reply)
        if _NEVER in reply:
            reply = _NEVER_USED.sub(r"\1", reply)
        if not any(mark in reply for mark in (_SEED, "<function", "<answer")):
            thought, rest = split_reasoning(reply)
            bare = call_without_brackets(rest)
            return plain(reply) if bare is None else ([bare], join_thoughts([thought]))
        veiled = veil(reply, TOOL_VALUE, tool_values)
        thought, rest = split_reasoning(veiled.text, _TOOL)
        if _SEED not in rest and "<function" not in rest:
            said = _inside(rest, "answer")
            if said is None or called.search(said[1]) is not None or not said[1].strip():
                return plain(reply)
            final = Call("finished", named={"content": veiled.restore(said[1]).strip()})
            return [final], veiled.restore(join_thoughts([thought, thought_before(said[0])]))
        before, *blocks = rest.split(_SEED) if _SEED in rest else (rest[: rest.find("<function")], rest)
        calls: list[Call] = []
        for block in blocks[: native_python.MOST]:
            inside = block.split(_SEED_END)[0]
            calls += xml_calls(veiled.restore(inside)) if inside.strip() else [Call("noop")]
        return calls, veiled.restore(join_thoughts([thought, thought_before(before)]))

    return read


def action_object(otherwise: Read) -> Read:
    """One JSON object after `Action:` whose `action_type` is the action, as in GLM-V's form for phones.

    Args:
        otherwise: reads a reply without such an object.
    """

    def read(reply: str) -> tuple[list[Call], str]:
        refuse_long(reply)
        if _ACTION_OBJECT.search(reply) is None:
            return otherwise(reply)
        veiled = veil(reply, TOOL_VALUE, tool_values)
        thought, rest = split_reasoning(veiled.text, _ACTION_OBJECT)
        found = _ACTION_OBJECT.search(rest)
        if found is None:
            return otherwise(reply)
        value = values(veiled.restore(rest[found.end() - 1 :]))[0]
        if not isinstance(value, dict) or not isinstance(value.get("action_type"), str):
            raise MalformedReply(f'the action has no "action_type": {excerpt(str(value))}')
        named = {str(name): given for name, given in value.items() if name != "action_type"}
        told = veiled.restore(join_thoughts([thought, thought_before(rest[: found.start()])]))
        return [Call(value["action_type"], named=named)], told

    return read


def navigation_step(reply: str) -> tuple[list[Call], str]:
    """One JSON object with `note`, `thought` and `action`, an object whose `action` says what to do (Holo1)."""
    refuse_long(reply)
    thought, rest = split_leading_thought(reply.strip())
    start = _JSON.search(rest)
    value = None if start is None else first_value(rest[start.start() :])
    action = value.get("action") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(action, dict) or not isinstance(action.get("action"), str):
        raise MalformedReply(f'there is no {{"thought": …, "action": {{"action": …}}}} in {excerpt(rest)}')
    told = join_thoughts([thought, *(str(value.get(name) or "") for name in ("note", "thought"))])
    named = {str(name): given for name, given in action.items() if name != "action"}
    return [Call(action["action"], named=named)], told


def final_words(reply: str) -> tuple[list[Call], str]:
    """Text without a tool call: the model says that it has finished."""
    thought, rest = split_reasoning(reply)
    if not rest:
        raise MalformedReply("the reply is empty; call a tool, or say that the task is finished and how")
    return [Call("finished", named={"content": rest})], thought


def thought_before(text: str) -> str:
    """The text before an action, without labels and markup."""
    return _LABEL.sub("", words(text), count=1).strip()


def _region(text: str, label: str, tag: str, begins: re.Pattern[str]) -> tuple[str, str]:
    found = (_inside(text, tag) if tag else None) or after(text, label)
    if found is not None:
        return found
    leading = re.compile(rf"^[ \t]{{0,80}}+(?P<call>{begins.pattern})", begins.flags | re.MULTILINE).search(text)
    start = begins.search(text) if leading is None else leading
    if start is None:
        raise MalformedReply(f"there is no action in {excerpt(text)}; write it after {label}:")
    at = start.start() if leading is None else leading.start("call")
    return text[:at], text[at:]


def _between(text: str, opening: str, closing: str) -> tuple[str, str] | None:
    """What stands before the first opening mark, and what stands between it and its end; None without both."""
    start = text.find(opening) if opening else -1
    end = text.find(closing, start + len(opening)) if start >= 0 else -1
    return None if end < 0 else (text[:start], text[start + len(opening) : end])


def _inside(text: str, tag: str, first: bool = False) -> tuple[str, str] | None:
    start = text.find(f"<{tag}>") if first else text.rfind(f"<{tag}>")
    if start < 0:
        return None
    region = text[start + len(tag) + 2 :]
    return text[:start], region.split(f"</{tag}>")[0]


def _from_line(text: str, begins: re.Pattern[str]) -> tuple[str, str]:
    label = r"(?:Action[ \t]{0,4}[:：]\s{0,4}+)?"
    first = re.compile(rf"^\s{{0,80}}+{label}(?P<call>{begins.pattern})", begins.flags | re.MULTILINE).search(text)
    if first is not None:
        return text[: first.start("call")], text[first.start("call") :]
    raise MalformedReply(f"there is no action in {excerpt(text)}; write one such as pyautogui.click(x=…, y=…)")


def _heads_of(names: Collection[str]) -> re.Pattern[str]:
    """How a call of one of these names begins, up to its opening bracket."""
    known = "|".join(map(re.escape, names))
    # That it is a call at all is looked for first: most words of a reply are none.
    return re.compile(rf"(?<![\w.])(?=[\w.]{{2,40}}+\s{{0,8}}+[(（])(?:{known})\s{{0,8}}+[(（]", re.IGNORECASE)


def _prefixed(prefixes: Collection[str]) -> re.Pattern[str]:
    """How a line of code begins: a module and a name, or a name, up to the opening bracket."""
    ways = "|".join(
        re.escape(prefix[:-1]) if prefix.endswith("(") else rf"{re.escape(prefix)}\w{{1,60}}+" for prefix in prefixes
    )
    return re.compile(rf"(?<![\w.])(?=[\w.]{{3,80}}+[ \t]{{0,8}}+\()(?:{ways})[ \t]{{0,8}}+\(", re.IGNORECASE)


def _line_start(text: str, label: str) -> int:
    match = re.compile(rf"^[ \t]{{0,8}}{label}[ \t]{{0,8}}[:：]", re.MULTILINE).search(text)
    return match.start() if match else len(text)
