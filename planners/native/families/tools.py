"""Models that write tool calls in their text: Qwen-VL and its derivatives, Fara, MAI-UI."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote_plus

from omnipilot.envs import Answer, Done, Intent, Noop, OpenUrl, Scroll
from omnipilot.envs.types import SmartResize, Status
from omnipilot.memory.models.replies.json_calls import server_calls
from omnipilot.planners.native.actions_pointing import (
    click,
    drag,
    long_press,
    move,
    scroll,
    scroll_by,
    scroll_signed,
    swipe,
)
from omnipilot.planners.native.actions_text import (
    STATUSES,
    answer,
    ask,
    browser,
    finish,
    held_while,
    key_down,
    key_up,
    look,
    open_app,
    open_url,
    press,
    press_any,
    system_button,
    terminate,
    type_at,
    type_text,
    wait,
)
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily
from omnipilot.planners.native.reader import navigation_step, tools

AT = "coordinate"
PLACE = (AT, "x/y")
"""Where models put a place: as the tool asks, or under the names of its numbers."""
ENDING = {"terminate": terminate("status", "text"), "answer": answer("text"), "wait": wait("time", usual=1.0)}
COMPUTER = {
    "key": press_any("keys", "text"),
    "key_down": key_down("keys", "text"),
    "key_up": key_up("keys", "text"),
    "type": type_text("text"),
    "mouse_move": move(*PLACE),
    "left_click": click(*PLACE, cursor=True),
    "right_click": click(*PLACE, button="right", cursor=True),
    "middle_click": click(*PLACE, button="middle", cursor=True),
    "double_click": click(*PLACE, count=2, cursor=True),
    "triple_click": click(*PLACE, count=3, cursor=True),
    "left_click_drag": drag((), (AT,)),
    "scroll": scroll_signed(AT, amount="pixels", unit="px"),
    "hscroll": scroll_signed(AT, amount="pixels", unit="px", across=True),
    "screenshot": look(),
    **ENDING,
}
MOBILE = {
    "click": click(*PLACE),
    "long_press": long_press(*PLACE, time="time"),
    "swipe": swipe((AT,), ("coordinate2",), direction="direction"),
    "system_button": system_button("button"),
    "open": open_app("text"),
    "interact": ask("text"),
}
QWEN = {**COMPUTER, **MOBILE}
"""Actions of both tools: models call either, whichever they were given."""

_LAYOUT = ConversationLayout("qwen_computer", "qwen_mobile", images=4, image_first=True)
_CALL = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 500]}}'
_CLICK = f"<tool_call>\n{_CALL}\n</tool_call>"
_PROMPT = "the tool's description is our wording in the layout of qwen-agent's template"

QWEN25 = NativeFamily(
    name="qwen2.5-vl",
    example=_CLICK,
    models=(
        *(f"Qwen/Qwen2.5-VL-{size}-Instruct" for size in ("7B", "3B", "32B", "72B")),
        "mPLUG/GUI-Owl-7B",
        "mPLUG/GUI-Owl-32B",
    ),
    space="abs_resized",
    resize=SmartResize(28, 3136, 12_845_056),
    read=tools,
    read_handed=server_calls,
    actions=QWEN,
    layout=_LAYOUT,
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="Qwen-VL cookbooks (9658872); MobileAgent (11cea57)",
    note=_PROMPT,
)

QWEN3 = NativeFamily(
    name="qwen3-vl",
    example=_CLICK,
    models=(
        *(f"Qwen/Qwen3-VL-{size}-Instruct" for size in ("8B", "2B", "4B", "32B", "30B-A3B", "235B-A22B")),
        *(f"Qwen/Qwen3-VL-{size}-Thinking" for size in ("8B", "2B", "4B", "32B", "30B-A3B", "235B-A22B")),
        *(f"mPLUG/GUI-Owl-1.5-{size}-Instruct" for size in ("2B", "4B", "8B", "32B")),
        *(f"mPLUG/GUI-Owl-1.5-{size}-Think" for size in ("8B", "32B")),
    ),
    space="norm1000",
    resize=SmartResize(32, 65_536, 16_777_216),
    read=tools,
    read_handed=server_calls,
    actions=QWEN,
    layout=ConversationLayout("qwen3_computer", "qwen3_mobile", images=4, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 2048},
    evidence="code",
    source="Qwen3-VL cookbooks (9658872); Qwen3-VL#1741",
    note=_PROMPT,
)

HELD = ("text",)
"""Where Qwen3.5 says which keys are held in a click or while scrolling."""


def _scroll_held(across: bool) -> NativeAction:
    """Scrolling by notches of the wheel, with keys held."""

    def make(a: Arguments) -> Iterable[Intent]:
        scrolled = scroll_by(a, a.number("pixels"), a.point_or_none(AT), "notch", across)
        return held_while(a, HELD, scrolled)

    return NativeAction(("pixels", AT, *HELD), make)


QWEN35_ACTIONS = {
    **QWEN,
    "left_click": click(*PLACE, cursor=True, held=HELD),
    "right_click": click(*PLACE, button="right", cursor=True, held=HELD),
    "middle_click": click(*PLACE, button="middle", cursor=True, held=HELD),
    "double_click": click(*PLACE, count=2, cursor=True, held=HELD),
    "triple_click": click(*PLACE, count=3, cursor=True, held=HELD),
    "scroll": _scroll_held(across=False),
    "hscroll": _scroll_held(across=True),
}

QWEN35 = NativeFamily(
    name="qwen3.5",
    example="<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n"
    "<parameter=coordinate>\n[500, 500]\n</parameter>\n</function>\n</tool_call>",
    models=(
        *(f"Qwen/Qwen3.5-{size}" for size in ("9B", "0.8B", "2B", "4B", "27B", "35B-A3B", "122B-A10B", "397B-A17B")),
        *(f"Qwen/Qwen3.6-{size}" for size in ("27B", "35B-A3B")),
        "dashscope/qwen3.5-plus",
        "dashscope/qwen3.6-plus",
    ),
    space="norm1000",
    resize=QWEN3.resize,
    read=tools,
    read_handed=server_calls,
    actions=QWEN35_ACTIONS,
    layout=ConversationLayout("qwen35_computer", "qwen35_mobile", images=4, image_first=True),
    parameters=QWEN3.parameters,
    evidence="third-party",
    source="OSWorld mm_agents/qwen35vl_agent.py (bfd62bd, its parser as copied in cotcodec); cua loops/qwen35.py "
    "(b296ec9); vLLM recipes models/Qwen/Qwen3.6-27B.yaml (02ebfc5)",
    note=_PROMPT + "; its authors' chat template asks for these calls in XML, Qwen3.6's as well; scrolled in notches, "
    "and keys held in a click or a scroll, as OSWorld's runner does; serve with --reasoning-parser qwen3",
)


EVOCUA = NativeFamily(
    name="evocua",
    example="Action: Click it.\n" + _CLICK.replace("[500, 500]", "[499.5, 499.5]"),
    models=("meituan/EvoCUA-8B-20260105", "meituan/EvoCUA-32B-20260105"),
    space="norm999",
    resize=QWEN3.resize,
    read=tools,
    read_handed=server_calls,
    actions={
        **COMPUTER,
        "click": COMPUTER["left_click"],
        "scroll": scroll_signed(AT, amount="pixels", unit="notch"),
        "hscroll": scroll_signed(AT, amount="pixels", unit="notch"),
    },
    layout=ConversationLayout("qwen3_computer", images=4, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 4096},
    evidence="code",
    source="EvoCUA mm_agents/evocua/{evocua_agent.py,prompts.py} (4a0ad5f)",
    note=_PROMPT
    + "; numbers are divided by 999 and scrolled in notches, as its runner (S2) does; its other form (S1), "
    "code as OpenCUA writes it, is read by family=opencua",
)


FARA_SCROLL = 400.0
"""Pixels of one scroll of Fara's browser, whatever number the model gives: only its sign counts."""


