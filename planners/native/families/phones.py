"""Models for phones with a form of their own: AutoGLM-Phone and GELab-Zero."""

from __future__ import annotations

import re
from collections.abc import Iterable

from omnipilot.envs import Intent, Noop, System, TypeText, Wait
from omnipilot.envs.types import SmartResize
from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.action_text import excerpt, join_thoughts, refuse_long, words
from omnipilot.memory.models.replies.keyword_calls import scan
from omnipilot.planners.native.actions_pointing import click, long_press, swipe
from omnipilot.planners.native.actions_text import always, ask, finish, give_up, open_app, wait
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily

_THOUGHT_END = re.compile(r"</\s{0,4}+T(?:H)?INK\s{0,4}+>", re.IGNORECASE)
"""The end of a thought, misspelt too, as GELab-Zero's authors mend it."""
_TOKEN_END = re.compile(r"<\|[a-z_]{1,40}\|>\Z")
_CALL = re.compile(r"(?:do|finish)\s{0,4}+\(")
_TYPE = re.compile(
    r"do\(\s{0,4}action\s{0,4}=\s{0,4}([\"'])(Type|Type_Name)\1\s{0,4},\s{0,4}text\s{0,4}=\s{0,4}([\"'])"
)
_FINISH = re.compile(r"finish\(\s{0,4}message\s{0,4}=\s{0,4}([\"'])")


def _after_thought(reply: str) -> tuple[str, str]:
    """The thought up to the first tag that ends one, and the rest; no thought without such a tag."""
    end = _THOUGHT_END.search(reply)
    return ("", reply) if end is None else (reply[: end.start()], reply[end.end() :])


def _trimmed(text: str) -> str:
    """A text without blanks, tokens, fences and closing tags at its end."""
    for _ in range(8):
        shorter = text.rstrip().removesuffix("```").removesuffix("</answer>")
        token = _TOKEN_END.search(shorter, max(0, len(shorter) - 48))
        shorter = shorter if token is None else shorter[: token.start()]
        if shorter == text:
            break
        text = shorter
    return text


def _raw(region: str, opened: re.Match[str], mark: str) -> str:
    """The text between a quotation mark and the same mark before the last bracket, byte for byte."""
    inside = region[opened.end() :].removesuffix(")").rstrip()
    if not inside.endswith(mark):
        raise MalformedReply(f"the text {excerpt(inside, 40)} is not closed with {mark})")
    return inside[:-1]


def autoglm(reply: str) -> tuple[list[Call], str]:
    """`do(action="Tap", element=[x,y])` or `finish(message="…")` after the thought, as AutoGLM's parse_action reads it.

    What is typed is taken as it stands, without escapes.
    """
    refuse_long(reply)
    thought, rest = _after_thought(reply)
    start = _CALL.search(rest)
    if start is None:
        raise MalformedReply(
            f'there is no action in {excerpt(rest)}; write one such as do(action="Tap", element=[x,y])'
        )
    region = _trimmed(rest[start.start() :])
    told = join_thoughts([words(thought), words(rest[: start.start()])])
    if (typed := _TYPE.match(region)) is not None:
        return [Call("Type", named={"text": _raw(region, typed, typed[3])})], told
    if (ended := _FINISH.match(region)) is not None:
        return [Call("finish", named={"message": _raw(region, ended, ended[1])})], told
    call = scan(region)[0]
    if call.name != "do":
        return [call], told
    named = dict(call.named)
    action = named.pop("action", None)
    if not isinstance(action, str):
        raise MalformedReply(f"do has no action: {excerpt(region)}")
    return [Call(action, call.args, named)], told


def _seconds(a: Arguments) -> Iterable[Intent]:
    """`x seconds`; what is no number is one second, as in the runner."""
    said = a.text("duration", default="1").replace("seconds", "").replace("second", "").strip()
    try:
        return [Wait(min(max(float(said), 0.0), 60.0))]
    except ValueError:
        return [Wait(1.0)]


