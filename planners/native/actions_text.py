"""Meanings of native actions, shared by all families: keys, text, devices, waiting, and ending the task."""

from __future__ import annotations

from collections.abc import Iterable

from omnipilot.envs import (
    Answer,
    AskUser,
    Box,
    Browser,
    Click,
    Done,
    Intent,
    KeyDown,
    KeyUp,
    Noop,
    OpenApp,
    OpenUrl,
    Press,
    Screenshot,
    Select,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.types import Status
from omnipilot.envs.types.actions import BrowserOp, SystemKey
from omnipilot.envs.types.fields import LONGEST_TEXT
from omnipilot.planners.native.actions_pointing import spread
from omnipilot.planners.native.arguments import Arguments, NativeAction

STATUSES: dict[str, Status] = {
    **dict.fromkeys(("success", "complete", "completed", "finish", "finished", "done"), "success"),
    **dict.fromkeys(("failure", "fail", "failed", "unknown"), "failure"),
    **dict.fromkeys(("infeasible", "impossible"), "infeasible"),
}
SYSTEM: dict[str, SystemKey] = {
    **{name: name for name in ("back", "home", "menu", "power", "volume_up", "volume_down")},
    **dict.fromkeys(("recent", "recents", "app_switch", "overview"), "recents"),
}
HELP = "I need your help to go on."


def type_intents(text: str, then_enter: bool = False) -> list[Intent]:
    r"""Typing into the focused field. A trailing line break, or a text that is only a line break, is the Enter key."""
    if text in ("\n", "\r\n", "\r"):
        return [Press(("enter",))]
    plain = text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
    return [TypeText(plain, submit=then_enter or plain != text)]


def type_text(*names: str) -> NativeAction:
    """Typing into the focused field."""
    return NativeAction(names, lambda a: type_intents(a.text(*names)))


def type_at(
    *places: str, text: tuple[str, ...], enter: str = "", clear: str = "", usual: tuple[bool, bool]
) -> NativeAction:
    """Typing into a place that is clicked first, or into the focused field if no place is given.

    Args:
        text: names of the argument with the text.
        enter, clear: names of the arguments for pressing Enter and for clearing the field; "" for none.
        usual: defaults of the two.
    """

    def make(a: Arguments) -> Iterable[Intent]:
        at = a.point_or_none(*places)
        submit = a.flag(enter, usual[0]) if enter else usual[0]
        empty = a.flag(clear, usual[1]) if clear else usual[1]
        content = a.text(*text)
        if content.endswith("\n"):
            content, submit = content[:-1], True
        return [TypeText(content, at, clear=empty, submit=submit)]

    return NativeAction((*spread(*places), *text, *(name for name in (enter, clear) if name)), make)


def press(*names: str, seconds: str = "", repeat: str = "") -> NativeAction:
    """A key combination; `seconds` and `repeat` name the arguments with these values, "" for none."""

    def make(a: Arguments) -> Iterable[Intent]:
        times = a.whole(repeat, default=1) if repeat else 1
        return [Press(a.keys(*names), times, a.number(seconds) if seconds else None)]

    return NativeAction((*names, *(name for name in (seconds, repeat) if name)), make)


def press_any(*names: str) -> NativeAction:
    """A key of a device: back, home, volume and the like are system keys, all others keyboard keys."""

    def make(a: Arguments) -> Iterable[Intent]:
        word = a.raw(*names)
        name = str(word).strip().lower().removeprefix("keycode_") if isinstance(word, str) else ""
        return [System(SYSTEM[name])] if name in SYSTEM else [Press(a.keys(*names))]

    return NativeAction(names, make)


def key_down(*names: str) -> NativeAction:
    """Pressing keys and holding them."""
    return NativeAction(names, lambda a: [KeyDown(a.keys(*names))])


def key_up(*names: str) -> NativeAction:
    """Releasing keys."""
    return NativeAction(names, lambda a: [KeyUp(a.keys(*names))])


def held_while(a: Arguments, names: tuple[str, ...], intents: Iterable[Intent]) -> list[Intent]:
    """Actions while the keys in the first of the named arguments are held; none are held if it is absent or empty."""
    if a.raw(*names) in (None, ""):
        return list(intents)
    held = a.keys(*names)
    return [KeyDown(held), *intents, KeyUp(held)]


def always(*intents: Intent) -> NativeAction:
    """An action without arguments."""
    return NativeAction((), lambda _: list(intents))


def system_button(*names: str) -> NativeAction:
    """A system button of a phone; Enter is a keyboard key."""

    def make(a: Arguments) -> Iterable[Intent]:
        return [a.option(*names, options={**{name: System(key) for name, key in SYSTEM.items()}, "enter": _ENTER})]

    return NativeAction(names, make)


def open_app(*names: str) -> NativeAction:
    """Opening an application by name."""
    return NativeAction(names, lambda a: [OpenApp(a.text(*names))])


def open_url(*names: str) -> NativeAction:
    """Opening a URL in the browser."""
    return NativeAction(names, lambda a: [OpenUrl(a.text(*names))])


def browser(op: BrowserOp) -> NativeAction:
    """Pressing a browser button, such as back."""
    return always(Browser(op))


def launch(app: str, url: str) -> NativeAction:
    """Opening an application, or a URL if one is given; "None" counts as not given."""

    def make(a: Arguments) -> Iterable[Intent]:
        address = a.text(url, default="")
        if address not in ("", "None"):
            return [OpenUrl(address)]
        return [OpenApp(a.text(app))]

    return NativeAction((app, url), make)


def wait(*names: str, usual: float = 5.0) -> NativeAction:
    """Waiting; `usual` seconds if no number is given."""
    return NativeAction(names, lambda a: [Wait(a.number(*names, default=usual) if names else usual)])


def finish(*names: str) -> NativeAction:
    """The task is done; any text is also the answer."""

    def make(a: Arguments) -> Iterable[Intent]:
        return done_intents(a.text(*names, default="") if names else "")

    return NativeAction(names, make)


def done_intents(text: str) -> list[Intent]:
    """The task is done, with an answer if there is text."""
    said = text.strip()[:LONGEST_TEXT]
    return [Answer(said), Done()] if said else [Done()]


def terminate(status: str, *texts: str) -> NativeAction:
    """Ending the task with a status and a message."""

    def make(a: Arguments) -> Iterable[Intent]:
        return [
            Done(a.option(status, options=STATUSES, default="success"), a.text(*texts, default="") if texts else "")
        ]

    return NativeAction((status, *texts), make)


def give_up(*names: str, status: Status = "infeasible") -> NativeAction:
    """Ending the task because it cannot be done, with the reason if there is one."""
    return NativeAction(names, lambda a: [Done(status, a.text(*names, default="")[:LONGEST_TEXT])])


def answer(*names: str) -> NativeAction:
    """An answer; the episode goes on."""
    return NativeAction(names, lambda a: [Answer(a.text(*names))])


def ask(*names: str) -> NativeAction:
    """A question to the user, or a general call for help."""
    return NativeAction(names, lambda a: [AskUser(a.text(*names, default=HELP) or HELP if names else HELP)])


def look(region: str = "") -> NativeAction:
    """A new screenshot, or one of the region in the named argument."""

    def make(a: Arguments) -> Iterable[Intent]:
        corners = a.box(region) if region else None
        if corners is None:
            return [Screenshot()]
        one, other = corners
        return [Screenshot(Box(one.x, one.y, other.x, other.y))]

    return NativeAction((region,) if region else (), make)


def focus_and_type(*places: str, text: str) -> NativeAction:
    """Clicking a place, then typing without clearing the field."""

    def make(a: Arguments) -> Iterable[Intent]:
        at = a.point_or_none(*places)
        return [*([Click(at)] if at is not None else []), *type_intents(a.text(text))]

    return NativeAction((*spread(*places), text), make)


NOTHING = always(Noop())
_ENTER = Press(("enter",))


def select(*places: str, value: str) -> NativeAction:
    """Selecting an option of a drop-down list by its text."""
    return NativeAction((*spread(*places), value), lambda a: [Select(a.point(*places), a.text(value))])
