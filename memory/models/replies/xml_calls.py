"""Tool calls written as `<function=name><parameter=key>value</parameter></function>`."""

from __future__ import annotations

import re

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.call import Call

_FUNCTION = re.compile(r"<function\s{0,4}+(?:=|name\s{0,4}+=)\s{0,4}+[\"']?+([\w.:-]{1,80}+)[\"']?+\s{0,4}+/?>")
_PARAMETER = re.compile(r"<parameter\s{0,4}+(?:=|name\s{0,4}+=)\s{0,4}+[\"']?+([\w.-]{1,80}+)[\"']?+[^<>]{0,80}>")
_WITHOUT_BRACKETS = re.compile(
    r"^[ \t]{0,8}+(\w{1,40}+)>((?:start_)?point)>point>[ \t]{0,8}+(\d[\d., \t]{2,60}+)", re.MULTILINE | re.ASCII
)
_END = "</parameter>"
MOST = 50


def xml_calls(block: str) -> list[Call]:
    """The functions in a block, with parameters as text; attribute style (`name='…'`) is accepted too.

    Raises:
        MalformedReply: there is none, or a parameter is not closed.
    """
    calls: list[Call] = []
    head = _FUNCTION.search(block)
    if head is None:
        raise MalformedReply("the tool call has no <function=name>")
    while head is not None:
        named: dict[str, str] = {}
        at = head.end()
        following = _FUNCTION.search(block, at)
        while (parameter := _PARAMETER.search(block, at)) and (
            following is None or parameter.start() < following.start()
        ):
            end = block.find(_END, parameter.end())
            if end < 0:
                raise MalformedReply(f"{head[1]}: the parameter {parameter[1]} is not closed with {_END}")
            if parameter[1] in named:
                raise MalformedReply(f"{head[1]}: the parameter {parameter[1]} is given twice")
            named[parameter[1]] = _unframed(block[parameter.end() : end])
            at = end + len(_END)
            if following is not None and following.start() < at:
                following = _FUNCTION.search(block, at)
        calls.append(Call(head[1], named=named))
        if len(calls) > MOST:
            raise MalformedReply(f"more than {MOST} functions in one reply; give fewer at a time")
        head = following
    return calls


def call_without_brackets(text: str) -> Call | None:
    """The first call such as `click>point>point>112 56`, or None.

    It is `<function=click><parameter=point><point>112 56` after a server has taken the beginnings of its tags for
    special tokens and dropped them, as hosted Seed models answer.
    """
    found = _WITHOUT_BRACKETS.search(text)
    return None if found is None else Call(found[1], named={found[2]: found[3].strip()})


def _unframed(value: str) -> str:
    """The value without the single line break that the template puts around it."""
    return value.removeprefix("\n").removesuffix("\n")