_TYPED = NativeAction(("text",), lambda a: [TypeText(a.text("text"), clear=True)])
AUTOGLM_ACTIONS = {
    "launch": open_app("app"),
    "tap": NativeAction(("element", "message"), click("element").make),
    "double tap": click("element", count=2),
    "long press": long_press("element"),
    "swipe": swipe(("start",), ("end",)),
    "type": _TYPED,
    "type_name": _TYPED,
    "back": always(System("back")),
    "home": always(System("home")),
    "wait": NativeAction(("duration",), _seconds),
    "take_over": ask("message"),
    "interact": ask("message"),
    "note": NativeAction(("message",), lambda _: [Noop()]),
    "call_api": NativeAction(("instruction",), lambda _: [Noop()]),
    "finish": finish("message"),
}

AUTOGLM = NativeFamily(
    name="autoglm",
    example='<think>…</think>\n<answer>do(action="Tap", element=[500,500])</answer>',
    models=("zai-org/AutoGLM-Phone-9B", "zai-org/AutoGLM-Phone-9B-Multilingual"),
    space="norm1000",
    read=autoglm,
    actions=AUTOGLM_ACTIONS,
    layout=ConversationLayout("autoglm", images=1, image_first=True, gap=""),
    parameters={"temperature": 0.0, "max_tokens": 3000},
    evidence="code",
    source="Open-AutoGLM phone_agent/{actions/handler.py,model/client.py,config/prompts_en.py} (6b18d7b)",
    note="the prompt is our wording; typing clears the field first, as its runner does; Note and Call_API do nothing, "
    "and what it marks as sensitive is not asked about",
)


def step_fields(reply: str) -> tuple[dict[str, str], str]:
    """The fields of GELab-Zero's reply, `explain:…` tab `action:…` tab …, and the thought before them.

    Of a field that is given twice the last counts.
    """
    refuse_long(reply)
    thought, rest = _after_thought(reply)
    fields: dict[str, str] = {}
    for piece in _trimmed(rest).split("\t"):
        name, colon, value = piece.strip().partition(":")
        if colon:
            fields[name.strip()] = value.strip()
    return fields, words(re.sub(r"<T(?:H)?INK>", "", thought, flags=re.IGNORECASE))


def step_gui(reply: str) -> tuple[list[Call], str]:
    """`<THINK>…</THINK>` and then fields with tabs between them, as GELab-Zero's str2action reads them."""
    fields, thought = step_fields(reply)
    name = fields.pop("action", "")
    if not name:
        raise MalformedReply(f"there is no action: in {excerpt(reply)}; write explain:… action:… summary:… with tabs")
    told = join_thoughts([thought, fields.get("explain", "")])
    return [Call(name, named={key: value for key, value in fields.items() if key not in _WORDS})], told


_WORDS = frozenset(("explain", "summary", "cot"))


def summary(reply: str) -> str:
    """What the model says of the task so far: that is its history."""
    fields, _ = step_fields(reply)
    return fields.get("summary") or fields.get("explain", "")


STEP_ACTIONS = {
    "click": click("point"),
    # Its runner types into the field that has the focus, and taps no place first.
    "type": NativeAction(("value", "point"), lambda a: [TypeText(a.text("value"))]),
    "complete": NativeAction(("return", "value"), finish("return", "value").make),
    "wait": wait("value", usual=2.0),
    "awake": open_app("value"),
    "info": ask("value"),
    "abort": give_up("value"),
    "slide": swipe(("point1",), ("point2",)),
    "longpress": long_press("point"),
}

GELAB = NativeFamily(
    name="gelab-zero",
    example="<THINK> … </THINK>\nexplain:…\taction:CLICK\tpoint:500,500\tsummary:…",
    models=("stepfun-ai/GELab-Zero-4B-preview",),
    space="norm1000",
    resize=SmartResize(32, 65_536, 16_777_216),
    read=step_gui,
    actions=STEP_ACTIONS,
    layout=ConversationLayout("gelab_zero", history="list", images=1, done=summary),
    parameters={"temperature": 0.1, "max_tokens": 4096},
    evidence="code",
    source="gelab-zero copilot_tools/parser_0920_summary.py, copilot_front_end/pu_frontend_executor.py (19465cf)",
    note="the prompt is our wording in English, its authors' is Chinese; its past is told by its own summaries",
)

FAMILIES = (AUTOGLM, GELAB)
