"""What is said at each step of a demonstration: what is on the screen, and what is to be reached and why this control.

A small grammar over the step, the control that it acts on, the next control to be reached, and the values that the
instruction names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.envs import (
    Click,
    Context,
    Drag,
    Element,
    Elements,
    LongPress,
    OpenApp,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.memory import Move

COMMITS = frozenset(
    {"save", "send", "create", "done", "ok", "order", "add", "start", "accept", "delete", "confirm", "connect", "join"}
)
"""First words of buttons that keep what was entered or carry out what was chosen."""
KINDS: Mapping[str, str] = {
    "textbox": "field",
    "listitem": "row",
    "treeitem": "entry",
    "menuitem": "entry",
    "image": "picture",
    "titlebar": "title bar",
    "switch": "switch",
    "cell": "cell",
}
"""How a role is called in a sentence, where not by its own name."""
MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What is known of one step when it is put into words.

    Attributes:
        env: the device. context, elements: the screen before the step.
        target: what it acts on, where it acts on something. end: where a drag ends.
        ahead: the name of the next control that a later step acts on, "" if there is none.
        last: whether nothing follows.
    """

    move: Move
    context: Context
    elements: Elements
    target: Element | None = None
    end: Element | None = None
    ahead: str = ""
    last: bool = False


def describe_screen(env: str, context: Context, elements: Elements) -> str:
    """What is on the screen: application, heading, and what is selected."""
    app = context.app
    at_home = app in ("", "home", "desktop")
    text = f"The {env} shows {('its home screen' if env == 'phone' else 'no window') if at_home else app}"
    headings = [e.name for e in elements if e.role == "heading" and e.name and e.name != app]
    if headings and not at_home:
        text += f", headed {quote_short(headings[0])}"
    dialogs = [e.name for e in elements if e.role in ("dialog", "alertdialog") and e.name]
    if dialogs:
        text += f", with the dialog {quote_short(dialogs[-1])} in front"
    selected = [e for e in elements if e.name and "selected" in e.states]
    if selected:
        text += "; " + " and ".join(f"{name_of(e)} is selected" for e in selected[:2])
    focused = [e for e in elements if e.role == "textbox" and "focused" in e.states and e.name]
    if focused:
        text += f"; {name_of(focused[0])} has the focus"
    return text + "."


def explain(facts: StepFacts, goal: str, values: Mapping[str, str]) -> str:
    """What is to be reached, and why this is the next thing to do.

    Args:
        goal: the instruction, one sentence.
        values: what stands in the instruction's holes.
    """
    why = _why(facts, values)
    return f"{_goal(goal)} {why[:1].upper()}{why[1:]}"


def _goal(goal: str) -> str:
    goal = goal.strip().rstrip(".!?")
    return f"The goal: {goal[:1].lower()}{goal[1:]}."


def _why(facts: StepFacts, values: Mapping[str, str]) -> str:
    intent, target = facts.move.intent, facts.target
    name = name_of(target) if target is not None else "this place"
    match intent:
        case Click() | LongPress() if target is not None:
            how = _how(intent)
            return f"{_reason(facts, target, values)}, so I {how} {name}."
        case Click() | LongPress():
            return f"What is needed stands at this place, so I {_how(intent)} it."
        case TypeText(text=text):
            field = _focus(facts.elements)
            whose = "what the task names" if _named(text, values) else ""
            end = " and press Enter" if intent.submit else ""
            first = "clear it, " if intent.clear else ""
            return f"{field} takes {whose or 'this text'}, so I {first}type {quote_short(text)}{end}."
        case Scroll() | Swipe():
            lies = _direction(intent)
            wanted = f'"{facts.ahead}"' if facts.ahead else "What is needed next"
            return f"{wanted} is not in sight, so I scroll {lies} to bring it up."
        case Drag() if target is not None and facts.end is not None:
            return f"{name} belongs in {name_of(facts.end)}, so I drag it there."
        case Select(value=value):
            return f"{name} offers {quote_short(value)}, so I choose it from the list."
        case Press(keys=keys):
            return f"The keys {'+'.join(keys)} do what is needed here, so I press them."
        case System(name=key):
            where = f' to get to "{facts.ahead}"' if facts.ahead else ""
            return f"This screen is done with, so I press {key}{where}."
        case Wait(seconds=seconds):
            return f"What is shown or played needs time, so I wait for {seconds:g} seconds."
        case OpenApp(app=app):
            return f"This is done in {app}, so I open it."
    return f"The next thing to do is to {intent.kind.replace('_', ' ')}."


def _reason(facts: StepFacts, target: Element, values: Mapping[str, str]) -> str:
    said = _named(target.name, values) or _named_id(target.id or "", values)
    first = target.name.split(" ")[0].casefold() if target.name else ""
    if (target.id or "").startswith(("home/", "taskbar/", "launcher/")):
        return "The application that is needed is not in front yet"
    if (target.id or "") == "system/home":
        return "The application that is needed is opened from the home screen"
    if target.role == "textbox":
        return "Something has to be entered here"
    if first in COMMITS and facts.last:
        return "Everything is prepared, and this carries it out"
    if said:
        return said
    if facts.last:
        return "This completes it"
    if facts.ahead and facts.ahead != target.name:
        return f'This leads on to "{facts.ahead}"'
    return "It has to be pressed more than once" if facts.ahead else "This is what is left to do"


def _how(intent: Click[object] | LongPress[object]) -> str:
    if isinstance(intent, LongPress):
        return "press and hold"
    if intent.button == "right":
        return "right-click"
    return "double-click" if intent.count == 2 else "click"


def _named(text: str, values: Mapping[str, str]) -> str:
    """How the instruction names this text, "" where it does not."""
    folded = text.casefold()
    for value in values.values():
        if len(value) > 1 and (value.casefold() in folded or (len(folded) > 2 and folded in value.casefold())):
            return f"{quote_short(value)} is what the task names"
    return ""


def _named_id(id: str, values: Mapping[str, str]) -> str:
    return "This is the one that the task names" if set(id.split("/")) & set(values.values()) else ""


def _direction(intent: Scroll[object] | Swipe[object]) -> str:
    if isinstance(intent, Scroll):
        return intent.direction
    return {"up": "down", "down": "up"}.get(str(intent.direction), "on")


def _focus(elements: Elements) -> str:
    fields = [e for e in elements if "focused" in e.states and e.name]
    return name_of(fields[0]) if fields else "what has the focus"


def name_of(element: Element) -> str:
    """An element in words: the button "Save"."""
    kind = KINDS.get(element.role, element.role)
    return f"the {kind} {quote_short(element.name)}" if element.name else f"the {kind}"


def quote_short(text: str) -> str:
    """The text in quotation marks, cut where it is long."""
    text = " ".join(text.split())
    return f'"{text if len(text) <= MOST_NAME else text[: MOST_NAME - 1] + "…"}"'
