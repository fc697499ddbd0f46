"""One action space: what stands for a verb on a platform that has not got it.

`TRANSLATIONS` is the table: verb and platform → a program of other verbs, or why there is none. What a device declares
is never translated, except for arguments that its platform does not know, such as the right button on a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from omnipilot.envs import (
    Browser,
    Click,
    Custom,
    CustomVerb,
    Drag,
    Intent,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    Platform,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.types import CONTROL_VERBS, custom_verb
from omnipilot.planners import Verbs

Way: TypeAlias = Callable[[Any], Sequence[Intent]]
"""Makes the program for an intent. Raises `Untranslatable` for arguments for which there is none."""
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
MOST_TABS = 8
"""Tabs that a browser's keys reach: ctrl+1 to ctrl+8."""


class Untranslatable(Exception):
    """There is no program for these arguments; the message says why, for the planner."""


def _refuse(why: str) -> Way:
    def way(_: Any) -> Sequence[Intent]:
        raise Untranslatable(why)

    return way


def _press(*keys: str) -> tuple[Intent, ...]:
    return (Press(keys),)


def _long_press(one: Any) -> Sequence[Intent]:
    return MouseDown(one.at), Wait(one.seconds), MouseUp(one.at)


def _swipe(one: Any) -> Sequence[Intent]:
    if one.end is not None:
        return (Drag(one.end, one.start),)
    return (Scroll(OPPOSITE[one.direction], one.start),)  # type: ignore[arg-type]


def _drag(one: Any) -> Sequence[Intent]:
    down = MouseDown(one.start, one.button)
    return down, *(MouseMove(place) for place in (*one.path, one.end)), MouseUp(one.end, one.button)


def _drag_as_swipe(one: Any) -> Sequence[Intent]:
    if one.start is None:
        raise Untranslatable("a phone has no cursor: say where the drag starts")
    if one.path:
        raise Untranslatable("a swipe goes straight: leave out the path")
    return (Swipe(None, one.start, one.end),)


def _scroll_as_swipe(one: Any) -> Sequence[Intent]:
    return (Swipe(OPPOSITE[one.direction], one.at),)  # type: ignore[arg-type]


def _scroll_by_keys(one: Any) -> Sequence[Intent]:
    if one.direction in ("left", "right"):
        raise Untranslatable("the page keys scroll up and down only")
    focus = () if one.at is None else (Click(one.at),)
    return *focus, Press((f"page{one.direction}",))


def _type_by_keys(one: Any) -> Sequence[Intent]:
    if any(not (letter.isprintable() or letter == "\n") for letter in one.text) or len(one.text) > 200:
        raise Untranslatable("only up to 200 characters that have keys can be pressed one by one")
    keys = [Press(({" ": "space", "\n": "enter"}.get(letter, letter),)) for letter in one.text]
    focus = () if one.at is None else (Click(one.at),)
    clear = (Press(("ctrl", "a")), Press(("delete",))) if one.clear else ()
    return *focus, *clear, *keys, *((Press(("enter",)),) if one.submit else ())


def _press_on_touch(one: Any) -> Sequence[Intent]:
    keys = "+".join(one.keys)
    if one.keys in (("esc",), ("alt", "left")):
        return (System("back"),)
    raise Untranslatable(f"a touch keyboard has no {keys}; name what the keys should do instead")


def _select(one: Any) -> Sequence[Intent]:
    return Click(one.at), Click(f'the option "{one.value}"'[:400])


def _open_app_from_home(one: Any) -> Sequence[Intent]:
    return System("home"), Click(f"the {one.app} icon"[:400])


def _open_app_from_launcher(one: Any) -> Sequence[Intent]:
    return Press(("meta",)), TypeText(one.app), Press(("enter",))


def _open_url_by_keys(one: Any) -> Sequence[Intent]:
    return Press(("ctrl", "l")), TypeText(one.url, submit=True)


def _open_url_on_phone(one: Any) -> Sequence[Intent]:
    return OpenApp("Browser"), TypeText(one.url, "the address field", submit=True)


def _browser_by_keys(one: Any) -> Sequence[Intent]:
    if one.op == "focus_tab":
        if one.tab >= MOST_TABS:
            raise Untranslatable(f"keys reach the first {MOST_TABS} tabs only; click the tab")
        return _press("ctrl", str(one.tab + 1))
    if one.op == "close_tab" and one.tab is not None:
        if one.tab >= MOST_TABS:
            raise Untranslatable(f"keys reach the first {MOST_TABS} tabs only; click the tab")
        return Press(("ctrl", str(one.tab + 1))), Press(("ctrl", "w"))
    keys = {
        "back": ("alt", "left"),
        "forward": ("alt", "right"),
        "reload": ("ctrl", "r"),
        "new_tab": ("ctrl", "t"),
        "close_tab": ("ctrl", "w"),
    }
    return (Press(keys[one.op]),)