def _fara_scroll(a: Arguments) -> Iterable[Intent]:
    amount = a.number("pixels")
    if not amount:
        a.bad("an amount of 0 scrolls nothing")
    return [Scroll("up" if amount > 0 else "down", a.point_or_none(AT) or a.cursor, FARA_SCROLL, "px")]


def _bing(query: str) -> OpenUrl:
    return OpenUrl(f"https://www.bing.com/search?q={quote_plus(query)}")


def _visit(a: Arguments) -> Iterable[Intent]:
    """An address as Fara's runner takes it: words are searched for, and a scheme that is missing is https."""
    url = a.text("url")
    if url.startswith(("https://", "http://", "file://", "about:")):
        return [OpenUrl(url)]
    return [_bing(url) if " " in url else OpenUrl(f"https://{url}")]


WEB = {
    "visit_url": NativeAction(("url",), _visit),
    "web_search": NativeAction(("query",), lambda a: [_bing(a.text("query"))]),
}
_FARA_TYPE = type_at(
    AT, text=("text", "text_value"), enter="press_enter", clear="delete_existing_text", usual=(True, False)
)
FARA_ACTIONS = {
    **{name: COMPUTER[name] for name in ("key", "mouse_move", "left_click", "screenshot")},
    "keypress": COMPUTER["key"],
    "hover": COMPUTER["mouse_move"],
    "click": COMPUTER["left_click"],
    **dict.fromkeys(("type", "input_text"), _FARA_TYPE),
    "scroll": NativeAction(("pixels", AT), _fara_scroll),
    **WEB,
    "history_back": browser("back"),
    "pause_and_memorize_fact": NativeAction(("fact",), lambda a: [Noop()] if a.text("fact") else []),
    **ENDING,
    "stop": ENDING["terminate"],
    **dict.fromkeys(("wait", "sleep"), wait("time", "duration", usual=3.0)),
}