def _browser_on_phone(one: Any) -> Sequence[Intent]:
    if one.op == "back":
        return (System("back"),)
    raise Untranslatable(f"a phone's browser has no gesture for {one.op}; use its menu on the screen")


def _system_by_touch(one: Any) -> Sequence[Intent]:
    if one.name in ("back", "home"):
        return (Click(f"the {one.name} button"),)
    raise Untranslatable(f"this phone has no {one.name} key")


_DESKTOP_KEYS = {"back": ("alt", "left"), "home": ("meta", "d"), "recents": ("alt", "tab"), "menu": ("menu",)}


def _system_on_desktop(one: Any) -> Sequence[Intent]:
    if one.name not in _DESKTOP_KEYS:
        raise Untranslatable(f"a desktop has no {one.name} key that is safe to press; use its settings")
    return (Press(_DESKTOP_KEYS[one.name]),)


def _system_in_browser(one: Any) -> Sequence[Intent]:
    if one.name == "back":
        return (Browser("back"),)
    raise Untranslatable(f"a browser is no device with a {one.name} key")


def _click_on_phone(one: Any) -> Sequence[Intent]:
    if one.button == "right" and one.at is not None:
        return (LongPress(one.at),)
    if one.button == "back":
        return (System("back"),)
    if one.at is None:
        raise Untranslatable("a phone has no cursor: say where to tap")
    if one.modifiers:
        raise Untranslatable("a tap has no modifier")
    raise Untranslatable(f"a tap has no {one.button} button; long_press opens an item's menu")


def _click_by_keys(one: Any) -> Sequence[Intent]:
    if one.button in ("back", "forward"):
        return _press("alt", "left" if one.button == "back" else "right")
    raise Untranslatable(f"this device has no {one.button} button")


_NO_POINTER = _refuse("a phone has no pointer; use click, long_press or drag")
_NO_KEYS_HELD = _refuse("a touch keyboard holds no keys; use press or type")
_NO_BAR = _refuse("what is shown is the page alone, without the browser's own bar and keys")
_NOTHING_ELSE = _refuse("nothing else can do that here")