FARA = NativeFamily(
    name="fara",
    example=_CLICK,
    models=("microsoft/Fara-7B",),
    space="abs_resized",
    resize=SmartResize(28, 3136, 12_845_056),
    read=tools,
    read_handed=server_calls,
    actions=FARA_ACTIONS,
    layout=ConversationLayout("fara", images=3, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="fara src/fara/fara_agent.py (3f3f1fd)",
    note="the tool's description is our wording; scroll is 400 px by its sign; a fact to memorise joins the "
    "thought; the thought before terminate is the answer",
    thought_answers=True,
)


def _scroll_share(a: Arguments, across: bool) -> Iterable[Intent]:
    """Scrolling by thousandths of the screen's side, as Fara1.5's runner does: + is up, or right."""
    side = a.frame.screenshot.width if across else a.frame.screenshot.height
    return scroll_by(a, a.number("pixels") / 1000 * side, a.point_or_none(AT), "px", across)


def _answered(a: Arguments) -> Iterable[Intent]:
    said = a.text("answer", default="")
    ending: Status = a.option("status", options=STATUSES, default="success")
    return [*([Answer(said)] if said.strip() else []), Done(ending)]


FARA15 = NativeFamily(
    name="fara-1.5",
    example=_CLICK,
    models=("microsoft/Fara1.5-9B", "microsoft/Fara1.5-4B", "microsoft/Fara1.5-27B"),
    space="norm1000",
    resize=QWEN3.resize,
    read=tools,
    read_handed=server_calls,
    actions={
        **{name: COMPUTER[name] for name in ("key", "mouse_move", "left_click", "double_click", "right_click")},
        **{name: COMPUTER[name] for name in ("triple_click", "left_click_drag")},
        "type": type_text("text", "text_value"),
        "scroll": NativeAction(("pixels", AT), lambda a: _scroll_share(a, across=False)),
        "hscroll": NativeAction(("pixels", AT), lambda a: _scroll_share(a, across=True)),
        **WEB,
        "history_back": FARA_ACTIONS["history_back"],
        "pause_and_memorize_fact": FARA_ACTIONS["pause_and_memorize_fact"],
        "ask_user_question": ask("question"),
        "wait": FARA_ACTIONS["wait"],
        "terminate": NativeAction(("answer", "status"), _answered),
    },
    layout=ConversationLayout("fara15", images=3, image_first=True),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="fara src/fara/agents/fara/fara15_agent.py (6505fef)",
    note="the tool's description is our wording; read_page_answer_question, which its runner answers by another "
    "question to the model, is not offered; the size of 1000x1000 is as third parties tell it",
)

HOLO1 = NativeFamily(
    name="holo1",
    example='{"note": "", "thought": "…", "action": {"action": "click_element", "element": "it", "x": 500, "y": 500}}',
    models=("Hcompany/Holo1-7B", "Hcompany/Holo1-3B"),
    space="abs_resized",
    resize=SmartResize(28, 3136, 1_003_520),
    read=navigation_step,
    actions={
        "click_element": click("x/y"),
        "write_element_abs": type_at("x/y", text=("content",), usual=(True, False)),
        "scroll": scroll(usual=1, unit="page"),
        "go_back": browser("back"),
        "refresh": browser("reload"),
        "goto": open_url("url"),
        "wait": wait("seconds", usual=2.0),
        "answer": finish("content"),
    },
    ignores=frozenset(("element",)),
    layout=ConversationLayout("holo1", images=1),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="hai-cookbook utils/navigation.py, holo1/vllm/invoke_navigation.ipynb (2ba8961)",
    note="the prompt is our wording; writing ends with Enter; its action restart, which begins the task anew, is not "
    "offered",
)

MAI_ACTIONS = {
    "click": click(*PLACE),
    "double_click": click(*PLACE, count=2),
    "long_press": long_press(*PLACE),
    "drag": drag(("start_coordinate",), ("end_coordinate",)),
    "swipe": swipe((AT,), (), direction="direction"),
    "type": type_text("text"),
    "press": press("keys", "text"),
    "system_button": system_button("button"),
    "open": open_app("text"),
    "ask_user": ask("text"),
    **ENDING,
}

MAI_UI = NativeFamily(
    name="mai-ui",
    example="<thinking>…</thinking>\n" + _CLICK.replace("left_click", "click").replace("computer_use", "mobile_use"),
    models=("Tongyi-MAI/MAI-UI-8B", "Tongyi-MAI/MAI-UI-2B", "Tongyi-MAI/MAI-UI-32B"),
    space="norm1000",
    resize=QWEN3.resize,
    read=tools,
    read_handed=server_calls,
    actions=MAI_ACTIONS,
    corners="centre",
    layout=ConversationLayout("mai_ui", images=3),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="MAI-UI src/prompt.py, evaluation (4dd07b9)",
    note="the prompt is our wording; their code divides by 999, their logs agree with 1000",
)

FAMILIES = (QWEN25, QWEN3, QWEN35, EVOCUA, FARA, FARA15, HOLO1, MAI_UI)