TRANSLATIONS: Mapping[str, Mapping[Platform, tuple[Way, ...]]] = {
    "click": {"phone": (_click_on_phone,), "desktop": (_click_by_keys,), "browser": (_click_by_keys,)},
    "long_press": {"phone": (_NOTHING_ELSE,), "desktop": (_long_press,), "browser": (_long_press,)},
    "move": {"phone": (_NO_POINTER,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "mouse_down": {"phone": (_NO_POINTER,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "mouse_up": {"phone": (_NO_POINTER,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "drag": {"phone": (_drag_as_swipe,), "desktop": (_drag,), "browser": (_drag,)},
    "swipe": {"phone": (_swipe,), "desktop": (_swipe,), "browser": (_swipe,)},
    "scroll": {"phone": (_scroll_as_swipe,), "desktop": (_scroll_by_keys,), "browser": (_scroll_by_keys,)},
    "type": {"phone": (_type_by_keys,), "desktop": (_type_by_keys,), "browser": (_type_by_keys,)},
    "press": {"phone": (_press_on_touch,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "key_down": {"phone": (_NO_KEYS_HELD,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "key_up": {"phone": (_NO_KEYS_HELD,), "desktop": (_NOTHING_ELSE,), "browser": (_NOTHING_ELSE,)},
    "select": {"phone": (_select,), "desktop": (_select,), "browser": (_select,)},
    "open_app": {
        "phone": (_open_app_from_home,),
        "desktop": (_open_app_from_launcher,),
        "browser": (_refuse("a browser is one program; open a page with open_url"),),
    },
    "open_url": {
        "phone": (_open_url_on_phone,),
        "desktop": (_open_url_by_keys,),
        "browser": (_NO_BAR,),
    },
    "browser": {"phone": (_browser_on_phone,), "desktop": (_browser_by_keys,), "browser": (_NO_BAR,)},
    "system": {"phone": (_system_by_touch,), "desktop": (_system_on_desktop,), "browser": (_system_in_browser,)},
}
"""For each verb that a device may lack, the ways to do the same there; the first that the device can do is taken."""


def copy(at: str = "") -> None:
    """Copy the text of a field, or what is selected.

    Args:
        at: description of the field whose whole text is copied; leave it out for what is selected. A phone needs it.
    """


def paste(at: str = "", device: str = "") -> None:
    """Paste what was copied.

    Args:
        at: description of the field to paste into; leave it out for the one that has the focus. A phone needs it.
        device: name of the device on which the text was copied; leave it out for this one.
    """


def side_button(button: str, at: str = "") -> None:
    """Click with a button at the side of the mouse, which goes to the page before or after.

    Args:
        button: back or forward.
        at: description of the place; leave it out for where the pointer is.
    """


COPY, PASTE, SIDE_BUTTON = custom_verb(copy), custom_verb(paste), custom_verb(side_button)
ADDED: Mapping[str, CustomVerb] = {verb.name: verb for verb in (COPY, PASTE)}
"""The verbs that a translation adds to every device."""
WITH_BUTTONS: Mapping[str, CustomVerb] = {**ADDED, SIDE_BUTTON.name: SIDE_BUTTON}
"""The same, where the buttons at the side of a mouse are offered, too."""


def added_program(intent: Custom, platform: Platform) -> Sequence[Intent]:
    """The program of a verb of `WITH_BUTTONS` on one device.

    Raises:
        Untranslatable: a phone is not told where. ActionRejected: the arguments are not those of the verb.
    """
    bound = WITH_BUTTONS[intent.name].bind(intent.arguments)
    bound.apply_defaults()
    at = str(bound.arguments["at"])
    if intent.name == SIDE_BUTTON.name:
        if (button := bound.arguments["button"]) not in ("back", "forward"):
            raise Untranslatable(f"the buttons at the side are back and forward, not {button!r:.40}")
        return (Click(at or None, button),)
    if platform == "phone":
        if not at:
            raise Untranslatable(f"a phone has no keys to {intent.name}: say in which field, with at")
        return LongPress(at), Click(f'"{intent.name.capitalize()}"')
    focus: tuple[Intent, ...] = (Click(at),) if at else ()
    if intent.name == COPY.name:
        whole: tuple[Intent, ...] = (Press(("ctrl", "a")),) if at else ()
        return *focus, *whole, Press(("ctrl", "c"))
    return *focus, Press(("ctrl", "v"))


def translate(intent: Intent, device: Verbs, depth: int = 2) -> tuple[Intent, ...] | str:
    """What stands for an intent on a device.

    Args:
        device: what it can do by itself.
        depth: how often verbs of a program may be translated in turn.

    Returns:
        The intent alone where the device has it; a program of verbs that it has; or why there is none.
    """
    kind = intent.kind
    if kind in CONTROL_VERBS:
        return (intent,)
    if isinstance(intent, Custom):
        if intent.name in device.custom or intent.name not in WITH_BUTTONS:
            return (intent,)
        ways: Iterator[Way] = iter((lambda one: added_program(one, device.platform),))
    elif kind in device.kinds and not _strange(intent, device.platform):
        return (intent,)
    else:
        ways = iter(TRANSLATIONS[kind][device.platform])
    why = ""
    for way in ways:
        try:
            program = tuple(way(intent))
        except Untranslatable as error:
            why = why or str(error)
            continue
        whole = _all_native(program, device, depth)
        if not isinstance(whole, str):
            return whole
        why = why or whole
    return f"{kind if not isinstance(intent, Custom) else intent.name} is not possible here: {why}"


def _all_native(program: Sequence[Intent], device: Verbs, depth: int) -> tuple[Intent, ...] | str:
    """The program in verbs of the device, or why it cannot be."""
    found: list[Intent] = []
    for one in program:
        if isinstance(one, OpenApp) and device.installed and one.app not in device.installed:
            return f"there is no app {one.app}"
        inner: tuple[Intent, ...] | str = (one,)
        if one.kind not in CONTROL_VERBS and (one.kind not in device.kinds or _strange(one, device.platform)):
            inner = translate(one, device, depth - 1) if depth > 0 else f"it takes {one.kind}, which it has not got"
        if isinstance(inner, str):
            return inner
        found += inner
    return tuple(found)


def _strange(intent: Intent, platform: Platform) -> bool:
    """Whether no device of the platform knows the arguments of a verb that it has."""
    if isinstance(intent, Click):
        return platform == "phone" and (intent.button != "left" or bool(intent.modifiers) or intent.at is None)
    return platform == "desktop" and isinstance(intent, System) and intent.name not in _DESKTOP_KEYS
